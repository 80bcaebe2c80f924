/** All choices of a protocol. Flat and plain, so that two protocols are compared field by field. */
export interface ProtocolSettings {
  readonly documentTemplate: 'text' | 'title-space-text-stripped';
  readonly promptPolicy: 'model' | 'none';
  readonly pooling: 'model' | 'mean';
  /** Most tokens of a text: the model's own limit, or a number that also cuts models which could take more. */
  readonly maxTokens: 'model' | number;
  readonly similarity: 'model' | 'cosine' | 'dot';
  readonly scorePrecision: 'float64' | 'float32';
  readonly tieRule: 'id-descending';
  readonly depth: 'all' | number;
  readonly duplicateDocuments: 'refused' | 'first-kept';
  readonly identicalIds: 'kept' | 'dropped';
  readonly exclusions: 'listed' | 'ignored';
  readonly visibility: 'listed' | 'ignored';
  readonly invisibleJudged: 'kept' | 'dropped';
  readonly relevanceLevel: number;
  readonly gradesBelowLevel: 'kept' | 'zeroed';
  readonly gain: 'linear' | 'exponential';
  readonly queriesWithoutResults: 'zero' | 'excluded';
  readonly queriesWithoutRelevant: 'zero' | 'excluded';
  readonly passing: 'verdict-pass' | 'verdict-pass-or-unsupported';
  readonly overall:
    | 'queries'
    | 'tasks-by-queries-with-relevant'
    | 'tasks-by-queries'
    | 'tasks-plain'
    | 'repositories'
    | 'sub-datasets';
  /** What is reported when the user names no measures, the main one first. */
  readonly measures: readonly string[];
}

/** What a field of {@link ProtocolSettings} is about, in words for people. */
export interface SettingDefinition<Value = unknown> {
  readonly title: string;
  readonly meaning: string;
  /** What protocols get that do not say otherwise. */
  readonly fallback: Value;
  /** Why this is the default. */
  readonly reason: string;
  /** The allowed values in words; `number` stands for any number from 1 where the field takes one. */
  readonly choices: Readonly<Record<string, string>>;
}

