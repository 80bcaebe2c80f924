import { isAborted, type Progress } from '../contracts/calls.ts';
import type {
  BenchmarkRef,
  NamedFile,
  StoredBenchmark,
  TableAssignment,
  TableSample,
} from '../contracts/data.ts';
import { toErrorData, type AppErrorData } from '../domain/app-error.ts';
import type { PageServices } from './page-services.ts';

/** Errors after which the user can say what the files and columns mean. */
const ASKS_FOR_COLUMNS: readonly string[] = ['missing-file', 'unknown-columns', 'missing-column', 'bad-row'];

/** Loading data of the user's own: files, an address or a data set of the hub. */
export class LoadState {
  readonly #services: PageServices;
  #abort: AbortController | undefined;
  /** What was asked for last, so that a part or columns can be added to it. */
  #ref: BenchmarkRef | undefined;
  progress = $state.raw<Progress | undefined>(undefined);
  loading = $state(false);
  error = $state.raw<AppErrorData | undefined>(undefined);
  loaded = $state.raw<StoredBenchmark | undefined>(undefined);
  /** The first rows of the files, when the columns have to be told by hand. */
  samples = $state.raw<readonly TableSample[]>([]);
  guess = $state.raw<TableAssignment | undefined>(undefined);

  constructor(services: PageServices) {
    this.#services = services;
  }

  /** Whether the source holds several benchmarks and one has to be named. */
  readonly needsPart = $derived.by(
    () => this.error?.code === 'part-needed' || this.error?.code === 'unknown-part',
  );

  async load(ref: BenchmarkRef): Promise<void> {
    this.cancel();
    const abort = new AbortController();
    this.#abort = abort;
    this.#ref = ref;
    this.loading = true;
    this.error = undefined;
    this.loaded = undefined;
    this.samples = [];
    this.progress = undefined;
    try {
      this.loaded = await this.#services.loadBenchmark(ref, {
        signal: abort.signal,
        onProgress: (progress) => (this.progress = progress),
      });
    } catch (thrown) {
      if (!isAborted(thrown)) this.error = toErrorData(thrown);
      if (ref.kind === 'files' && ASKS_FOR_COLUMNS.includes(this.error?.code ?? ''))
        await this.#inspect(ref.files);
    } finally {
      if (this.#abort === abort) this.loading = false;
    }
  }

  /** Loads the same source again with a part named. */
  async loadPart(part: string): Promise<void> {
    if (this.#ref?.kind === 'files' || this.#ref?.kind === 'hub' || this.#ref?.kind === 'declared')
      await this.load({ ...this.#ref, part });
  }

  /** Loads the same files again, told what their columns mean. */
  async loadColumns(columns: TableAssignment): Promise<void> {
    if (this.#ref?.kind === 'files') await this.load({ ...this.#ref, columns });
  }

  cancel(): void {
    this.#abort?.abort();
    this.loading = false;
  }

  async #inspect(files: readonly NamedFile[]): Promise<void> {
    try {
      const { samples, guess } = await this.#services.inspectFiles(files);
      this.guess = guess;
      this.samples = samples.filter(({ columns }) => columns.length > 0);
    } catch {
      // The first error has said what is wrong with the files; that they cannot be looked into adds nothing.
      this.samples = [];
    }
  }
}

/** Returns picked or dropped files under their paths, and a name for all: the folder's, or the archive's. */
export function namedFiles(
  files: readonly File[],
  paths: readonly string[],
): { name: string; files: NamedFile[] } {
  const named = files.map((file, i) => ({ path: paths[i] || file.name, body: file }));
  const first = named[0]?.path ?? 'files';
  const name = first.includes('/') ? (first.split('/')[0] ?? first) : first.replace(/\.[^.]+$/u, '');
  return { name, files: named };
}
