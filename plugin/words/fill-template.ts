import type { Params } from '../core/errors.js'

const NAMES = /\{(\w+)\}/g

/** Replaces names by values. Names without a value stay, so that the mistake is visible. */
export function fill(template: string, params: Params): string {
  return template.replace(NAMES, (name, key: string) => String((Object.hasOwn(params, key) ? params[key] : null) ?? name))
}

/** The names in a template that values replace. */
export function placeholdersIn(template: string): readonly string[] {
  return [...template.matchAll(NAMES)].flatMap(([, name]) => name ?? [])
}
