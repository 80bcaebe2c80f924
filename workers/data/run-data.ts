import type { ExecutionTask, RankingsBlock, SetKey, VerdictsBlock } from '../../src/contracts/blocks.ts';
import type { JudgePair, JudgePlanRequest, RunDataApi } from '../../src/contracts/run-data.ts';
import { trecRunLines } from '../../src/codecs/write-trec-run.ts';
import { AppError } from '../../src/domain/app-error.ts';
import { digestOf, digestOfJson, type Digest } from '../../src/domain/digest.ts';
import type { Ranking } from '../../src/domain/ranking.ts';
import { digestOfRankings } from '../../src/domain/run-digest.ts';
import type { Verdict } from '../../src/domain/verdict.ts';
import type { BlockStore } from '../../src/store/block-store.ts';
import { rankingsOf, readExecutionTasks } from '../../src/store/read-benchmark.ts';

/** Rows of one stored block: at 1,000 documents a query with ids of 100 bytes it stays under 16 MiB. */
const QUERIES_PER_BLOCK = 100;

type KnownVerdicts = Map<string, { readonly verdict: Verdict; readonly tests: string }>;

/** Returns the part of the data worker that evaluations use. @param opened gives the store, or rejects when it is not open */
export function createRunData(opened: () => Promise<BlockStore>): RunDataApi {
  /** Verdicts by environment, read once. */
  const knownByEnvironment = new Map<Digest, KnownVerdicts>();

  async function knownVerdicts(environment: Digest): Promise<KnownVerdicts> {
    const cached = knownByEnvironment.get(environment);
    if (cached !== undefined) return cached;
    const known: KnownVerdicts = new Map();
    const store = await opened();
    const key = verdictsKey(environment);
    // The set grows with every run and is never "complete": block by block, as far as it goes.
    const manifest = await store.manifest(key);
    for (const { index } of manifest?.blocks ?? []) {
      remember(known, await store.readBlock(key, index));
    }
    knownByEnvironment.set(environment, known);
    return known;
  }

  return {
    async putRankings(key, meta, rankings) {
      await (await opened()).writeSet(key, meta, splitByQueries(rankings));
      return digestOfRankings(rankingsOf(rankings));
    },
    async rankingsAsTrec(key, tag) {
      if (!/^\S+$/.test(tag))
        throw new AppError('record', 'bad-tag', `A run's tag holds no blanks: ${JSON.stringify(tag)}.`);
      const parts: string[] = [];
      for await (const block of (await opened()).readBlocks(key))
        for (const ranking of rankingsOf(block)) parts.push(trecRunLines(ranking, tag));
      return new Blob(parts, { type: 'text/plain' });
    },
    async rankingsAsJson(key) {
      const parts: string[] = [];
      for await (const block of (await opened()).readBlocks(key))
        for (const ranking of rankingsOf(block)) parts.push(jsonMember(ranking));
      return new Blob([`{\n${parts.join(',\n')}\n}\n`], { type: 'application/json' });
    },
    async ownDocuments(tasksSet) {
      const tasks = await readExecutionTasks(await opened(), tasksSet);
      return { queryIds: tasks.map(({ queryId }) => queryId), documentIds: tasks.map(ownOf) };
    },
    async taskOf(tasksSet, queryId) {
      for await (const { tasks } of (await opened()).readBlocks(tasksSet)) {
        const task = tasks.find((candidate) => candidate.queryId === queryId);
        if (task !== undefined) return task;
      }
      throw new AppError(
        'store',
        'unknown-query',
        `No query of this benchmark is called ${JSON.stringify(queryId)}.`,
      );
    },
    judgePlan: async (request) =>
      judgePlan(await opened(), request, await knownVerdicts(request.environment)),
    async keepVerdicts(environment, meta, block) {
      const known = await knownVerdicts(environment);
      const writer = await (await opened()).openWriter(verdictsKey(environment), meta);
      try {
        await writer.append(block);
      } finally {
        await writer.close();
      }
      remember(known, block);
    },
  };
}

