import type { BenchmarkDefinition } from './definition.ts';
import { EXECRETRIEVAL_DOMAINS, EXECRETRIEVAL_FILES, EXECRETRIEVAL_SLICES } from './execretrieval.ts';

/** A small benchmark of our own in ExecRetrieval's files and fields, served with the app. */
export const execMini: BenchmarkDefinition = {
  id: 'exec-mini',
  name: 'exec-mini',
  description:
    'Python tasks of our own over ten domains, each with one canonical and up to four single-edit buggy variants, every one executed. Bundled: runs without any network.',
  tasks: ['text-to-code'],
  languages: ['python'],
  domains: EXECRETRIEVAL_DOMAINS,
  documents: 750,
  queries: 150,
  downloadBytes: 1_072_000,
  licence: 'Apache-2.0',
  citation: 'exec-mini, bundled with Assay.',
  protocolId: 'execretrieval',
  layout: 'exec-retrieval',
  source: { kind: 'bundled', path: 'benchmarks/exec-mini/' },
  files: EXECRETRIEVAL_FILES,
  slices: EXECRETRIEVAL_SLICES,
  published: [],
};
