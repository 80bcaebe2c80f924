import { AppError, messageOf } from '../domain/app-error.ts';
import {
  DTYPE_SUFFIXES,
  type Dtype,
  type DtypeFiles,
  type ModelDefinition,
  type ModelSource,
  type Pooling,
} from './model-definition.ts';

/** A model that the user brings: its definition as its own files declare it, to be shown and edited before use. */
export interface ReadModel {
  readonly definition: ModelDefinition;
  /** Where each field came from, for the eyes of the user: a file and member, or why it was assumed. */
  readonly origins: Readonly<Partial<Record<keyof ModelDefinition, string>>>;
  /** What the user should look at before trusting the result. */
  readonly doubts: readonly string[];
}

/** The files that {@link readModelDefinition} looks into, where they exist. */
export const CONFIG_FILES = [
  'config.json',
  'tokenizer_config.json',
  'modules.json',
  '1_Pooling/config.json',
  'config_sentence_transformers.json',
  'sentence_bert_config.json',
] as const;

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns the definition of a model from its own files: sentence-transformers' where there are any, else transformers'.
 *
 * @param source where the files are; the id is made of it
 * @param paths every file of the model, for the dtypes there are
 * @param texts contents of those of {@link CONFIG_FILES} that exist
 * Errors (`model-unusable`): no config.json, a file that is not JSON, no ONNX file.
 */
export function readModelDefinition(
  source: ModelSource,
  paths: readonly string[],
  texts: ReadonlyMap<string, string>,
): ReadModel {
  const id = idOf(source);
  const read = (path: string): Json | undefined => parseJson(id, path, texts.get(path));
  const config = read('config.json');
  if (!config) throw new AppError('model', 'model-unusable', `model ${id}: config.json is missing`);
  const tokenizer = read('tokenizer_config.json') ?? {};
  const pooler = read('1_Pooling/config.json');
  const sentence = read('config_sentence_transformers.json');
  const limits = read('sentence_bert_config.json');
  const modules = parseModules(id, texts.get('modules.json'));

  const origins: Partial<Record<keyof ModelDefinition, string>> = {};
  const doubts: string[] = [];
  const dtypes = dtypesOf(id, paths);
  const pooling = poolingOf(pooler);
  origins.pooling = pooling ? '1_Pooling/config.json' : 'assumed: no 1_Pooling/config.json';
  if (!pooling) doubts.push('Nothing says how token vectors are pooled: mean is assumed.');
  const dimensions =
    numberOf(pooler, 'word_embedding_dimension') ?? numberOf(config, 'hidden_size', 'n_embd', 'dim');
  if (dimensions === undefined)
    throw new AppError('model', 'model-unusable', `model ${id}: config.json names no hidden_size`);
  origins.dimensions =
    pooler && 'word_embedding_dimension' in pooler ? '1_Pooling/config.json' : 'config.json';
  const normalises = modules?.some((type) => type.endsWith('Normalize')) ?? true;
  origins.normalised = modules ? 'modules.json' : 'assumed: no modules.json';
  const similarity = sentence?.['similarity_fn_name'] === 'dot' ? 'dot' : 'cosine';
  origins.similarity = sentence?.['similarity_fn_name']
    ? 'config_sentence_transformers.json'
    : 'assumed: cosine';
  if (modules?.some((type) => type.endsWith('Dense')))
    doubts.push('The model ends in a dense layer, which only counts when its ONNX file contains it.');
  const limit = limitOf(limits, tokenizer, config);
  origins.maxTokens = limit.origin;
  if (limit.assumed) doubts.push(`No file names a token limit: ${limit.tokens} is assumed.`);
  const prompts = promptsOf(sentence);
  origins.prompts = prompts.found ? 'config_sentence_transformers.json' : 'assumed: none';
  const chosen = pooling ?? 'mean';
  const parameters = parametersOf(config, dimensions);
  origins.parameters = 'estimated from config.json';
  return {
    definition: {
      id,
      source,
      upstream: { repository: typeof config['_name_or_path'] === 'string' ? config['_name_or_path'] : id },
      dtypes,
      defaultDtype:
        (['fp32', 'fp16', 'q8', 'q4'] as const).find((dtype) => dtypes[dtype]) ??
        (Object.keys(dtypes)[0] as Dtype),
      pooling: chosen,
      padding: chosen === 'last' || tokenizer['padding_side'] === 'left' ? 'left' : 'right',
      normalised: similarity === 'cosine' || normalises,
      similarity,
      dimensions,
      maxTokens: limit.tokens,
      prompts: { default: prompts.pair },
      parameters,
      licence: 'see its page',
      memoryMegabytes: Math.max(100, Math.round((parameters * 6) / 1e6)),
    },
    origins,
    doubts,
  };
}

