import type { BenchmarkDefinition, PublishedResult } from './definition.ts';

/** Sub-datasets of Levels 2 and 3 with their numbers of repositories (Table 8 of the paper). */
export const CORE_BENCH_SUBDATASETS: Readonly<Record<'L2' | 'L3', Readonly<Record<string, number>>>> = {
  L2: {
    'SWE-bench Verified': 12,
    'SWE-bench Pro': 10,
    'SWE-bench Live': 209,
    'SWE-bench++': 319,
    'SWE-bench+': 6,
    'Multi-SWE-bench': 35,
    'SWE-bench Multilingual': 41,
  },
  L3: { 'SWE-bench Verified': 12, 'SWE-bench Pro': 10, 'Multi-SWE-bench': 35, 'SWE-bench Multilingual': 40 },
};

const LEVELS = [
  {
    id: 'core-bench-l1',
    level: 'L1',
    name: 'Level 1, code understanding',
    documents: 2_412_296,
    queries: 172_961,
    column: 0,
  },
  {
    id: 'core-bench-l2',
    level: 'L2',
    name: 'Level 2, issue to edit',
    documents: 9_377_120,
    queries: 5_061,
    column: 1,
  },
  {
    id: 'core-bench-l3',
    level: 'L3',
    name: 'Level 3, broader context',
    documents: 2_609_581,
    queries: 2_580,
    column: 2,
  },
  {
    id: 'core-bench-l2-rewrite',
    level: 'L2-rewrite',
    name: 'Level 2, rewritten queries',
    documents: 9_377_120,
    queries: 5_061,
    column: 3,
  },
  {
    id: 'core-bench-l3-rewrite',
    level: 'L3-rewrite',
    name: 'Level 3, rewritten queries',
    documents: 2_609_581,
    queries: 2_580,
    column: 4,
  },
] as const;

/** Table 3: nDCG@10 / Recall@100, in percent, for L1, L2, L3, L2-Rw, L3-Rw. */
const TABLE_3: Readonly<Record<string, string>> = {
  CodeRankEmbed: '47.4/78.6 12.1/32.9 22.5/28.6 13.8/37.9 26.2/31.4',
  'bge-m3': '23.8/53.8 4.6/18.3 8.7/12.5 3.9/15.3 7.8/11.4',
  'Qwen3-Embedding-0.6B': '66.9/94.7 17.0/45.5 32.6/40.2 16.5/45.5 31.1/39.2',
  'gte-Qwen2-1.5B-instruct': '31.3/63.0 3.5/15.9 8.1/14.9 4.3/18.2 9.5/15.7',
  'jina-code-embeddings-1.5b': '56.2/88.7 17.0/48.5 31.6/42.7 14.9/46.4 28.9/39.2',
  'Qwen3-Embedding-4B': '72.7/96.9 18.3/46.9 32.8/40.8 17.3/46.2 31.1/39.3',
  'C2LLM-7B': '72.4/96.7 16.7/44.9 32.9/41.0 14.5/41.4 28.4/37.8',
  'e5-mistral-7b-instruct': '54.7/86.4 18.3/51.7 33.9/44.4 17.4/49.9 31.8/42.0',
  'SweRankEmbed-Large': '45.4/79.1 22.4/52.1 34.4/42.4 21.7/49.7 33.6/41.5',
  'F2LLM-v2-8B': '63.8/91.9 19.0/45.8 33.8/37.2 17.8/43.3 30.8/34.9',
  'Qwen3-Embedding-8B': '71.7/96.9 20.3/48.0 34.4/41.5 17.2/45.1 30.8/38.4',
  'Qwen3-0.6B-SFT': '58.1/90.3 26.5/59.4 44.5/54.4 25.5/58.6 40.2/52.0',
  'Qwen3-4B-SFT': '59.8/90.5 30.3/66.0 49.2/61.6 27.3/64.3 44.1/58.1',
  'Qwen3-8B-SFT': '63.0/92.5 32.8/66.4 50.2/61.4 29.2/64.0 44.4/57.4',
};

function published(column: number): PublishedResult[] {
  return Object.entries(TABLE_3).flatMap(([system, text]) => {
    const [ndcg, recall] = (text.split(' ')[column] ?? '').split('/').map(Number);
    const common = { system, slice: 'whole level', source: 'CORE-Bench (code retrieval), Table 3' };
    return [
      { ...common, metric: 'nDCG@10', value: round((ndcg as number) / 100) },
      { ...common, metric: 'R@100', value: round((recall as number) / 100) },
    ];
  });
}

/** Percent with one decimal as a share: 0.121, not 0.12100000000000001. */
function round(share: number): number {
  return Math.round(share * 1_000) / 1_000;
}

/** CORE-Bench (code retrieval): each level is one entry, of which a repository is loaded by `core-bench-l2/<repository>`. */
export const coreBenchBenchmarks: readonly BenchmarkDefinition[] = LEVELS.map(
  ({ id, level, name, documents, queries, column }): BenchmarkDefinition => ({
    id,
    name: `CORE-Bench (code retrieval) ${name}`,
    description:
      'Retrieval inside repositories as coding agents need it: each query sees only the chunks that existed at its commit. Pick a repository; a whole level is too large for a tab.',
    tasks: [level === 'L1' ? 'code-understanding' : 'issue-to-code'],
    languages: [],
    domains: [],
    documents,
    queries,
    licence: 'see the data set card',
    citation: 'CORE-Bench (code retrieval), arXiv 2606.11864.',
    protocolId: 'core-bench',
    layout: 'core-bench',
    source: {
      kind: 'hub',
      dataset: 'zhangfw123/CORE-Bench',
      revision: '23aee66caabfcd8fec37cb5518c96ae43069460a',
    },
    part: { level },
    slices: [],
    published: published(column),
  }),
);