/** Every setting with its meaning, default, reason and choices, in the order in which they act on the data. */
export const SETTINGS: {
  readonly [Field in keyof ProtocolSettings]: SettingDefinition<ProtocolSettings[Field]>;
} = {
  documentTemplate: {
    title: 'Document text',
    meaning: 'how title and text of a document become the text that is embedded',
    fallback: 'text',
    reason: 'leading blanks are part of code, and a title of a snippet is mostly its answer',
    choices: {
      text: 'the text alone, untouched',
      'title-space-text-stripped':
        'title, a blank, text; white space cut at both ends; no blank for an empty title',
    },
  },
  promptPolicy: {
    title: 'Prompts',
    meaning: 'what is put in front of queries and documents',
    fallback: 'model',
    reason: 'a model measured without the prompts it was trained with is another model',
    choices: { model: "the model's own prompts", none: 'no prompts' },
  },
  pooling: {
    title: 'Pooling',
    meaning: 'how token vectors become one vector',
    fallback: 'model',
    reason: 'a model measured with foreign pooling is another model',
    choices: {
      model: "the model's own pooling",
      mean: 'mean over the mask, unless the graph gives a sentence vector',
    },
  },
  maxTokens: {
    title: 'Truncation',
    meaning: 'how many tokens of a text are read',
    fallback: 'model',
    reason: 'the limit belongs to the model; cut texts are counted in the result',
    choices: { model: "the model's own limit", number: 'at most this many tokens, special tokens counted' },
  },
  similarity: {
    title: 'Similarity',
    meaning: 'how two vectors become a score',
    fallback: 'model',
    reason: 'what the model was trained for; cosine for nearly all',
    choices: { model: "the model's own similarity", cosine: 'cosine', dot: 'raw dot product' },
  },
  scorePrecision: {
    title: 'Score precision',
    meaning: 'the precision in which scores are compared',
    fallback: 'float64',
    reason: 'scores are kept as given; rounding makes ties that the system did not have',
    choices: {
      float64: 'as given, in double precision',
      float32: 'rounded to float32 first, as pytrec_eval does',
    },
  },
  tieRule: {
    title: 'Ties',
    meaning: 'the order of documents with equal scores, settled before any cut',
    fallback: 'id-descending',
    reason: "trec_eval's rule, the same on every machine and for every order of the input",
    choices: { 'id-descending': 'document id descending by UTF-8 bytes' },
  },
  depth: {
    title: 'Depth',
    meaning: 'how many documents of a ranking are scored, after exclusions and the visibility filter',
    fallback: 'all',
    reason: 'trec_eval reads rankings to their end',
    choices: { all: 'all that the run has', number: 'the first so many' },
  },
  duplicateDocuments: {
    title: 'Doubled documents',
    meaning: 'what happens when a ranking names a document twice',
    fallback: 'refused',
    reason: 'trec_eval refuses them; counted twice they give recall above 1',
    choices: {
      refused: 'refused with query and document',
      'first-kept': 'the first in the file stays, the others are counted',
    },
  },
  identicalIds: {
    title: 'Identical ids',
    meaning: 'what happens to a document whose id equals the query id',
    fallback: 'kept',
    reason: 'ids may coincide by chance; a benchmark that wants them gone says so',
    choices: { kept: 'scored like any other', dropped: 'removed from the ranking before the cut' },
  },
  exclusions: {
    title: 'Exclusions',
    meaning:
      'what happens to documents that are listed as excluded for a query (the anchor of a code-to-code query)',
    fallback: 'listed',
    reason: 'whoever lists exclusions means them; without a list nothing is excluded',
    choices: { listed: 'removed from the ranking by id before the cut', ignored: 'scored like any other' },
  },
  visibility: {
    title: 'Visibility',
    meaning: 'whether only the documents visible to a query are ranked',
    fallback: 'listed',
    reason: 'whoever lists visible documents means them; an absent or empty list means all',
    choices: { listed: 'the others are removed before the cut', ignored: 'all documents are ranked' },
  },
  invisibleJudged: {
    title: 'Judged but invisible',
    meaning: 'what happens to judged documents that the query cannot see',
    fallback: 'dropped',
    reason: 'nothing that exists for the query could find them; the other reading is a switch away',
    choices: {
      kept: 'they stay in the denominator',
      dropped: 'they leave the judgements; a query left without any is excluded and counted',
    },
  },
  relevanceLevel: {
    title: 'Relevance level',
    meaning: 'the lowest grade that counts as relevant',
    fallback: 1,
    reason: "trec_eval's default",
    choices: { number: 'this grade and above' },
  },
  gradesBelowLevel: {
    title: 'Grades below the level',
    meaning: 'what grades below the relevance level are worth to nDCG',
    fallback: 'kept',
    reason: "as trec_eval's -l, which leaves gains alone",
    choices: { kept: 'their gain', zeroed: 'nothing, in the ranking and in the ideal' },
  },
  gain: {
    title: 'Gain',
    meaning: 'how a grade becomes gain in the nDCG that the protocol reports',
    fallback: 'linear',
    reason: 'trec_eval and MTEB use the grade itself; the name of the measure says which',
    choices: { linear: 'the grade', exponential: '2^grade - 1' },
  },
  queriesWithoutResults: {
    title: 'Queries without results',
    meaning: 'judged queries that the run lacks',
    fallback: 'zero',
    reason: 'leaving them out raises the mean of a system that answers less',
    choices: { zero: 'count 0 in the mean', excluded: 'are left out of the mean and counted' },
  },
  queriesWithoutRelevant: {
    title: 'Queries without relevant documents',
    meaning: 'judged queries without a document at the relevance level',
    fallback: 'zero',
    reason: 'trec_eval counts them 0',
    choices: { zero: 'count 0 in the mean', excluded: 'are left out of the mean and counted' },
  },
  passing: {
    title: 'Passing',
    meaning: 'which verdicts count as passing',
    fallback: 'verdict-pass',
    reason: 'what did not run is not known to work; it stays in the denominator',
    choices: {
      'verdict-pass': 'pass alone',
      'verdict-pass-or-unsupported': 'pass, and unsupported or platform-sensitive as an upper value',
    },
  },
  overall: {
    title: 'Overall',
    meaning: 'how parts of a benchmark become one number',
    fallback: 'queries',
    reason: 'every query counts the same',
    choices: {
      queries: 'mean over all queries',
      'tasks-by-queries-with-relevant':
        'mean over tasks, weighted by their queries that have a relevant document',
      'tasks-by-queries': 'mean over tasks, weighted by their queries',
      'tasks-plain': 'plain mean over tasks',
      repositories: 'mean over repositories of their means over queries',
      'sub-datasets': 'mean over sub-datasets of their means over queries',
    },
  },
  measures: {
    title: 'Measures',
    meaning: 'what is reported when no measures are named, the main one first',
    fallback: [
      'nDCG@10',
      'nDCG@100',
      'AP',
      'RR',
      'RR@10',
      'P@1',
      'P@5',
      'P@10',
      'R@10',
      'R@100',
      'R@1000',
      'Success@1',
      'Success@5',
      'Success@10',
      'Rprec',
      'Bpref',
    ],
    reason: 'what trec_eval users compare',
    choices: { measures: 'these measures' },
  },
};
