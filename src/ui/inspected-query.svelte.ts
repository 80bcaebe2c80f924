/* eslint-disable svelte/prefer-svelte-reactivity -- maps here live in $state.raw and are replaced as a whole */
import type { StripCell } from '../analyses/execretrieval/report-types.ts';
import { toErrorData, type AppErrorData } from '../domain/app-error.ts';
import type { RecordFailure } from '../share/record.ts';
import type { OpenedResult, ResultTexts } from './opened-result.ts';
import type { PageServices, RunAgain } from './page-services.ts';
import type { QueryLine } from './result-queries.ts';

/** What the inspector holds of one query: sources, tests, and what running a candidate again came to. */
export class InspectedQuery {
  readonly #services: PageServices;
  readonly #result: OpenedResult;
  readonly line: QueryLine;
  /** Sources by document id, once loaded. */
  code = $state.raw<ReadonlyMap<string, string>>(new Map());
  tests = $state.raw<readonly string[]>([]);
  problem = $state.raw<AppErrorData | undefined>(undefined);
  /** Document whose candidate is running now. */
  running = $state<string | undefined>(undefined);
  /** Results of runs in this page, by document id. */
  again = $state.raw<ReadonlyMap<string, RunAgain>>(new Map());

  constructor(services: PageServices, result: OpenedResult, line: QueryLine) {
    this.#services = services;
    this.#result = result;
    this.line = line;
  }

  get cells(): readonly StripCell[] {
    return this.line.row.strip;
  }

  /** Ids of the canonicals that are among the first ten or known by the sources; the first one heads comparisons. */
  get canonicalId(): string | undefined {
    return this.cells.find(({ role }) => role === 'canonical')?.documentId ?? this.#canonicalElsewhere;
  }

  #canonicalElsewhere = $state<string | undefined>(undefined);

  /** Loads the sources of the first ten and the tests. */
  async load(texts: ResultTexts): Promise<void> {
    try {
      const queryId = this.line.row.queryId;
      const canonicals = await texts.canonicalsOf(queryId);
      this.#canonicalElsewhere = canonicals[0];
      [this.code, this.tests] = await Promise.all([
        texts.codeOf([...new Set([...this.cells.map(({ documentId }) => documentId), ...canonicals])]),
        texts.testsOf(queryId),
      ]);
    } catch (thrown) {
      this.problem = toErrorData(thrown);
    }
  }

  /** The document to look at when the address names none: the best one that fails, else the first. */
  get firstChoice(): string | undefined {
    return (this.cells.find(({ verdict }) => verdict !== 'pass') ?? this.cells[0])?.documentId;
  }

  /** The recorded failure of a document, where the record holds one. */
  failureOf(documentId: string): RecordFailure | undefined {
    if (this.#result.origin !== 'own') return undefined;
    return this.#result.record.failures.find(
      (failure) => failure.queryId === this.line.row.queryId && failure.documentId === documentId,
    );
  }

  /** Runs a candidate against the tests in this page. */
  async runAgain(documentId: string): Promise<void> {
    const source = this.code.get(documentId);
    if (source === undefined || this.running !== undefined) return;
    this.running = documentId;
    this.problem = undefined;
    try {
      const result = await this.#services.runAgain(source, this.tests);
      this.again = new Map([...this.again, [documentId, result]]);
    } catch (thrown) {
      this.problem = toErrorData(thrown);
    } finally {
      this.running = undefined;
    }
  }
}
