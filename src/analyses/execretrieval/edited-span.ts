/** The buckets of edited spans, in code points, smallest first. Only the two ends are the paper's. */
export const SPAN_BUCKETS = ['1', '2-5', '6-10', '11-20', '21+'] as const;
export type SpanBucket = (typeof SPAN_BUCKETS)[number];

/**
 * Returns the length of the edit between two codes in code points: what is left of the longer one after stripping the
 * common prefix and then the common suffix. 0 when they are equal.
 */
export function editedSpan(canonical: string, distractor: string): number {
  const a = Array.from(canonical);
  const b = Array.from(distractor);
  const shorter = Math.min(a.length, b.length);
  let prefix = 0;
  while (prefix < shorter && a[prefix] === b[prefix]) prefix++;
  let suffix = 0;
  while (suffix < shorter - prefix && a[a.length - 1 - suffix] === b[b.length - 1 - suffix]) suffix++;
  return Math.max(a.length, b.length) - prefix - suffix;
}

/** Returns the bucket of a span; a span of 0 (no edit) belongs to none and gives null. */
export function spanBucket(span: number): SpanBucket | null {
  if (span < 1) return null;
  if (span === 1) return '1';
  if (span <= 5) return '2-5';
  if (span <= 10) return '6-10';
  return span <= 20 ? '11-20' : '21+';
}
