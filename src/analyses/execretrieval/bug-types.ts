/** The six mechanical bug types; others (ten legacy entries upstream) are kept but stay out of deception. */
export const MECHANICAL_BUG_TYPES = [
  'off_by_one',
  'off_by_one_boundary',
  'swap_arguments',
  'remove_edge_case_check',
  'wrong_comparison',
  'wrong_operator',
] as const;

/** Whether a bug type is one of the six mechanical ones. */
export function isMechanical(bugType: string | undefined): boolean {
  return bugType !== undefined && (MECHANICAL_BUG_TYPES as readonly string[]).includes(bugType);
}

/** The ten domains of ExecRetrieval. */
export const EXEC_DOMAINS = [
  'bit_manipulation',
  'collections',
  'data_transformation',
  'date_time',
  'geometry',
  'math_numerical',
  'sorting_searching',
  'state_machines',
  'string_processing',
  'validation',
] as const;

/**
 * Returns the domain that an entry id names (`exec_string_processing_5` -> `string_processing`), the longest one that
 * fits between word borders; null when there is none. The released files have no field for it.
 */
export function domainOfEntry(entryId: string): string | null {
  const padded = `_${entryId.toLowerCase().replaceAll('-', '_')}_`;
  const found = EXEC_DOMAINS.filter((domain) => padded.includes(`_${domain}_`));
  return found.sort((a, b) => b.length - a.length)[0] ?? null;
}
