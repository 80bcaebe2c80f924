import { parseFilter } from './query-filter.ts';
import { queryFields, queryLines, type QueryLine } from './result-queries.ts';
import type { OpenedResult, ResultTexts } from './opened-result.ts';
import { router } from './router.svelte.ts';

/** The queries of an opened result, filtered as the address says; the list and the inspector walk the same order. */
export class ResultQueries {
  readonly #result: OpenedResult;
  /** Texts of the benchmark, once they are there. */
  texts = $state.raw<ResultTexts | undefined>(undefined);
  /** Why there are no texts, in a sentence; empty while they load or when they are there. */
  textsMissing = $state('');
  /** As the list shows them now: filtered and sorted. */
  ordered = $state.raw<readonly QueryLine[]>([]);

  constructor(result: OpenedResult) {
    this.#result = result;
  }

  /** Spellings of the report's metrics, which are fields of the filter too. */
  get metricNames(): readonly string[] {
    return this.#result.report.columns;
  }

  readonly lines: readonly QueryLine[] = $derived.by(() =>
    queryLines(this.#result.report, this.texts?.queries, this.#result.origin === 'own'),
  );
  readonly fields = $derived.by(() => queryFields(this.#result.report));
  readonly filter = $derived.by(() => parseFilter(router.get('filter') ?? '', this.fields, 'text'));
  /** With a filter that cannot be read, everything is shown. */
  readonly filtered: readonly QueryLine[] = $derived.by(() =>
    this.filter.ok ? this.lines.filter(this.filter.test) : this.lines,
  );

  /** The query that the address opens. */
  readonly opened: QueryLine | undefined = $derived.by(() => {
    const id = router.get('query');
    return id === undefined ? undefined : this.lines.find(({ row }) => row.queryId === id);
  });

  /** The neighbours of the opened query in the order of the list. */
  readonly neighbours = $derived.by(() => {
    const list = this.ordered.length > 0 ? this.ordered : this.filtered;
    const at = list.findIndex(({ row }) => row.queryId === this.opened?.row.queryId);
    return { at, of: list.length, before: list[at - 1], after: at < 0 ? undefined : list[at + 1] };
  });
}