async function judgePlan(
  store: BlockStore,
  request: JudgePlanRequest,
  known: KnownVerdicts,
): Promise<JudgePair[]> {
  const tops = new Map<string, readonly string[]>();
  for await (const { queryIds, offsets, documentIds } of store.readBlocks(request.rankingsSet)) {
    queryIds.forEach((queryId, i) => {
      const from = offsets[i] as number;
      tops.set(queryId, documentIds.slice(from, Math.min(offsets[i + 1] as number, from + request.ranks)));
    });
  }
  const tasks = await readExecutionTasks(store, request.tasksSet);
  const wanted = tasks.map((task) => [...new Set([...(tops.get(task.queryId) ?? []), ...ownOf(task)])]);
  const codes = await textsOf(store, request.documentsSet, new Set(wanted.flat()));
  const codeDigests = new Map<string, Digest>();
  for (const [id, code] of codes) codeDigests.set(id, await digestOf(code));
  const plan: JudgePair[] = [];
  for (const [i, task] of tasks.entries()) {
    const suiteDigest = await digestOfJson(task.tests);
    for (const documentId of wanted[i] as readonly string[]) {
      const codeDigest = codeDigests.get(documentId) as Digest;
      const found = known.get(pairKey(codeDigest, suiteDigest));
      plan.push({
        queryId: task.queryId,
        documentId,
        codeDigest,
        suiteDigest,
        ...(found === undefined
          ? { suite: { code: codes.get(documentId) as string, tests: task.tests } }
          : { known: found }),
      });
    }
  }
  return plan;
}

async function textsOf(
  store: BlockStore,
  key: SetKey<'documents'>,
  ids: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for await (const block of store.readBlocks(key)) {
    block.ids.forEach((id, i) => {
      if (ids.has(id)) texts.set(id, block.texts[i] as string);
    });
  }
  for (const id of ids) {
    if (!texts.has(id))
      throw new AppError(
        'judge',
        'unknown-document',
        `Document ${JSON.stringify(id)} is ranked but not in the corpus ${key}.`,
      );
  }
  return texts;
}

function ownOf(task: ExecutionTask): string[] {
  return [...task.canonicalIds, ...task.distractors.map(({ documentId }) => documentId)];
}

function splitByQueries(rankings: RankingsBlock): RankingsBlock[] {
  const blocks: RankingsBlock[] = [];
  for (let start = 0; start < rankings.queryIds.length; start += QUERIES_PER_BLOCK) {
    const end = Math.min(start + QUERIES_PER_BLOCK, rankings.queryIds.length);
    const from = rankings.offsets[start] as number;
    const to = rankings.offsets[end] as number;
    blocks.push({
      queryIds: rankings.queryIds.slice(start, end),
      offsets: rankings.offsets.slice(start, end + 1).map((offset) => offset - from),
      documentIds: rankings.documentIds.slice(from, to),
      scores: rankings.scores.slice(from, to),
    });
  }
  return blocks;
}

/** Written by hand: an object would put ids that look like numbers first and lose `__proto__`. */
function jsonMember({ queryId, documentIds, scores }: Ranking): string {
  const members = documentIds.map((id, i) => `${JSON.stringify(id)}:${String(scores[i])}`);
  return `${JSON.stringify(queryId)}:{${members.join(',')}}`;
}

function remember(known: KnownVerdicts, { codeDigests, suiteDigests, verdicts, tests }: VerdictsBlock): void {
  codeDigests.forEach((code, i) => {
    known.set(pairKey(code, suiteDigests[i] as Digest), {
      verdict: verdicts[i] as Verdict,
      tests: tests?.[i] ?? '',
    });
  });
}

function verdictsKey(environment: Digest): SetKey<'verdicts'> {
  return `verdicts:${environment}`;
}

function pairKey(code: Digest, suite: Digest): string {
  return `${code} ${suite}`;
}