function idOf(source: ModelSource): string {
  switch (source.kind) {
    case 'hub':
      return source.repository;
    case 'url':
      return source.url.replace(/\/$/, '');
    case 'folder':
      return source.name;
    case 'bundled':
      return source.folder;
  }
}

function parseJson(id: string, path: string, text: string | undefined): Json | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  } catch (cause) {
    throw new AppError('model', 'model-unusable', `model ${id}: ${path} is not JSON: ${messageOf(cause)}`, {
      cause,
    });
  }
  throw new AppError('model', 'model-unusable', `model ${id}: ${path} is not a JSON object`);
}

/** The types of sentence-transformers' modules in order, e.g. `sentence_transformers.models.Pooling`. */
function parseModules(id: string, text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value))
      return value.map((module: unknown) => String((module as Json | null)?.['type'] ?? ''));
  } catch (cause) {
    throw new AppError(
      'model',
      'model-unusable',
      `model ${id}: modules.json is not JSON: ${messageOf(cause)}`,
      { cause },
    );
  }
  throw new AppError('model', 'model-unusable', `model ${id}: modules.json is not a list`);
}

function dtypesOf(id: string, paths: readonly string[]): Partial<Record<Dtype, DtypeFiles>> {
  const found = (Object.keys(DTYPE_SUFFIXES) as Dtype[]).filter((dtype) =>
    paths.includes(`onnx/model${DTYPE_SUFFIXES[dtype]}.onnx`),
  );
  if (found.length === 0) {
    const onnx = paths.filter((path) => path.endsWith('.onnx'));
    throw new AppError(
      'model',
      'model-unusable',
      `model ${id}: there is no onnx/model.onnx or one of its variants (${onnx.length > 0 ? `found: ${onnx.slice(0, 5).join(', ')}` : 'no .onnx file at all: export the model to ONNX first'})`,
    );
  }
  return Object.fromEntries(
    found.map((dtype) => [
      dtype,
      {
        ...(/^(q8|int8|uint8)$/.test(dtype) && { dependsOnBatch: true }),
        ...(/f16|fp16/.test(dtype) && { needsShaderF16: true }),
      },
    ]),
  );
}

function poolingOf(config: Json | undefined): Pooling | undefined {
  if (!config) return undefined;
  const named = { mean: 'mean', cls: 'cls', lasttoken: 'last', last: 'last' } as const;
  const mode = config['pooling_mode'];
  if (typeof mode === 'string' && mode in named) return named[mode as keyof typeof named];
  if (config['pooling_mode_cls_token'] === true) return 'cls';
  if (config['pooling_mode_lasttoken'] === true) return 'last';
  if (config['pooling_mode_mean_tokens'] === true) return 'mean';
  return undefined;
}

/** A limit beyond this is how tokenizers write "none". */
const NO_LIMIT = 1_000_000;

function limitOf(
  limits: Json | undefined,
  tokenizer: Json,
  config: Json,
): { tokens: number; origin: string; assumed: boolean } {
  const places = [
    [numberOf(limits, 'max_seq_length'), 'sentence_bert_config.json'],
    [numberOf(tokenizer, 'model_max_length'), 'tokenizer_config.json'],
    [numberOf(config, 'max_position_embeddings', 'n_positions'), 'config.json'],
  ] as const;
  for (const [tokens, origin] of places)
    if (tokens !== undefined && tokens > 0 && tokens < NO_LIMIT) return { tokens, origin, assumed: false };
  return { tokens: 512, origin: 'assumed', assumed: true };
}

function promptsOf(config: Json | undefined): { pair: { query: string; document: string }; found: boolean } {
  const prompts = (config?.['prompts'] ?? {}) as Json;
  const named = (...names: string[]): string | undefined =>
    names.map((name) => prompts[name]).find((text): text is string => typeof text === 'string');
  const fallback = named(String(config?.['default_prompt_name'] ?? ''));
  const query = named('query', 's2p_query', 'retrieval.query') ?? fallback ?? '';
  const document = named('document', 'passage', 'corpus', 'retrieval.passage') ?? fallback ?? '';
  return { pair: { query, document }, found: query !== '' || document !== '' };
}

function numberOf(config: Json | undefined, ...names: string[]): number | undefined {
  for (const name of names) {
    const value = config?.[name];
    if (typeof value === 'number' && Number.isFinite(value)) return value;
  }
  return undefined;
}

/** Twelve times layers × width², and the word table: right to some ten percent for transformers. */
function parametersOf(config: Json, width: number): number {
  const layers = numberOf(config, 'num_hidden_layers', 'n_layer', 'n_layers') ?? 12;
  return 12 * layers * width * width + (numberOf(config, 'vocab_size') ?? 30_000) * width;
}
