/** Everything that is stored, as rows, for computations of what should be stored. */
import type { Row } from '../../plugin/schema/language/define-rule.js'
import { countStatements } from './count-statements.js'
import { expectedTimes, type Stored } from './expected-times.js'
import type { House } from './house.js'

/** One line of the trail of a record. */
export interface TrailLine {
  readonly at: string
  readonly cause: string | null
  readonly changes: { readonly [column: string]: readonly [unknown, unknown] }
}

export interface StoredWorld extends Stored {
  readonly now: string
  readonly account: { readonly locale: string; readonly organization: number | null }
  /** The world before the last step; null at first. */
  readonly before: StoredWorld | null
  /** Times of open tasks, of what they belong to, and of agreements, by `type id column`. */
  readonly times: { readonly [key: string]: unknown }
  of(type: string): readonly Row[]
  get(type: string, id: unknown): Row | undefined
  /** Records of the type that refer to the id by the column. */
  by(type: string, column: string, id: unknown): readonly Row[]
  /** Sub-records of a record. */
  parts(part: string, owner: string, id: unknown): readonly Row[]
  /** Ids at the other end of the pairs of a table. */
  linked(table: string, column: string, id: unknown): readonly number[]
  trail(type: string, id: unknown): readonly TrailLine[]
}

/** Tables of pairs that values follow from, with their columns. */
const PAIRS: Readonly<Record<string, readonly [string, string]>> = {
  calendar_holidays: ['calendar_id', 'holiday_id'],
  task_predecessors: ['task_id', 'predecessor_id'],
  project_task_predecessors: ['task_id', 'predecessor_id'],
  request_cis: ['request_id', 'ci_id'],
  request_knowledge_articles: ['request_id', 'knowledge_article_id'],
  sla_customer_representatives: ['sla_id', 'person_id'],
  sla_people: ['sla_id', 'person_id'],
  team_members: ['team_id', 'person_id'],
}

/**
 * Reads the world again and again: the tables that a statement has named since, and no others. Lines of the trail never change
 * once they are committed. `again` reads what has become of the same step.
 */
export function worldReader(house: House, types: readonly string[]) {
  const trails = new Map<string, TrailLine[]>()
  let last = 0
  let before: StoredWorld | null = null
  const readTrails = async () => {
    const { knex } = house.storage
    for (const line of await knex(house.storage.table('audit_lines')).where('id', '>', last).orderBy('id')) {
      const key = `${line['owner_type']} ${line['owner_id']}`
      const changes: unknown = line['changes']
      const read = typeof changes === 'string' ? JSON.parse(changes) : changes
      const at = timeOf(line['created_at']) ?? ''
      trails.set(key, [...(trails.get(key) ?? []), { at, cause: line['cause'], changes: read }])
      last = Number(line['id'])
    }
  }
  const written = new Set<string>()
  countStatements(house.storage.knex).onWrite((sql) => {
    for (const [table] of sql.matchAll(/\bitsm_\w+/g)) written.add(table)
  })
  const known = new Map<string, readonly Row[]>()
  const rowsOf = async (name: string, query: () => PromiseLike<readonly Row[]>): Promise<readonly Row[]> => {
    const table = house.storage.table(name)
    const rows = written.delete(table) ? undefined : known.get(table)
    if (rows) return rows
    const found = await query()
    known.set(table, found)
    return found
  }
  let current: StoredWorld | null = null
  return async ({ again = false } = {}): Promise<StoredWorld> => {
    if (!again) before = current && { ...current, before: null }
    const readRows = async (name: string) => {
      const type = house.catalog.type(name)
      return [name, await rowsOf(type.table, () => house.queries.rows({}, { type, where: { all: [] } }))] as const
    }
    const rows: Readonly<Record<string, readonly Row[]>> = Object.fromEntries(await Promise.all(types.map(readRows)))
    const readPairs = async (table: string) =>
      [table, await rowsOf(table, () => house.storage.knex(house.storage.table(table)))] as const
    const pairs = new Map(await Promise.all(Object.keys(PAIRS).map(readPairs)))
    await readTrails()
    const [account] = (await house.table('accounts')).filter(({ id }) => id === 'acme')
    const linked = (table: string, column: string, id: unknown) => {
      const [from = '', to = ''] = PAIRS[table] ?? []
      const other = column === from ? to : from
      const found = (pairs.get(table) ?? []).filter((pair) => Number(pair[column]) === Number(id))
      return found.map((pair) => Number(pair[other])).sort((a, b) => a - b)
    }
    const mapOf = (table: string) => {
      const [from = ''] = PAIRS[table] ?? []
      const ids = new Set((pairs.get(table) ?? []).map((pair) => Number(pair[from])))
      return new Map([...ids].map((id) => [id, linked(table, from, id)]))
    }
    const stored: Stored = {
      ...{ zone: String(account?.['time_zone']), rows, holidaysOf: mapOf('calendar_holidays') },
      predecessorsOf: { task: mapOf('task_predecessors'), project_task: mapOf('project_task_predecessors') },
    }
    const of = (type: string) => rows[type] ?? []
    const byType = new Map(types.map((type) => [type, new Map(of(type).map((row) => [Number(row['id']), row]))]))
    const organization = account?.['organization_id'] ?? null
    const world: StoredWorld = {
      ...stored,
      now: `${house.clock.now().toISOString().slice(0, 19)}Z`,
      account: {
        locale: String(account?.['locale']),
        organization: organization === null ? null : Number(organization),
      },
      before,
      times: expectedTimes(stored),
      of,
      get: (type, id) => byType.get(type)?.get(Number(id)),
      by: (type, column, id) => of(type).filter((row) => row[column] === id),
      parts: (part, owner, id) => of(part).filter((row) => row['owner_type'] === owner && row['owner_id'] === id),
      linked,
      trail: (type, id) => trails.get(`${type} ${id}`) ?? [],
    }
    current = world
    return world
  }
}

/** A stored time as rows have it: drivers return dates or texts. */
function timeOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return `${value.toISOString().slice(0, 19)}Z`
  const text = String(value).replace(' ', 'T').slice(0, 19)
  return `${text}Z`
}

/** The value that a row should have. */
export type Compute = (row: Row, world: StoredWorld) => unknown

/** Time at which the status took one of the values last; null if the record was never in them. */
export function entered(world: StoredWorld, type: string, id: unknown, values: readonly unknown[]): string | null {
  const moves = world.trail(type, id).filter(({ changes }) => 'status' in changes)
  const last = moves.filter(({ changes }) => {
    const [from, to] = changes['status'] ?? []
    return values.includes(to) && !values.includes(from)
  })
  return last.at(-1)?.at ?? null
}

/** The organization and those above it, nearest first. */
export function organizationsAbove(world: StoredWorld, id: unknown): readonly Row[] {
  const row = world.get('organization', id)
  return row ? [row, ...organizationsAbove(world, row['parent_id'])] : []
}
