import type { Call } from '../../core/call.js'
import type { Catalog, RecordType, SettlingPaths } from '../../schema/catalog.js'

/** The settlings that a call sets off. Records of the past set off none of owners whose settlings move statuses. */
export function settlingsOf(call: Call, catalog: Catalog): Pick<Catalog, 'settling'> {
  if (!call.isHistory) return catalog
  return { settling: withoutMoves(catalog) }
}

/** True if a settling of the type itself may decide otherwise after these columns have changed. Without `fields`, it always may. */
export function isConcerned({ fields, settle }: RecordType, changed: readonly string[]): boolean {
  const isChanged = (name: string) => changed.includes(fields.get(name)?.column ?? name)
  return settle.some((one) => one.fields.length === 0 || one.fields.some(isChanged))
}

function withoutMoves(catalog: Catalog): SettlingPaths {
  const isQuiet = ({ owner }: { readonly owner: string }) =>
    catalog.type(owner).settle.every(({ moves }) => Object.values(moves).flat().length === 0)
  const records = [...catalog.settling.records].map(([type, paths]) => [type, paths.filter(isQuiet)] as const)
  return { records: new Map(records), links: catalog.settling.links.filter(isQuiet) }
}
