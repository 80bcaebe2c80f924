import type { BenchmarkDefinition, PublishedResult } from './definition.ts';

const LEADERBOARD = 'CoREB leaderboard v202603 (formats of the release), nDCG@10';

/** nDCG@10 by task of the v202603 leaderboard. */
const V202603: readonly (readonly [system: string, t2c: number, c2c: number, c2t: number])[] = [
  ['GemEmb-2', 0.434, 0.698, 0.784],
  ['C2LLM-7B', 0.443, 0.659, 0.766],
  ['jina-code-embeddings-1.5b', 0.414, 0.671, 0.735],
  ['C2LLM-0.5B', 0.43, 0.657, 0.725],
  ['jina-code-embeddings-0.5b', 0.386, 0.677, 0.725],
  ['F2LLM-4B', 0.407, 0.5, 0.735],
  ['Qwen3-Embedding-4B', 0.39, 0.392, 0.704],
  ['F2LLM-1.7B', 0.383, 0.383, 0.69],
  ['Qwen3-Embedding-0.6B', 0.349, 0.384, 0.597],
  ['F2LLM-0.6B', 0.344, 0.334, 0.641],
  ['Qwen3-Embedding-8B', 0.328, 0.32, 0.635],
];

const TASKS = [
  { short: 't2c', task: 'text2code', name: 'text to code', column: 1, queries: 1_123, judgements: 5_950 },
  { short: 'c2c', task: 'code2code', name: 'code to code', column: 2, queries: 278, judgements: 1_457 },
  { short: 'c2t', task: 'code2text', name: 'code to text', column: 3, queries: 1_200, judgements: 4_610 },
] as const;

const RELEASES = [
  { version: 'v202603', release: 'release_v2603', codes: 1_744, texts: 875 },
  { version: 'v202602', release: 'release_v2602', codes: 1_670, texts: 835 },
] as const;

function published(column: 1 | 2 | 3): PublishedResult[] {
  return V202603.map((row) => ({
    system: row[0],
    metric: 'nDCG@10',
    value: row[column],
    source: LEADERBOARD,
  }));
}

/** CoREB, three tasks in two releases; `coreb-t2c` and its kin name the newer release. */
export const corebBenchmarks: readonly BenchmarkDefinition[] = RELEASES.flatMap(
  ({ version, release, codes, texts }) =>
    TASKS.map(({ short, task, name, column, queries, judgements }): BenchmarkDefinition => {
      const newest = version === 'v202603';
      return {
        id: newest ? `coreb-${short}` : `coreb-${short}-${version}`,
        name: `CoREB ${version}, ${name}`,
        description:
          'Contest problems rewritten, with solutions in five languages judged by execution. Graded: 2 = positive, 1 = hard negative, absent = easy negative.',
        tasks: [name.replaceAll(' ', '-')],
        languages: ['python', 'java', 'cpp', 'ruby', 'go'],
        domains: ['contest-problems'],
        documents: short === 'c2t' ? texts : codes,
        // The older release's counts by task are not in our copy of the paper.
        ...(newest ? { queries, judgements } : {}),
        licence: 'Apache-2.0',
        citation:
          'CoREB: a code retrieval and reranking benchmark with graded relevance, releases v202602 and v202603.',
        protocolId: 'coreb-paper',
        layout: 'coreb',
        source: { kind: 'hub', dataset: 'hq-bench/coreb', revision: '3441057' },
        part: { task, release },
        slices: [
          { field: 'subtask', name: 'Subtask' },
          { field: 'sub_query_type', name: 'Query type' },
          { field: 'language_constraint', name: 'Language asked for' },
          { field: 'anchor_language', name: 'Language of the query' },
        ],
        published: newest ? published(column) : [],
      };
    }),
);
