import { AppError } from '../domain/app-error.ts';
import { ALL_MINILM_L6_V2 } from './minilm.ts';
import type { ModelDefinition } from './model-definition.ts';

/** Every embedding model that Assay knows by name, the bundled one first. A family is one file and its line here. */
export const MODELS: readonly ModelDefinition[] = [ALL_MINILM_L6_V2];

/** The model that is used when none is named. */
export const DEFAULT_MODEL = ALL_MINILM_L6_V2;

/** Returns the model of that id; an unknown id is an error that lists the known ones. */
export function findModel(id: string): ModelDefinition {
  const model = MODELS.find((candidate) => candidate.id === id);
  if (model) return model;
  throw new AppError(
    'model',
    'unknown-model',
    `no model is called "${id}"; known: ${MODELS.map((known) => known.id).join(', ')}`,
  );
}
