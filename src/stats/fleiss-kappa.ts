/**
 * Returns Fleiss' kappa of counts by subject and category (every subject rated by equally many raters); null where
 * chance agreement is complete. `chance` = `fleiss` takes category shares from the data, `randolph` takes them equal.
 * Throws RangeError when subjects have different numbers of ratings or fewer than two.
 */
export function fleissKappa(
  subjectsByCategory: readonly (readonly number[])[],
  chance: 'fleiss' | 'randolph' = 'fleiss',
): number | null {
  const subjects = subjectsByCategory.length;
  if (subjects === 0) return null;
  const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
  const raters = total(subjectsByCategory[0] as readonly number[]);
  const categories = (subjectsByCategory[0] as readonly number[]).length;
  if (raters < 2 || subjectsByCategory.some((row) => total(row) !== raters || row.length !== categories))
    throw new RangeError("Fleiss' kappa needs the same number of ratings, at least two, for every subject.");
  let agreement = 0;
  const shares = new Array<number>(categories).fill(0);
  for (const row of subjectsByCategory) {
    let pairs = 0;
    row.forEach((count, category) => {
      pairs += count * (count - 1);
      shares[category] = (shares[category] as number) + count / (subjects * raters);
    });
    agreement += pairs / (raters * (raters - 1));
  }
  agreement /= subjects;
  const expected =
    chance === 'randolph' ? 1 / categories : shares.reduce((sum, share) => sum + share * share, 0);
  return expected < 1 ? (agreement - expected) / (1 - expected) : null;
}
