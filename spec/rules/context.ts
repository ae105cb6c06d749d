/** A rule's surroundings, without a database: what it loads, finds and saves is given, what it does is kept. */
import { type Account, type Actor, AS_CALLER, type Call, type CallFacts, type Role } from '../../plugin/core/call.js'
import type { Params } from '../../plugin/core/errors.js'
import { createReachable, type Reachable } from '../../plugin/core/public-address.js'
import { zoneOf } from '../../plugin/core/time/time-zones.js'
import type { HolidayTime, WeekHours } from '../../plugin/core/time/week.js'
import { AROUND_THE_CLOCK, createCompileCalendar } from '../../plugin/core/time/working-time.js'
import type { Json } from '../../plugin/schema/kinds/fields.js'
import type { Compared } from '../../plugin/schema/language/conditions.js'
import type { DraftRow, OtherRecords, Row, Rule, RuleContext, RuleItem } from '../../plugin/schema/language/define-rule.js'
import { createWords } from '../../plugin/words/words.js'

const compileCalendar = createCompileCalendar()
const words = createWords()

export interface Surroundings {
  readonly before?: Row | null
  readonly next?: DraftRow
  readonly type?: string
  /** What was sent for fields that are not stored. */
  readonly input?: { readonly [field: string]: Json }
  readonly actor?: number | null
  /** The time zone of the actor, and of the call; without it the actor has none, and the call is in UTC. */
  readonly timeZone?: string
  /** Roles of the actor. */
  readonly callRoles?: readonly Role[]
  readonly origin?: Call['origin']
  /** What the call may do, and why. Default: those of a caller. */
  readonly facts?: CallFacts
  readonly account?: Partial<Account>
  /** Default: public addresses only. */
  readonly mayReach?: Reachable
  /** Stored rows by type. */
  readonly stored?: { readonly [type: string]: readonly Row[] }
  /** Links as `type id link otherId`. */
  readonly links?: readonly string[]
  /** Who has which role, as `personId role`. */
  readonly roles?: readonly string[]
  /** Columns of fields and what they refer to, when they are references: `team: 'team'`. */
  readonly refs?: { readonly [field: string]: string }
  /** What the caller sent; default: all that the new row has. */
  readonly given?: readonly string[]
  /** Values of enumerations, by field. */
  readonly values?: { readonly [field: string]: readonly string[] }
  /** Mistakes in filters, by type; and in queries, by type and query. */
  readonly mistakes?: { readonly [type: string]: string }
}

export interface Outcome {
  readonly next: DraftRow
  readonly fails: readonly (readonly [field: string, code: string, params?: Params])[]
  readonly saves: readonly (readonly [type: string, id: number | null, body: object, owner?: object])[]
  /** With which other saves these are linked, by their places. */
  readonly linkedWith: readonly (RuleItem['linkedWith'] | null)[]
  readonly removed: readonly (readonly [type: string, id: number])[]
  readonly due: readonly (readonly [type: string, field: string, condition: object])[]
  readonly counts: readonly (readonly [type: string, id: number, field: string, step: number])[]
  readonly mails: readonly (readonly [person: number, name: string, params: object])[]
}

export const NOW = '2026-11-21T09:30:00Z'

/** What is done with a record: what rules fill and check before it is written, what they do afterwards, both, or its removal. */
export type Step = 'before' | 'written' | 'all' | 'remove' | 'removeAll' | 'removed'

