/** Names records in cells, so that an import finds them again. */
import type { Call } from '../core/call.js'
import { folded } from '../core/text/identity.js'
import { namingField } from '../imports/columns/cells.js'
import { AMBIGUOUS, type Operations } from '../operations/contract.js'
import type { FileReading } from '../operations/read/read-for-files.js'
import type { Catalog } from '../schema/catalog.js'

/** The name of a record, by type and id; empty for those that the caller may not refer to. */
export type NameOf = (type: string, id: number) => string

export interface NamesDeps {
  readonly catalog: Catalog
  readonly fileReading: Pick<FileReading, 'valuesOf'>
  readonly operations: Pick<Operations, 'findIds'>
}

/** Finds the names of records of several types; a constant number of queries per type. */
export async function findNames(
  { catalog, fileReading, operations }: NamesDeps,
  call: Call,
  wanted: ReadonlyMap<string, ReadonlySet<number>>,
): Promise<NameOf> {
  const names = new Map<string, string>()
  for (const [type, ids] of wanted) {
    const field = namingField(catalog, type)
    const values = await fileReading.valuesOf(call, type, field, [...ids])
    // A name that several have names none: such records are named by their ids.
    const shared = catalog.types.get(type)?.import?.namedBy
      ? await operations.findIds(
          call,
          type,
          field,
          [...values.values()].map(({ value }) => value),
        )
      : new Map<string, number>()
    for (const [id, { accountId, value }] of values) {
      const isShared = shared.get(folded(value)) === AMBIGUOUS
      const name = isShared || value === '' ? String(id) : value
      const isOwn = accountId === call.account.id && !looksLikeOther(name)
      names.set(`${type} ${id}`, isOwn ? name : `${name} @${accountId}`)
    }
  }
  return (type, id) => names.get(`${type} ${id}`) ?? ''
}

/** True for a name that an import would take for one of another account: `IT Support @acme`. */
function looksLikeOther(name: string): boolean {
  return / @[a-z0-9-]+$/i.test(name)
}
