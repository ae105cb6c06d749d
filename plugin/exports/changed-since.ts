import { instantOf } from '../core/clock.js'
import type { Catalog, RecordType } from '../schema/catalog.js'
import type { Criterion } from '../schema/language/conditions.js'

/** Fields with the time of the last change, the better one first. */
const TIMES = ['updated_at', 'created_at']

/**
 * The criterion of records that have stored a time of change since: they themselves, one of their sub-records, or the records that they
 * are linked with, which their audit lines tell. Undefined for all of them.
 */
export function changedSince(catalog: Catalog, type: RecordType, since: Date | null): Criterion | undefined {
  if (!since) return undefined
  const isSince = (time: string): Criterion => ({ path: [time], op: '>=', values: [instantOf(since)] })
  const timeOf = ({ fields }: RecordType) => TIMES.find((name) => fields.has(name))
  const own = timeOf(type)
  const ofParts = [...type.parts].flatMap(([part, name]): Criterion[] => {
    const time = timeOf(catalog.type(name))
    return time === undefined ? [] : [{ part, where: isSince(time) }]
  })
  return { any: [...(own === undefined ? [] : [isSince(own)]), ...ofParts] }
}
