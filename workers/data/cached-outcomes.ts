import { suiteDigest, suiteDigestReadings } from '../../src/benchmarks/execution-task.ts';
import { suiteVerdict } from '../../src/benchmarks/rows/exec-retrieval.ts';
import type { SetKey, VerdictsBlock } from '../../src/contracts/blocks.ts';
import type { Digest } from '../../src/domain/digest.ts';
import type { Verdict } from '../../src/domain/verdict.ts';
import type { LayoutReader, ReadContext } from '../../src/sources/layouts/layout.ts';
import type { BlockStore, SetWriter } from '../../src/store/block-store.ts';

const ROWS_PER_BLOCK = 20_000;

/**
 * Stores the authors' recorded outcomes under this project's names of code and suite, and returns how many (code, suite)
 * pairs there are. Rows whose suite no query has are counted and left out: that suite will be run.
 */
export async function loadCachedOutcomes(
  store: BlockStore,
  writers: { readonly execution: SetWriter<'execution'>; readonly verdicts: SetWriter<'verdicts'> },
  reader: LayoutReader,
  context: ReadContext,
): Promise<number> {
  if (reader.cachedOutcomes === undefined) return 0;
  const suites = await suitesByReading(store, writers.execution);
  const outcomes = new Map<Digest, Map<Digest, Verdict[]>>();
  for await (const batch of reader.cachedOutcomes(context)) {
    for (const { value, file, line } of batch) {
      const suite = suites.get(value.suiteDigest);
      if (suite === undefined) {
        context.warn(
          'cached-suite-unknown',
          'recorded outcomes name a suite that no query has; suites without outcomes are run',
          `${file}, line ${line}`,
        );
        continue;
      }
      const ofSuite = outcomes.get(suite) ?? new Map<Digest, Verdict[]>();
      outcomes.set(suite, ofSuite);
      const known = ofSuite.get(value.codeDigest);
      if (known === undefined || !value.single) ofSuite.set(value.codeDigest, [...value.outcomes]);
      else known.push(...value.outcomes);
    }
  }
  return writeOutcomes(writers.verdicts, outcomes);
}

async function suitesByReading(
  store: BlockStore,
  writer: SetWriter<'execution'>,
): Promise<ReadonlyMap<Digest, Digest>> {
  const { key, blocks } = writer.manifest;
  const suites = new Map<Digest, Digest>();
  for (const { index } of blocks) {
    const { tasks } = await store.readBlock(key as SetKey<'execution'>, index);
    for (const { tests } of tasks) {
      const own = await suiteDigest(tests);
      for (const reading of await suiteDigestReadings(tests)) suites.set(reading, own);
    }
  }
  return suites;
}

async function writeOutcomes(
  writer: SetWriter<'verdicts'>,
  outcomes: ReadonlyMap<Digest, ReadonlyMap<Digest, readonly Verdict[]>>,
): Promise<number> {
  const rows = [...outcomes].flatMap(([suite, byCode]) =>
    [...byCode].map(([code, verdicts]) => ({ suite, code, verdicts })),
  );
  for (let from = 0; from < rows.length; from += ROWS_PER_BLOCK) {
    const part = rows.slice(from, from + ROWS_PER_BLOCK);
    const block: VerdictsBlock = {
      codeDigests: part.map((row) => row.code),
      suiteDigests: part.map((row) => row.suite),
      verdicts: part.map((row) => suiteVerdict(row.verdicts)),
      tests: part.map((row) => JSON.stringify(row.verdicts)),
    };
    await writer.append(block);
  }
  return rows.length;
}
