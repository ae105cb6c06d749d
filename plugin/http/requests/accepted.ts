/**
 * The weight that the header Accept gives to a media type, from 0 (refused, or not listed) to 1. Parameters such as charset have
 * no effect.
 *
 * @param by `any` to find it by the most specific range that includes it, `named` only by its own name
 */
export function acceptable(header: string, type: string, by: 'any' | 'named'): number {
  const ranges = header.split(',').map((range) => range.split(';').map((part) => part.trim().toLowerCase()))
  for (const wanted of by === 'named' ? [type] : [type, type.replace(/\/.*/, '/*'), '*/*']) {
    const range = ranges.find(([name]) => name === wanted)
    if (range) return weightOf(range)
  }
  return 0
}

function weightOf(range: readonly string[]): number {
  const given = range.map((parameter) => /^q\s*=\s*([01](?:\.\d{0,3})?)$/.exec(parameter)?.[1]).find((q) => q !== undefined)
  return given === undefined ? 1 : Number(given)
}
