import { distance } from 'fastest-levenshtein';

/**
 * The names most like the one that was not found, best first, at most `limit`: for messages such as "did you mean …".
 * Letter case is ignored; a name that starts with the text, or is its beginning, counts as near whatever its length.
 */
export function nearNames(unknown: string, names: Iterable<string>, limit = 3): string[] {
  const wanted = unknown.toLowerCase();
  const scored: { name: string; edits: number }[] = [];
  for (const name of names) {
    const candidate = name.toLowerCase();
    const sharesStart = wanted !== '' && (candidate.startsWith(wanted) || wanted.startsWith(candidate));
    const edits = sharesStart ? 1 : distance(wanted, candidate);
    if (edits <= Math.max(2, Math.floor(Math.max(wanted.length, candidate.length) / 3)))
      scored.push({ name, edits: candidate === wanted ? 0 : edits });
  }
  return scored
    .sort((a, b) => a.edits - b.edits)
    .slice(0, limit)
    .map((entry) => entry.name);
}
