/** Responses without what changes with time alone, so that clients can tell whether a record has changed. */
import type { Catalog, RecordType } from '../catalog.js'
import type { Json } from '../kinds/fields.js'
import { fileKeyOf } from '../language/derived.js'

type Shown = { readonly [field: string]: Json }

/**
 * Removes the end and the signature from URLs of files, also in sub-records. Returns the same object if it has none. What users
 * have written stays, even if it looks like such a URL.
 */
export type RemoveSignatures = (shown: Shown) => Shown

/** The function that does so in responses of a type. */
export type WithoutSignatures = (type: RecordType) => RemoveSignatures

/** Compiles the function of a type when it is first needed. */
export function createWithoutSignatures(catalog: Catalog): WithoutSignatures {
  const made = new Map<RecordType, RemoveSignatures>()
  const withoutSignatures: WithoutSignatures = (type) => {
    const remove = made.get(type) ?? compileFor(type, catalog, withoutSignatures)
    made.set(type, remove)
    return remove
  }
  return withoutSignatures
}

function compileFor(type: RecordType, catalog: Catalog, withoutSignatures: WithoutSignatures): RemoveSignatures {
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
      const now = Array.isArray(value)
        ? listWithoutSignatures(value as Shown[], withoutSignatures(part))
        : withoutSignatures(part)(value as Shown)
      if (now !== value) changed[name] = now as Json
    }
    return Object.keys(changed).length === 0 ? shown : { ...shown, ...changed }
  }
}

/** Does it for each entry of a list; returns the same list if none has changed. */
export function listWithoutSignatures(list: readonly Shown[], remove: RemoveSignatures): readonly Shown[] {
  const all = list.map(remove)
  return all.some((one, index) => one !== list[index]) ? all : list
}
