/** Parameters of the lists of deliveries: read like those of records, and applied to their table. */
import type { Knex } from 'knex'
import { compileChecked } from '../../schema/compile/compile.js'
import { type ListParameters, readListParameters } from '../../schema/derive/filters.js'
import { datetime, integer, oneOf, string } from '../../schema/kinds/fields.js'
import type { Criterion, Scalar } from '../../schema/language/conditions.js'
import { defineRecord } from '../../schema/language/define-record.js'
import { timestampOf } from '../../storage/database/timestamps.js'
import { STATES } from '../../storage/queues/delivery-rows.js'

/** Query parameters, in their order. */
export type Parameters = readonly (readonly [name: string, value: string])[]

/** What lists are filtered and sorted by. No record type of the catalog: it only lends its grammar. */
const LISTED = compileChecked(
  [
    defineRecord('delivery', {
      path: 'deliveries',
      fields: {
        id: integer({ readOnly: true }),
        event: string(128),
        object_id: integer(),
        state: oneOf([STATES.waiting, STATES.sent, STATES.failed, STATES.dropped]),
        created_at: datetime(),
      },
      collection: { fields: '', sort: '-id', sortable: 'id created_at', filterable: 'event object_id state created_at' },
      access: { create: [], update: [] },
    }),
  ],
  [],
  new Map(),
).type('delivery')

const SECOND = 1000

/** Reads the parameters. @param zone IANA zone for times without offset @throws BadRequest with a message that names the parameter */
export function readLogParameters(
  parameters: Parameters,
  zone: string,
): Pick<ListParameters, 'page' | 'perPage' | 'sort' | 'where'> {
  return readListParameters(LISTED, parameters, () => true, zone)
}

/** Adds filters to a query of deliveries. */
export function addFilters(query: Knex.QueryBuilder, where: readonly Criterion[]): void {
  for (const criterion of where) addFilter(query, criterion)
}

function addFilter(query: Knex.QueryBuilder, criterion: Criterion): void {
  if ('all' in criterion) addFilters(query, criterion.all)
  if (!('op' in criterion)) return
  const { op, path, values } = criterion
  const [name = ''] = path
  const given = (Array.isArray(values) ? values : []) as readonly Scalar[]
  const known = given.flatMap((value): readonly (string | number)[] => {
    if (value === null) return []
    return name === 'state' ? statesOf(String(value)) : [typeof value === 'number' ? value : String(value)]
  })
  if (name === 'created_at') addTimeFilter(query, op, given)
  else if (op === 'in') {
    query.where((any) => {
      any.whereIn(name, known)
      if (given.includes(null)) any.orWhereNull(name)
    })
  } else if (op === 'not in') {
    query.where((none) => {
      if (given.includes(null)) none.whereNotNull(name).whereNotIn(name, known)
      else none.whereNotIn(name, known).orWhereNull(name)
    })
  } else query.where(name, op, known[0] ?? null)
}

/** Lists show whole seconds: a filter with a second has all that is shown with it. */
function addTimeFilter(query: Knex.QueryBuilder, op: string, values: readonly Scalar[]): void {
  const spans = values.flatMap((value) => {
    const from = value === null ? Number.NaN : Date.parse(String(value))
    return Number.isNaN(from) ? [] : [[timestampOf(new Date(from)), timestampOf(new Date(from + SECOND))] as const]
  })
  const [first] = spans
  const within = (any: Knex.QueryBuilder) => {
    for (const [from, to] of spans) any.orWhere((one) => one.where('created_at', '>=', from).where('created_at', '<', to))
    if (spans.length === 0) any.whereRaw('1 = 0')
  }
  if (op === 'in') query.where(within)
  else if (op === 'not in') query.whereNot(within)
  else if (!first) query.whereRaw('1 = 0')
  else if (op === '>=' || op === '<') query.where('created_at', op, first[0])
  else query.where('created_at', op === '>' ? '>=' : '<', first[1])
}

function statesOf(shown: string): readonly string[] {
  return shown === STATES.waiting ? [STATES.waiting, STATES.testing] : [shown]
}
