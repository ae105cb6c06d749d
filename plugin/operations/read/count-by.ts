/** Counts the records that a caller sees, by the values of one or two fields (behaviour: Counts); see ADR 75. */
import { mayReadEverywhere } from '../../access/sight/decide.js'
import type { Call } from '../../core/call.js'
import { BadRequest } from '../../core/errors.js'
import type { RecordField } from '../../schema/catalog.js'
import { MAX_GROUPS, readCountParameters } from '../../schema/derive/count-parameters.js'
import { refuseParameters, refuseWithoutEffect } from '../../schema/derive/strict-parameters.js'
import type { Json } from '../../schema/language/field.js'
import type { CountedGroup } from '../../storage/records/count-groups.js'
import type { ListRequest, Operations, Output } from '../contract.js'
import { chosenList } from './chosen-list.js'
import { inOrderOf, type RecordCount } from './order-of-counts.js'
import type { ReadDeps } from './read-deps.js'
import { filtersInSight } from './sight.js'

/** The records that a caller sees, in groups. */
export interface Counts {
  readonly total: number
  /** At most 200, as lists are sorted by the fields; empty values last. Groups without records are not among them. */
  readonly groups: readonly RecordCount[]
}

/** Counts collections. */
export interface Counting {
  /**
   * The number of records of a collection by the values of one or two fields.
   *
   * @param request parameters: what to count by, and filters of lists
   * @throws BadRequest for unreadable parameters, fields by which nobody counts, and too many groups, Invalid for parameters that
   *   strict handling refuses, Forbidden if the type is closed to the caller
   */
  countBy(call: Call, typeName: string, request: Pick<ListRequest, 'parameters' | 'handling'>): Promise<Counts>
}

/** Parameters of lists without an effect on counts. */
const OF_PAGES: ReadonlySet<string> = new Set(['page', 'per_page', 'sort', 'fields'])

/** @param refer shows the records that groups are about, as lists show them */
export function createCounting(deps: ReadDeps, refer: Operations['refer']): Counting {
  const { catalog, decisions, queries, scope } = deps

  /** The references of the groups, by the place of the field and the id: one query per field. */
  const referencesOf = async (call: Call, by: readonly RecordField[], groups: readonly CountedGroup[]) => {
    const found: ReadonlyMap<Json, Output>[] = []
    for (const [place, { record }] of by.entries()) {
      const ids = new Set(groups.flatMap(({ values }) => values[place] ?? []).map(Number))
      const shown = record === undefined ? [] : await refer(call, record, [...ids])
      found.push(new Map(shown.map((one) => [one['id'] ?? null, one])))
    }
    return found
  }

  return {
    async countBy(call, typeName, { handling, parameters }) {
      const type = catalog.type(typeName)
      await decisions.decide(call, 'read', type, null)
      const asked = readCountParameters(type, parameters, (field) => mayReadEverywhere(call, field), call)
      if (handling === 'strict') {
        refuseParameters(parameters, OF_PAGES)
        refuseWithoutEffect(type, parameters)
      }
      const { by, days } = asked
      const list = chosenList(type, undefined, asked.list)
      const where = await scope.resolve(call, {
        all: [await scope.listed(call, type, list), list, ...(await filtersInSight(deps, call, type, asked.where))],
      })
      const inZone = days && { ...days, zone: call.zone }
      const groups = await queries.countGroups(call, { type, where, by, days: inZone, most: MAX_GROUPS })
      if (groups.length > MAX_GROUPS)
        throw new BadRequest(`More than ${MAX_GROUPS} groups; add a filter, or count by another field`)
      const references = await referencesOf(call, by, groups)
      const shown = groups.map(({ count, values }) => {
        const cells = values.map((value, place) => shownAs(by[place], value, references[place]))
        return { count, values: Object.fromEntries(by.map(({ name }, place) => [name, cells[place] ?? null])) }
      })
      return { total: groups.reduce((sum, { count }) => sum + count, 0), groups: inOrderOf(catalog, by, shown) }
    },
  }
}

function shownAs(field: RecordField | undefined, value: Json, references: ReadonlyMap<Json, Output> | undefined): Json {
  return field?.record !== undefined && value !== null ? (references?.get(value) ?? { id: value }) : value
}
