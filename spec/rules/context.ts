/** A rule's surroundings, without a database: what it loads, finds and saves is given, what it does is kept. */
import type { Account, Actor, Call } from '../../plugin/core/call.js'
import type { RuleUse } from '../../plugin/schema/define-record.js'
import type { DraftRow, Row, Rule, RuleContext } from '../../plugin/schema/define-rule.js'
import type { Json } from '../../plugin/schema/fields.js'

export interface Surroundings {
  readonly before?: Row | null
  readonly next?: DraftRow
  readonly type?: string
  readonly actor?: number | null
  readonly origin?: Call['origin']
  readonly account?: Partial<Account>
  /** Stored rows by type. */
  readonly stored?: { readonly [type: string]: readonly Row[] }
  /** Links as `type id link otherId`. */
  readonly links?: readonly string[]
  /** Columns of fields and what they refer to, when they are references: `team: 'team'`. */
  readonly refs?: { readonly [field: string]: string }
}

export interface Outcome {
  readonly next: DraftRow
  readonly fails: readonly (readonly [field: string, code: string])[]
  readonly saves: readonly (readonly [type: string, id: number | null, body: object])[]
}

export const NOW = '2026-11-21T09:30:00Z'

/** Runs one phase of a rule. */
export async function run(
  rule: Rule,
  use: RuleUse,
  about: Surroundings,
  phase: 'before' | 'after' | 'remove' = 'before',
): Promise<Outcome> {
  const { before = null, stored = {}, links = [], refs = {} } = about
  const next: DraftRow = { ...before, ...about.next }
  const fails: (readonly [string, string])[] = []
  const saves: (readonly [string, number | null, object])[] = []
  const context: RuleContext = {
    call: callOf(about),
    type: about.type ?? 'thing',
    before,
    next,
    given: new Set(Object.keys(about.next ?? {})),
    changed: (column) => JSON.stringify(before?.[column] ?? null) !== JSON.stringify(next[column] ?? null),
    fieldOf: (field) => (refs[field] ? { column: `${field}_id`, record: refs[field] } : { column: field, record: '' }),
    load: async (type, id) => stored[type]?.find((row) => row['id'] === id) ?? null,
    linked: async (type, id, link, other) => links.includes(`${type} ${id} ${link} ${other}`),
    find: async (type, condition) => findIn(stored[type] ?? [], links, type, condition as Record<string, unknown>),
    save: async (type, id, body) => {
      saves.push([type, id, body])
      return { id: id ?? 999, ...body }
    },
    fail: (field, code) => void fails.push([field, code]),
  }
  await rule[phase]?.(context, use)
  return { next, fails, saves }
}

function callOf({ actor = 1, origin = 'api', account }: Surroundings): Call {
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
    timeZone: null,
    organizationId: null,
  }
  return {
    actor: actor === null ? null : person,
    roles: new Set(),
    account: home,
    trusted: [],
    language: 'en-US',
    zone: 'UTC',
    origin,
    source: 'spec',
    now: NOW,
    requestId: 'r',
  }
}

/** At most two at a time, so that a rule that stops at the first handful shows. */
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
      if (typeof test === 'object' && test !== null && 'compare' in test)
        return Number(value) > Number((test as unknown as { to: Json }).to)
      return links_ || value === test
    })
  return rows.filter(holds).slice(0, 2)
}
