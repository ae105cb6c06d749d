/** A database with enough records that indexes matter, and a caller. */
import type { Knex } from 'knex'
import { createPlugin, type Plugin, type PluginOptions } from '../../plugin/index.js'

export const PREFIX = 'itsm_'
export const SECRET = 'a secret for benchmarks that is long enough to be taken'
export const PEOPLE = 10_000
export const TEAMS = 100
export const REQUESTS = 50_000

const ROWS_PER_INSERT = 1000

/** The plugin as benchmarks use it: without limits that they would reach. */
export function plugin(url: string, baseUrl: string, more: Partial<PluginOptions> = {}): Plugin {
  return createPlugin({
    baseUrl,
    secret: SECRET,
    database: { url },
    allowInsecure: true,
    rateLimit: { perHour: 1e9, burst: false },
    webhooks: { allowPrivateAddresses: true },
    sendMail: async () => {},
    log: { debug() {}, info() {}, warn: console.warn, error: console.error },
    ...more,
  })
}

/** Makes the tables, fills them, and returns the API token of an administrator. */
export async function seed(url: string, knex: Knex): Promise<string> {
  const itsm = plugin(url, 'http://127.0.0.1/v1')
  try {
    await itsm.migrate()
    await itsm.accounts.put({ id: 'acme', name: 'Acme', timeZone: 'Amsterdam' })
    const system = itsm.asSystem('benchmark', 'acme')
    const person = await system.create('person', { name: 'Ann Admin', primary_email: 'ann@acme.example' })
    await itsm.grant(Number(person['id']), 'acme', ['account_administrator'])
    const times = { account_id: 'acme', created_at: '2026-01-01 00:00:00', updated_at: '2026-01-01 00:00:00' }
    await insert(knex, 'organizations', 100, (n) => ({ id: n, name: `Organization ${n}`, disabled: false, ...times }))
    await insert(knex, 'teams', TEAMS, (n) => ({ id: n, name: `Team ${n}`, disabled: false, ...times }))
    await insert(knex, 'people', PEOPLE, (n) => ({
      id: 1000 + n,
      name: `Person ${n}`,
      primary_email: `person${n}@acme.example`,
      disabled: false,
      organization_id: 1 + (n % 100),
      ...times,
    }))
    const someone = (n: number) => 1001 + (n % PEOPLE)
    await insert(knex, 'requests', REQUESTS, (n) => ({
      id: n,
      subject: `Cannot log in to "system ${n}" – please help`,
      category: 'incident',
      impact: 'low',
      status: 'assigned',
      source: 'monitor',
      sourceID: `event-${n}`,
      created_by_id: someone(n),
      requested_by_id: someone(n * 7),
      requested_for_id: someone(n * 13),
      member_id: someone(n * 31),
      team_id: 1 + (n % TEAMS),
      organization_id: 1 + (n % 100),
      grouping: 'none',
      reviewed: false,
      addressed: false,
      urgent: false,
      new_assignment: false,
      ...times,
    }))
    for (const table of ['organizations', 'teams', 'people', 'requests']) await knex.raw('analyze table ??', [PREFIX + table])
    return await itsm.credentials.apiToken(Number(person['id']))
  } finally {
    await itsm.stop()
  }
}

async function insert(knex: Knex, table: string, count: number, row: (number: number) => object): Promise<void> {
  for (let from = 1; from <= count; from += ROWS_PER_INSERT) {
    const length = Math.min(ROWS_PER_INSERT, count - from + 1)
    await knex(PREFIX + table).insert(Array.from({ length }, (_, index) => row(from + index)))
  }
}
