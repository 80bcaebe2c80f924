import { AppError } from '../domain/app-error.ts';
import { nearNames } from '../domain/near-names.ts';
import { BGE_ALIKE_MODELS } from './bge-alike.ts';
import { E5_MODELS } from './e5.ts';
import { EMBEDDINGGEMMA_MODELS } from './embeddinggemma.ts';
import { GTE_MODELS } from './gte.ts';
import { INSTRUCTED_MODELS } from './instructed.ts';
import { JINA_MODELS } from './jina.ts';
import { ALL_MINILM_L6_V2, XENOVA_ALL_MINILM_L6_V2 } from './minilm.ts';
import { MPNET_MODELS } from './mpnet.ts';
import { NOMIC_MODELS } from './nomic.ts';
import type { ModelDefinition } from './model-definition.ts';

/** Every embedding model that Assay knows by name, the bundled one first. A family is one file and its line here. */
export const MODELS: readonly ModelDefinition[] = [
  ALL_MINILM_L6_V2,
  XENOVA_ALL_MINILM_L6_V2,
  ...E5_MODELS,
  ...BGE_ALIKE_MODELS,
  ...GTE_MODELS,
  ...NOMIC_MODELS,
  ...JINA_MODELS,
  ...INSTRUCTED_MODELS,
  ...EMBEDDINGGEMMA_MODELS,
  ...MPNET_MODELS,
];

/** The model that is used when none is named. */
export const DEFAULT_MODEL = ALL_MINILM_L6_V2;

/** Returns the model of that id; an unknown id is an error that lists near ones, or all. */
export function findModel(id: string): ModelDefinition {
  const model = MODELS.find((candidate) => candidate.id === id);
  if (model) return model;
  const ids = MODELS.map((known) => known.id);
  const near = nearNames(id, ids);
  throw new AppError(
    'model',
    'unknown-model',
    `There is no model "${id}". ${near.length > 0 ? `Near ones: ${near.join(', ')}.` : `Known: ${ids.join(', ')}.`}`,
  );
}
