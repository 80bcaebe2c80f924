import { MAX_K, type QueryVectors, type SearchRequest } from '../../src/contracts/search.ts';
import { AppError } from '../../src/domain/app-error.ts';

/** Throws for k, visibility or exclusions that do not fit the request, and for queries as {@link checkQueries} does. */
export function checkRequest(request: SearchRequest): void {
  const { k, visible } = request;
  if (!Number.isInteger(k) || k < 1 || k > MAX_K) {
    throw new AppError(
      'search',
      'k-out-of-range',
      `k is ${k}; it must be a whole number from 1 to ${MAX_K}.`,
    );
  }
  checkQueries(request.queries);
  const count = request.queries.ids.length;
  if (visible !== undefined && visible.bitmapOf.length !== count) {
    throw new AppError(
      'search',
      'visibility-shape',
      `Visibility is given for ${visible.bitmapOf.length} queries, the search has ${count}.`,
    );
  }
  if (request.excluded !== undefined && request.excluded.length !== count) {
    throw new AppError(
      'search',
      'exclusions-shape',
      `Exclusions are given for ${request.excluded.length} queries, the search has ${count}.`,
    );
  }
}

/** Throws when the values are not as many as ids and dimensions ask for. */
export function checkQueries(queries: QueryVectors): void {
  const { ids, dimensions, values } = queries;
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > 65_536) {
    throw new AppError(
      'search',
      'dimensions-out-of-range',
      `Vectors have ${dimensions} dimensions; 1 to 65,536 are allowed.`,
    );
  }
  if (values.length !== ids.length * dimensions) {
    throw new AppError(
      'search',
      'query-shape',
      `${ids.length} queries of ${dimensions} dimensions need ${ids.length * dimensions} values; ${values.length} are there.`,
    );
  }
}

/** The error for documents and queries of different models. */
export function dimensionMismatch(queries: number, documents: number): AppError {
  return new AppError(
    'search',
    'dimension-mismatch',
    `Documents have ${documents} dimensions, the queries have ${queries}. Both must come from one model.`,
  );
}
