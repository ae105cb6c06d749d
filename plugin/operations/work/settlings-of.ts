import type { Call } from '../../core/call.js'
import type { Catalog, RecordType, SettlingPaths } from '../../schema/catalog.js'
import type { Settling } from '../../schema/language/define-settling.js'
import { SILENT } from './draft.js'

/** The settlings that a call sets off. Records of the past set off none of owners whose settlings move statuses. */
export function settlingsOf(call: Call, catalog: Catalog): Pick<Catalog, 'settling'> {
  if (!call.isHistory) return catalog
  return { settling: withoutMoves(catalog) }
}

/** True if a settling of the type itself may decide otherwise after these columns have changed. Without `fields`, it always may. */
export function isConcerned({ fields, settle }: RecordType, changed: readonly string[]): boolean {
  const isChanged = (name: string) => {
    const column = fields.get(name)?.column ?? name
    return changed.includes(column) || SILENT.has(column)
  }
  return settle.some((one) => one.fields.length === 0 || inputsOf(one).some(isChanged))
}

/** Fields of the owner that a settling looks at, also to find records and calendars. */
function inputsOf({ fields, fills, of }: Settling): readonly string[] {
  const led = Object.values(of).flatMap((source) => {
    if (source.of !== undefined) return []
    return 'refersTo' in source ? source.refersTo : 'calendars' in source ? source.calendars : []
  })
  return [...fields, ...fills, ...led]
}

function withoutMoves(catalog: Catalog): SettlingPaths {
  const isQuiet = ({ owner }: { readonly owner: string }) =>
    catalog.type(owner).settle.every(({ moves }) => Object.values(moves).flat().length === 0)
  const records = [...catalog.settling.records].map(([type, paths]) => [type, paths.filter(isQuiet)] as const)
  return { records: new Map(records), links: catalog.settling.links.filter(isQuiet) }
}
