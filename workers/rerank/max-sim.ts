/** Token vectors of one text: row-major, each of unit length (or zero), special tokens included. */
export interface TokenVectors {
  readonly values: Float32Array;
  readonly tokens: number;
  readonly dimensions: number;
}

/** Returns token states scaled to unit length; a zero state stays zero. */
export function normaliseTokens(states: Float32Array, tokens: number): TokenVectors {
  const dimensions = tokens === 0 ? 0 : states.length / tokens;
  const values = new Float32Array(states.length);
  for (let token = 0; token < tokens; token++) {
    const from = states.subarray(token * dimensions, (token + 1) * dimensions);
    let squares = 0;
    for (const value of from) squares += value * value;
    const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
    from.forEach((value, d) => (values[token * dimensions + d] = value * scale));
  }
  return { values, tokens, dimensions };
}

/**
 * Returns the late-interaction score: for each token of the query the greatest dot product with a token of the document,
 * summed in float64 (Khattab and Zaharia 2020). A document without tokens scores 0.
 */
export function maxSim(query: TokenVectors, document: TokenVectors): number {
  const { dimensions } = query;
  if (document.tokens === 0) return 0;
  let sum = 0;
  for (let q = 0; q < query.tokens; q++) {
    let best = -Infinity;
    for (let d = 0; d < document.tokens; d++) {
      let dot = 0;
      for (let i = 0; i < dimensions; i++)
        dot += (query.values[q * dimensions + i] as number) * (document.values[d * dimensions + i] as number);
      best = Math.max(best, dot);
    }
    sum += best;
  }
  return sum;
}
