import type { Params } from '../errors.js'

/** Puts the values in the place of their names; names without a value stay, so that the mistake is seen. */
export function fill(template: string, params: Params): string {
  return template.replace(/\{(\w+)\}/g, (name, key: string) =>
    String((Object.hasOwn(params, key) ? params[key] : null) ?? name),
  )
}
