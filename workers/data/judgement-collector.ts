import { AppError } from '../../src/domain/app-error.ts';
import type { Digest } from '../../src/domain/digest.ts';
import { rowError } from '../../src/codecs/row.ts';
import type { JudgementRow, Placed, ReadContext } from '../../src/sources/layouts/layout.ts';
import type { SetWriter } from '../../src/store/block-store.ts';
import type { LoadedDocuments } from './documents-loader.ts';
import { openSink, QRELS, type SetSink } from './set-sinks.ts';

/** Takes judgements one by one and checks them against the queries, the documents and each other. */
export class JudgementCollector {
  readonly #sink: SetSink<JudgementRow>;
  readonly #documents: LoadedDocuments;
  readonly #queryRows: ReadonlyMap<string, number>;
  readonly #context: ReadContext;
  /** Query row to document id to grade. */
  readonly #seen = new Map<number, Map<string, number>>();
  /** Judgements that were kept. */
  count = 0;
  /** Judged documents of the corpus that the query may see, and those that it may not. */
  #visible = 0;
  #invisible = 0;
  /** Query row to its bitmap over the corpus rows. */
  readonly #bitmaps = new Map<number, Uint8Array>();

  private constructor(
    sink: SetSink<JudgementRow>,
    documents: LoadedDocuments,
    queryRows: ReadonlyMap<string, number>,
    context: ReadContext,
  ) {
    this.#sink = sink;
    this.#documents = documents;
    this.#queryRows = queryRows;
    this.#context = context;
  }

  /** `queryRows` may still grow while judgements that stand in the queries' own rows are added. */
  static async open(
    writer: SetWriter<'qrels'>,
    documents: LoadedDocuments,
    queryRows: ReadonlyMap<string, number>,
    context: ReadContext,
  ): Promise<JudgementCollector> {
    return new JudgementCollector(await openSink(writer, QRELS), documents, queryRows, context);
  }

  /** Keeps a judgement. The same one twice is counted, two grades for one pair are an error (`conflicting-grades`). */
  async add({ value, file, line, next }: Placed<JudgementRow>): Promise<void> {
    const { queryId, documentId, grade } = value;
    const query = this.#queryRows.get(queryId);
    if (query === undefined) {
      this.#context.warn(
        'judged-query-unknown',
        'judgements name queries that do not exist; they are ignored',
        queryId,
      );
      return;
    }
    const grades = this.#seen.get(query) ?? new Map<string, number>();
    this.#seen.set(query, grades);
    const known = grades.get(documentId);
    if (known !== undefined && known !== grade)
      throw rowError(
        file,
        line,
        'conflicting-grades',
        `query "${queryId}" and document "${documentId}" have the grade ${grade} here and ${known} before`,
      );
    if (known !== undefined) {
      this.#context.warn(
        'judgement-repeated',
        'judgements that stand twice in the file',
        `${queryId} ${documentId}`,
      );
      return;
    }
    grades.set(documentId, grade);
    const row = this.#documents.index.rowOf(documentId);
    const bitmap = this.#bitmaps.get(query);
    if (row !== undefined && bitmap !== undefined && grade > 0) {
      if (((bitmap[row >> 3] as number) & (1 << (row & 7))) !== 0) this.#visible++;
      else this.#invisible++;
    }
    if (row === undefined)
      this.#context.warn(
        'judged-document-not-in-corpus',
        'judged documents are not in the corpus; they stay in the denominators unless the protocol says otherwise',
        documentId,
      );
    this.count++;
    await this.#sink.add(value, next);
  }

  /** Notes which documents a query may see; before its judgements are added. */
  addVisibility(queryRow: number, bitmap: Uint8Array): void {
    this.#bitmaps.set(queryRow, bitmap);
  }

  /** Writes what is left and returns the digest. Errors: `no-judgements` when none fits the queries, `visibility-inverted`. */
  async finish(): Promise<Digest> {
    if (this.count === 0)
      throw new AppError(
        'benchmark',
        'no-judgements',
        `No judgement names one of the queries (first query id: "${this.#queryRows.keys().next().value ?? ''}"). Do the ids of both files match?`,
      );
    if (this.#invisible > this.#visible)
      throw new AppError(
        'benchmark',
        'visibility-inverted',
        `${this.#invisible} of ${this.#invisible + this.#visible} relevant documents are not among those listed as visible for their query. Is the list one of excluded documents?`,
      );
    if (this.#invisible > 0)
      this.#context.warn(
        'judged-document-invisible',
        'relevant documents are not visible for their query; by default they leave the denominators',
        `${this.#invisible} judgements`,
      );
    const without = [...this.#queryRows].filter(([, row]) => !this.#seen.has(row));
    for (const [id] of without)
      this.#context.warn('query-without-judgements', 'queries have no judgements', id);
    return this.#sink.finish();
  }
}
