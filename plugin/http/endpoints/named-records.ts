/** Records that callers name in requests to an endpoint of the host: those that they do not see are unknown to them. */
import type { Call } from '../../core/call.js'
import { NotFound, type Violation } from '../../core/errors.js'
import type { Operations } from '../../operations/contract.js'
import type { Catalog, RecordField } from '../../schema/catalog.js'
import { PERSON } from '../../schema/language/built-in-types.js'
import type { DraftRow } from '../../schema/language/define-rule.js'
import type { HostEndpoint } from './define-endpoint.js'

interface NamedRecordsDeps {
  readonly catalog: Catalog
  readonly operations: Pick<Operations, 'reachable'>
}

/** Finds out which records the caller sees. */
export interface NamedRecords {
  /**
   * Violations for references to records that do not exist, or that the caller does not see: the same for both. One query per type.
   *
   * @throws NotFound for the record in the path
   */
  unknown(call: Call, params: Readonly<Record<string, string | number>>, values: DraftRow): Promise<readonly Violation[]>
}

/** Prepares looking at the records of an endpoint. @param fields those of its body and its query */
export function namedRecords(
  { catalog, operations }: NamedRecordsDeps,
  { path }: Pick<HostEndpoint, 'path'>,
  fields: readonly RecordField[],
): NamedRecords {
  const references = fields.flatMap(({ column, kind, name, record }) =>
    kind === 'ref' && column && record ? [{ column, name, record }] : [],
  )
  const [first = '', second] = path.slice(1).split('/')
  const ofPath = second === ':id' ? catalog.byPath.get(first) : undefined
  return {
    async unknown(call, params, values) {
      const wanted = new Map<string, Set<number>>()
      const want = (type: string, id: number) => wanted.set(type, (wanted.get(type) ?? new Set()).add(id))
      const named = references.flatMap(({ column, name, record }) => {
        const id = values[column]
        return typeof id === 'number' ? [{ name, record, id }] : []
      })
      for (const { record, id } of named) want(record, id)
      const subject = ofPath && typeof params['id'] === 'number' ? { record: ofPath.name, id: params['id'] } : null
      if (subject) want(subject.record, subject.id)

      const seen = new Map<string, ReadonlySet<number>>()
      for (const [type, ids] of wanted) seen.set(type, await operations.reachable(call, type, [...ids]))
      // Callers may name themselves, also in an account that does not have their person record.
      const isSeen = ({ record, id }: { readonly record: string; readonly id: number }) =>
        seen.get(record)?.has(id) || (record === PERSON && id === call.actor?.id)
      if (subject && !isSeen(subject)) throw new NotFound()
      return named.filter((one) => !isSeen(one)).map(({ name }) => [name, 'cannot_be_found'])
    },
  }
}
