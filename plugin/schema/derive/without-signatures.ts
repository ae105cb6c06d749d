/** Responses without what changes with time alone, so that clients can tell whether a record has changed. */
import type { Catalog, RecordType } from '../compile/compile.js'
import type { Json } from '../fields.js'
import { fileKeyOf } from '../language/derived.js'

type Shown = { readonly [field: string]: Json }

/**
 * Removes the end and the signature from URLs of files, also in sub-records. Returns the same object if it has none. What users
 * have written stays, even if it looks like such a URL.
 */
export type Steady = (shown: Shown) => Shown

/** The function for responses of a type. Compiles it when it is first needed. */
export type SteadyOf = (type: RecordType) => Steady

export function createSteady(catalog: Catalog): SteadyOf {
  const made = new Map<RecordType, Steady>()
  const steadyOf: SteadyOf = (type) => {
    const steady = made.get(type) ?? compileSteady(type, catalog, steadyOf)
    made.set(type, steady)
    return steady
  }
  return steadyOf
}

function compileSteady(type: RecordType, catalog: Catalog, steadyOf: SteadyOf): Steady {
  const fields = [...type.fields.values()]
  const downloads = fields.filter((field) => fileKeyOf(field) !== undefined).map(({ name }) => name)
  const parts = fields.flatMap(({ kind, name, record = '' }) => {
    const part = kind === 'part' || kind === 'parts' ? catalog.types.get(record) : undefined
    return part ? [[name, part] as const] : []
  })
  return (shown) => {
    const changed: Record<string, Json> = {}
    for (const name of downloads) {
      const url = shown[name]
      if (typeof url === 'string' && url.includes('?')) changed[name] = url.slice(0, url.indexOf('?'))
    }
    for (const [name, part] of parts) {
      const value = shown[name]
      if (typeof value !== 'object' || value === null) continue
      const now = Array.isArray(value) ? steadyList(value as Shown[], steadyOf(part)) : steadyOf(part)(value as Shown)
      if (now !== value) changed[name] = now as Json
    }
    return Object.keys(changed).length === 0 ? shown : { ...shown, ...changed }
  }
}

/** Does it for each entry of a list; returns the same list if none has changed. */
export function steadyList(list: readonly Shown[], steady: Steady): readonly Shown[] {
  const all = list.map(steady)
  return all.some((one, index) => one !== list[index]) ? all : list
}