/** Runs a rule for one record. */
export async function run(rule: Rule, about: Surroundings, step: Step = 'before'): Promise<Outcome> {
  const { before = null, stored = {}, links = [], roles = [], refs = {} } = about
  const next: DraftRow = { ...before, ...about.next }
  const fails: (readonly [string, string, Params?])[] = []
  const saves: (readonly [string, number | null, object, object?])[] = []
  const linkedWith: (RuleItem['linkedWith'] | null)[] = []
  const removed: (readonly [string, number])[] = []
  const counts: (readonly [string, number, string, number])[] = []
  const due: (readonly [string, string, object])[] = []
  const mails: (readonly [number, string, object])[] = []
  const find = (type: string, condition: object) =>
    findIn(stored[type] ?? [], links, type, condition as Record<string, unknown>)
  const context: RuleContext = {
    call: callOf(about),
    type: about.type ?? 'thing',
    before,
    next,
    given: new Set(about.given ?? Object.keys(about.next ?? {})),
    input: (field) => about.input?.[field] ?? null,
    changed: (column) => JSON.stringify(before?.[column] ?? null) !== JSON.stringify(next[column] ?? null),
    fieldOf: (field) => ({
      column: refs[field] ? `${field}_id` : field,
      record: refs[field] ?? '',
      enumeration: `${about.type ?? 'thing'}.${field}`,
      values: about.values?.[field] ?? [],
    }),
    load: async (type, id) => stored[type]?.find((row) => row['id'] === id) ?? null,
    linked: async (type, id, link, other) => links.includes(`${type} ${id} ${link} ${other}`),
    linkedIds: async (type, id, link) =>
      links.flatMap((text) => (text.startsWith(`${type} ${id} ${link} `) ? [Number(text.split(' ').at(-1))] : [])),
    hasRole: async (person, role) => roles.includes(`${person} ${role}`),
    find: async (type, condition) => find(type, condition),
    findBy: async (type, field, value, and) => (value ? find(type, { [field]: value, ...and }) : []),
    accountZone: async () => callOf(about).account.timeZone,
    async calendarOf(id) {
      if (!id) return AROUND_THE_CLOCK
      const hours = find('calendar_hour', { owner_type: 'calendar', owner_id: id }) as unknown as readonly WeekHours[]
      const holidays = find('holiday', { calendars: id }) as unknown as readonly HolidayTime[]
      return compileCalendar({ hours, holidays })
    },
    valuesOf: async (type, field, by, id, and) => [
      ...new Set(find(type, { [by]: id, ...and }).map((row) => row[field] ?? null)),
    ],
    isReferred: async (type, field, id) => find(type, { [field]: id }).length > 0,
    // None of our rules has tables of its own.
    get db(): never {
      throw new Error('There is no database')
    },
    mistakeInFilter: (type) => about.mistakes?.[type] ?? null,
    mistakeInQuery: async (type, query) => about.mistakes?.[query === '' ? type : `${type}?${query}`] ?? null,
    mayReach: about.mayReach ?? createReachable(),
    warnAtPercent: 75,
    sentence: (code, params) => words.sentence(callOf(about).account.locale, code, '', params),
    fail: (field, code, params) => void fails.push(params ? [field, code, params] : [field, code]),
  }
  const save = (type: string, { id, body, owner, linkedWith: places }: RuleItem): Row => {
    linkedWith.push(places ?? null)
    saves.push(owner ? [type, id, body, owner] : [type, id, body])
    return { id: id ?? 999, ...body }
  }
  const others: OtherRecords = {
    save: async (type, id, body, owner) => save(type, { id, body, ...(owner && { owner }) }),
    saveAll: async (type, items) => items.map((item) => save(type, item)),
    attempt: async (type, item) => ({ row: save(type, item) }),
    remove: async (type, id) => void removed.push([type, id]),
    removeEach: async (type, ids) => void removed.push(...ids.map((id) => [type, id] as const)),
    mail: (person, name, params) => void (person && mails.push([Number(person), name, params])),
    emit: (event) => {
      throw new Error(`No rule of ours causes ${event}`)
    },
    makeDue: async (type, field, condition) => void due.push([type, field, condition]),
    addTo: (type, id, field, step) => void (id && counts.push([type, Number(id), field, step])),
  }
  const behavior = rule.does()
  const both = Object.assign(Object.create(context), others)
  if (step === 'remove' || step === 'removeAll' || step === 'removed') await behavior[step]?.(both)
  if (step === 'before' || step === 'all') {
    await behavior.fillAll?.([context])
    await behavior.fill?.(context)
    await behavior.checkAll?.([context])
    await behavior.check?.(context)
  }
  if (step === 'written' || step === 'all') {
    await behavior.fillWithIdAll?.([context], others)
    await behavior.fillWithId?.(context)
    await behavior.writtenAll?.([context], others)
    await behavior.written?.(both)
  }
  return { next, fails, saves, linkedWith, removed, due, counts, mails }
}

function callOf({ actor = 1, origin = 'api', account, facts = AS_CALLER, timeZone, callRoles = [] }: Surroundings): Call {
  const home: Account = {
    id: 'acme',
    name: 'Acme',
    locale: 'nl',
    timeZone: 'Amsterdam',
    organizationId: 70,
    directoryAccountId: null,
    ...account,
  }
  const person: Actor = {
    id: actor ?? 0,
    name: 'A',
    email: 'a@x',
    accountId: 'acme',
    locale: null,
    timeZone: timeZone ?? null,
    organizationId: null,
  }
  return {
    actor: actor === null ? null : person,
    roles: new Set(callRoles),
    account: home,
    ...facts,
    trusted: [],
    language: 'en-US',
    zone: zoneOf(timeZone ?? 'UTC') ?? 'UTC',
    origin,
    source: 'spec',
    now: NOW,
    requestId: 'r',
  }
}

/** True when the value stands to the other one as the condition says; texts compare as texts. */
function compares(value: Json | undefined, { compare, to }: Compared): boolean {
  const [left, right] = typeof value === 'string' ? [value, String(to)] : [Number(value), Number(to)]
  return compare === '<' ? left < right : left > right
}

function findIn(
  rows: readonly Row[],
  links: readonly string[],
  type: string,
  condition: Record<string, unknown>,
): readonly Row[] {
  const holds = (row: Row) =>
    Object.entries(condition).every(([name, test]) => {
      const links_ = links.includes(`${type} ${row['id']} ${name} ${test}`)
      const value = row[name] ?? row[`${name}_id`]
      if (typeof test === 'object' && test !== null && 'compare' in test) return compares(value, test as unknown as Compared)
      return links_ || (Array.isArray(test) ? test.includes(value) : value === test)
    })
  return rows.filter(holds)
}
