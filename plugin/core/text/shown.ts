/** A value as an error message shows it: short, and without what an object may hold. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value.slice(0, 100)}'`
  if (typeof value === 'function') return 'a function'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'bigint') return `${value}n`
  if (value instanceof Date) return 'a Date'
  if (value instanceof Promise) return 'a promise'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
