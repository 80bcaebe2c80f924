import type { BenchmarkDefinition } from './definition.ts';

/** Sizes from Table 8 of the CORE-Bench (code retrieval) paper, whose Level 1 reuses these sets; absent = parts by language. */
const SETS: readonly {
  readonly name: string;
  readonly revision: string;
  readonly task: string;
  readonly documents?: number;
  readonly queries?: number;
}[] = [
  {
    name: 'apps',
    revision: 'f22508f96b7a36c2415181ed8bb76f76e04ae2d5',
    task: 'text-to-code',
    documents: 8_765,
    queries: 3_765,
  },
  {
    name: 'cosqa',
    revision: 'bc5efb7e9d437246ce393ed19d772e08e4a79535',
    task: 'text-to-code',
    documents: 20_604,
    queries: 500,
  },
  { name: 'CodeSearchNet-ccr', revision: '6e1effa2c03723c5fde48ee912b5ee08d4f211e8', task: 'code-to-code' },
  { name: 'CodeSearchNet', revision: '4adc7bc41202b5c13543c9c886a25f340634dab3', task: 'code-to-text' },
  {
    name: 'codefeedback-st',
    revision: 'd213819e87aab9010628da8b73ab4eb337c89340',
    task: 'hybrid',
    documents: 156_526,
    queries: 31_306,
  },
  {
    name: 'codetrans-contest',
    revision: '20da4eb20a4b17300c0986ee148c90867a7f2a4d',
    task: 'code-to-code',
    documents: 1_008,
    queries: 221,
  },
  {
    name: 'codetrans-dl',
    revision: '281562cb8a1265ab5c0824bfa6ddcd9b0a15618f',
    task: 'code-to-code',
    documents: 816,
    queries: 180,
  },
  {
    name: 'synthetic-text2sql',
    revision: '686b87296c3a0191b5d9415a00526c62db9fce09',
    task: 'text-to-code',
    documents: 105_851,
    queries: 5_851,
  },
];

/** The data sets of CoIR on the hub at pinned revisions. CodeSearchNet and its ccr variant hold one part a language. */
export const coirBenchmarks: readonly BenchmarkDefinition[] = SETS.map(
  ({ name, revision, task, documents, queries }): BenchmarkDefinition => ({
    id: `coir-${name.toLowerCase()}`,
    name: `CoIR ${name}`,
    description:
      'One of the data sets of CoIR. CoIR embeds the text alone; MTEB joins the title: see the protocol.',
    tasks: [task],
    languages: [],
    domains: [],
    ...(documents === undefined ? {} : { documents }),
    ...(queries === undefined ? {} : { queries }),
    licence: 'see the data set card',
    citation: 'CoIR: A Comprehensive Benchmark for Code Information Retrieval Models.',
    protocolId: 'coir',
    layout: 'coir',
    source: { kind: 'hub', dataset: `CoIR-Retrieval/${name}`, revision },
    slices: [],
    published: [],
  }),
);
