/** True for a value that says nothing: a missing one, null, and text without any character but blanks. */
export function isBlank(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '')
}
