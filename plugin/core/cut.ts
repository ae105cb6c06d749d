/**
 * The first `max` characters of a text, counted as databases count them. `slice` counts an emoji as two, and may leave half of
 * one, which cannot be stored.
 */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : [...text].slice(0, max).join('')
}
