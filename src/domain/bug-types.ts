/** The six mechanical bug types of ExecRetrieval, in the order of its tables; ten entries of the release carry older names. */
export const BUG_TYPES = [
  'off_by_one',
  'off_by_one_boundary',
  'swap_arguments',
  'remove_edge_case_check',
  'wrong_comparison',
  'wrong_operator',
] as const;

/** One of the six. */
export type BugType = (typeof BUG_TYPES)[number];

/** Whether a text names one of the six; a snippet without a bug type has none. */
export function isBugType(text: string | undefined): text is BugType {
  return text !== undefined && (BUG_TYPES as readonly string[]).includes(text);
}
