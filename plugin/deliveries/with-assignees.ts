/** Teams and members of records, with the names that they have when the event becomes a message. */
import type { Knex } from 'knex'
import type { Catalog } from '../schema/catalog.js'
import { PERSON, TEAM } from '../schema/language/built-in-types.js'
import type { Storage } from '../storage/database/connections.js'
import type { Assignee, Occurred } from '../storage/queues/messages.js'
import type { OutboxEvent } from '../storage/queues/outbox.js'

interface PartyRow {
  readonly id: number | string
  readonly name: string | null
  readonly sourceID: string | null
  readonly disabled: boolean | number | null
  readonly account_id: string
  readonly account_name: string | null
}

/** Adds team and member to events: one query for all teams, and one for all people. */
export async function withAssignees(
  { catalog, storage }: { readonly catalog: Catalog; readonly storage: Storage },
  db: Knex,
  events: readonly OutboxEvent[],
): Promise<readonly Occurred[]> {
  const teams = await read(TEAM, new Set(events.flatMap(({ snapshot }) => snapshot.team_id ?? [])))
  const members = await read(PERSON, new Set(events.flatMap(({ snapshot }) => snapshot.member_id ?? [])))
  return events.map((event) => {
    const { member_id: member = 0, team_id: team = 0 } = event.snapshot
    return { ...event, team: teams.get(team) ?? null, member: members.get(member) ?? null }
  })

  async function read(type: string, ids: ReadonlySet<number>): Promise<ReadonlyMap<number, Assignee>> {
    const table = catalog.types.get(type)?.table
    if (ids.size === 0 || table === undefined) return new Map()
    const rows: PartyRow[] = await db({ party: storage.table(table) })
      .leftJoin({ account: storage.table('accounts') }, 'account.id', 'party.account_id')
      .whereIn('party.id', [...ids])
      .select('party.id', 'party.name', 'party.sourceID', 'party.disabled', 'party.account_id', {
        account_name: 'account.name',
      })
    return new Map(rows.map((row) => [Number(row.id), assigneeOf(row)]))
  }
}

function assigneeOf(row: PartyRow): Assignee {
  const account = { id: row.account_id, name: row.account_name ?? row.account_id }
  return { id: Number(row.id), name: row.name ?? '', sourceID: row.sourceID, disabled: Boolean(row.disabled), account }
}
