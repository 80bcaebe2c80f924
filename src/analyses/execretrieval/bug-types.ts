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
