/** Reads the query parameters of counts: what to count by, the days, and the filters of lists (behaviour: Counts). */
import { BadRequest } from '../../core/errors.js'
import { shown } from '../../core/text/shown.js'
import { formatInstant, parseInstant, validDate } from '../../core/time/zoned-time.js'
import type { RecordField, RecordType } from '../catalog.js'
import { kindOf } from '../kinds/kinds.js'
import type { Criterion } from '../language/conditions.js'
import { fieldNamed, readFilters } from './filters.js'

/** Maximum number of fields of one count. */
const MAX_FIELDS = 2
/** Maximum number of groups of one count, and of its days. */
export const MAX_GROUPS = 200
/** Parameters of counts that are no filters. */
const OWN: ReadonlySet<string> = new Set(['by', 'from', 'to'])
const DAY_ENDING = ':day'
const DAY = 86_400_000

type Parameters = readonly (readonly [name: string, value: string])[]

/** What a caller wants to have counted. */
export interface CountParameters {
  /** One or two fields; at most one of them is a timestamp, which is counted by its days. */
  readonly by: readonly RecordField[]
  /** The first time, and the first one after the last, of the days; null without any. */
  readonly days: { readonly field: RecordField; readonly from: string; readonly until: string } | null
  readonly where: readonly Criterion[]
  /** Value of `state`, a predefined filter. */
  readonly list: string | null
}

/** Time zone and present time of the caller. */
interface Present {
  readonly zone: string
  readonly now: string
}

/**
 * @param mayRead true if the caller may read a field everywhere; by others it may neither count nor filter
 * @throws BadRequest with a message that names the parameter
 */
export function readCountParameters(
  type: RecordType,
  parameters: Parameters,
  mayRead: (field: RecordField) => boolean,
  present: Present,
): CountParameters {
  const last = (name: string) => parameters.findLast(([given]) => given === name)?.[1]
  const by = readFields(type, last('by') ?? '', mayRead)
  const field = by.find(isCountedByDay)
  const filters = parameters.filter(([name]) => !OWN.has(name))
  return {
    by,
    days: readDays(field, last('from'), last('to'), present),
    where: readFilters(type, filters, mayRead, present.zone),
    list: last('state') ?? null,
  }
}

/** True for a timestamp. */
export function isCountedByDay(field: RecordField): boolean {
  return kindOf(field).counted === 'days'
}

function readFields(type: RecordType, text: string, mayRead: (field: RecordField) => boolean): readonly RecordField[] {
  const given = text.split(',', MAX_FIELDS + 1).map((name) => name.trim())
  if (given.length > MAX_FIELDS) throw new BadRequest(`At most ${MAX_FIELDS} fields can be given`)
  if (text.trim() === '') throw new BadRequest("Parameter 'by' is required")
  if (given.includes('')) throw invalid('by', text)
  const fields = given.map((one) => readField(type, one, mayRead))
  const days = fields.filter(isCountedByDay)
  if (new Set(fields).size < fields.length || days.length > 1) throw invalid('by', text)
  return fields
}

function readField(type: RecordType, given: string, mayRead: (field: RecordField) => boolean): RecordField {
  const isByDay = given.endsWith(DAY_ENDING)
  const name = isByDay ? given.slice(0, -DAY_ENDING.length) : given
  const field = fieldNamed(type, name)
  if (!field) throw new BadRequest(`Unknown fields: ${name.slice(0, 100)}`)
  if (!type.collection.countable.has(field.name) || !mayRead(field))
    throw new BadRequest(`Counting not allowed on fields: ${name}`)
  if (isCountedByDay(field) !== isByDay) throw invalid('by', given)
  return field
}

function readDays(
  field: RecordField | undefined,
  from: string | undefined,
  to: string | undefined,
  { now, zone }: Present,
): CountParameters['days'] {
  const [stray] = Object.entries({ from, to }).filter(([, value]) => value !== undefined)
  if (!field && stray) throw new BadRequest(`Parameter '${stray[0]}' needs a field that is counted by day`)
  if (!field) return null
  if (from === undefined) throw new BadRequest("Parameter 'from' is required")
  const first = readDay('from', from)
  const last = to === undefined ? Date.parse(formatInstant(now, zone).slice(0, 10)) : readDay('to', to)
  if (last < first) throw new BadRequest("Parameter 'to' cannot be before parameter 'from'")
  if (last - first >= MAX_GROUPS * DAY) throw new BadRequest(`At most ${MAX_GROUPS} days can be counted`)
  const [start, end] = [first, last + DAY].map((day) => parseInstant(new Date(day).toISOString().slice(0, 10), zone))
  if (!start || !end) throw invalid(start ? 'to' : 'from', start ? (to ?? '') : from)
  return { field, from: start, until: end }
}

/** Midnight of the day, as if its clocks showed UTC. */
function readDay(name: string, text: string): number {
  const day = validDate(text.trim())
  if (day === null) throw invalid(name, text)
  return Date.parse(day)
}

function invalid(name: string, text: string): BadRequest {
  return new BadRequest(`Invalid value ${shown(text)} for parameter '${name}'`)
}
