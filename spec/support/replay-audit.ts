/** Replays the audit trail: what its lines say, one after the other, must lead to the records as they are. ADR 0037. */
import type { Knex } from 'knex'
import type { Catalog, RecordType } from '../../plugin/schema/catalog.js'
import type { Json } from '../../plugin/schema/kinds/fields.js'
import type { Row } from '../../plugin/schema/language/define-rule.js'
import type { Link } from '../../plugin/schema/language/relations.js'
import type { Storage } from '../../plugin/storage/database/connections.js'
import { createQueries, type Queries } from '../../plugin/storage/records/query.js'
import { countStatements } from './count-statements.js'

/** Columns that change without a line, with the reason. `*` stands for every type. */
export const WITHOUT_LINES: Readonly<Record<string, string>> = {
  '*.id': 'it is the record that the line belongs to',
  '*.created_at': 'it is the time of the first line',
  '*.updated_at': 'it alone is no change',
  '*.times_applied': 'it counts the records that name this one, and their lines say so',
  '*.renew_at': 'it is the mark of a timer; what the timer changes has lines',
  'webhook.last_error': 'it says how the last delivery went, and not how the webhook is set',
  'webhook.secret': 'lines never have secrets',
  'webhook.previous_secret': 'lines never have secrets',
}

type Changes = { readonly [name: string]: readonly [before: Json, after: Json] }

interface Line {
  readonly id: number
  readonly type: string
  readonly owner: number
  readonly action: string
  readonly changes: Changes
}

/** Everything that the trail does not explain: each a sentence. `written`: tables that have changed; default: any. */
export type Unexplained = (written?: ReadonlySet<string>) => Promise<readonly string[]>

/** Creates the function, which compiles its statements once. */
export function createReplay(storage: Storage, catalog: Catalog): Unexplained {
  const queries = createQueries(storage, catalog)
  const all = [...catalog.types.values()].filter((type) => type.audit)
  return async (written) => {
    const isWritten = (table: string) => !written || written.has(storage.table(table))
    const lines = await readLines(storage)
    const found: string[] = []
    for (const type of all) {
      const parts = partsWithLines(type).map((name) => catalog.type(name).table)
      if (![type.table, ...parts, ...[...type.links.values()].map(({ table }) => table)].some(isWritten)) continue
      found.push(...(await unexplainedRows(queries, type, lines)))
      found.push(...(await unexplainedParts(queries, catalog, type, lines)))
    }
    return [...found, ...(await unexplainedLinks(storage, all, lines, isWritten))]
  }
}

async function readLines(storage: Storage): Promise<readonly Line[]> {
  const rows = (await storage.knex(storage.table('audit_lines')).orderBy('id')) as readonly Record<string, unknown>[]
  return rows.map((row) => ({
    ...{
      id: Number(row['id']),
      type: String(row['owner_type']),
      owner: Number(row['owner_id']),
      action: String(row['action']),
    },
    changes: JSON.parse(String(row['changes'] ?? '{}')) as Changes,
  }))
}

async function unexplainedRows(queries: Queries, type: RecordType, lines: readonly Line[]): Promise<readonly string[]> {
  const rows = await queries.rows({}, { type, where: { all: [] } })
  const found = new Map<number, Row>(rows.map((row) => [Number(row['id']), row]))
  const wrong: string[] = []
  const states = new Map<number, Map<string, Json>>()
  for (const { action, changes, id, owner, type: of } of lines) {
    if (of !== type.name) continue
    const where = `${of} ${owner}, line ${id}`
    const state = states.get(owner)
    if ((action === 'create') !== (state === undefined)) wrong.push(`${where}: ${action} of what is ${state ? 'there' : 'not'}`)
    const next = state ?? new Map<string, Json>()
    for (const [column, [before, after]] of Object.entries(changes)) {
      if (!type.columns.has(column) || isExcluded(type, column)) continue
      const was = next.get(column) ?? null
      if (!same(was, before)) wrong.push(`${where}: ${column} was ${JSON.stringify(was)}, not ${JSON.stringify(before)}`)
      next.set(column, after)
    }
    if (action === 'destroy') states.delete(owner)
    else states.set(owner, next)
  }
  for (const [id, state] of states) {
    const row = found.get(id)
    if (!row) wrong.push(`${type.name} ${id}: is removed without a line`)
    for (const column of row ? type.columns.keys() : []) {
      const [told, is] = [state.get(column) ?? null, row?.[column] ?? null]
      if (isExcluded(type, column) || same(told, is)) continue
      wrong.push(`${type.name} ${id}: ${column} is ${JSON.stringify(is)}, and ${JSON.stringify(told)} in its lines`)
    }
  }
  for (const id of found.keys()) if (!states.has(id)) wrong.push(`${type.name} ${id}: is there without a line`)
  return wrong
}

/** Types of sub-records whose changes are in the lines of their record; notes have none. */
function partsWithLines(type: RecordType): readonly string[] {
  return [...type.parts.values()].filter((name) => name !== 'note' && name !== 'audit_line')
}

/** Sub-records: those before are replaced by those after. */
async function unexplainedParts(queries: Queries, catalog: Catalog, type: RecordType, lines: readonly Line[]) {
  const wrong: string[] = []
  for (const name of partsWithLines(type)) {
    const part = catalog.type(name)
    const field = [...type.fields.values()].find(({ kind, record }) => record === name && ['part', 'parts'].includes(kind))
    const isOne = field?.kind === 'part'
    const all = [...part.columns.values()].filter(({ hidden }) => !hidden).map(({ column }) => String(column))
    const columns = isOne
      ? all
      : (field?.shows ?? part.collection.below.fields).map((one) => part.fields.get(one)?.column ?? one)
    const kept = columns.filter((column) => !['id', 'created_at', 'updated_at'].includes(column))
    const textOf = (value: Json) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? JSON.stringify(kept.map((column) => (value as Row)[column] ?? null))
        : JSON.stringify(value)
    const told = new Map<number, string[]>()
    const ones = new Map<number, Json>()
    const key = field?.name ?? part.path
    for (const { action, changes, id, owner, type: of } of lines) {
      if (of !== type.name) continue
      if (action === 'destroy') told.delete(owner)
      const [before, after] = changes[key] ?? []
      if (before === undefined || after === undefined) continue
      if (isOne) ones.set(owner, after && { ...((ones.get(owner) ?? {}) as Row), ...(after as Row) })
      const list = isOne ? [] : [...(told.get(owner) ?? [])]
      for (const gone of isOne ? [] : (before as readonly Json[]).map(textOf)) {
        const at = list.indexOf(gone)
        if (at < 0) wrong.push(`${of} ${owner}, line ${id}: ${key} had no ${gone}, but ${list.join(' ')}`)
        else list.splice(at, 1)
      }
      const one = ones.get(owner)
      told.set(owner, isOne ? (one ? [textOf(one)] : []) : [...list, ...(after as readonly Json[]).map(textOf)])
    }
    const rows = await queries.rows({}, { type: part, where: { all: [] } })
    const is = new Map<number, string[]>()
    for (const row of rows.filter(({ owner_type }) => owner_type === type.name)) {
      const owner = Number(row['owner_id'])
      is.set(owner, [...(is.get(owner) ?? []), name === 'attachment' ? JSON.stringify(row['name']) : textOf(row as Json)])
    }
    for (const owner of new Set([...told.keys(), ...is.keys()])) {
      const [a, b] = [told.get(owner) ?? [], is.get(owner) ?? []].map((list) => list.toSorted().join(' '))
      if (a !== b) wrong.push(`${type.name} ${owner}: ${key} are ${b}, and ${a} in its lines`)
    }
  }
  return wrong
}

/** Links of records: one line says it, on the side from which they were linked. */
async function unexplainedLinks(
  storage: Storage,
  types: readonly RecordType[],
  lines: readonly Line[],
  isWritten: (table: string) => boolean,
) {
  const wrong: string[] = []
  const sides = types.flatMap((type) => [...type.links].map(([name, link]) => ({ type, name, link })))
  for (const table of new Set(sides.map(({ link }) => link.table))) {
    const own = sides.filter(({ link }) => link.table === table)
    const [one] = own
    if (!one || !isWritten(table)) continue
    const { from, to } = one.link
    const pairs = new Set<string>()
    const idsOf = (link: Link, id: number) =>
      [...pairs].map(read).flatMap(([a, b]) => (link.from === from ? (a === id ? [b] : []) : b === id ? [a] : []))
    const pairOf = (link: Link, id: number, other: number) => (link.from === from ? `${id} ${other}` : `${other} ${id}`)
    for (const { action, changes, id: line, owner, type } of lines) {
      for (const { link, name } of own.filter((side) => side.type.name === type)) {
        const given = changes[name]
        if (!given) continue
        const [before, after] = given.map(idsIn)
        const was = idsOf(link, owner)
        if (!same(sorted(was), sorted(before ?? [])))
          wrong.push(`${type} ${owner}, line ${line}: ${name} was ${sorted(was)}, not ${sorted(before ?? [])}`)
        for (const other of was) pairs.delete(pairOf(link, owner, other))
        for (const other of after ?? []) pairs.add(pairOf(link, owner, other))
      }
      if (action !== 'destroy') continue
      for (const { link, type: of } of own) {
        if (of.name === type) for (const other of idsOf(link, owner)) pairs.delete(pairOf(link, owner, other))
        if (link.record === type) {
          const back = { ...link, from: link.to, to: link.from }
          for (const other of idsOf(back, owner)) pairs.delete(pairOf(back, owner, other))
        }
      }
    }
    const stored = (await storage.knex(storage.table(table)).select(from, to)) as readonly Record<string, unknown>[]
    const is = stored.map((row) => `${row[from]} ${row[to]}`)
    const [more, less] = [is.filter((pair) => !pairs.has(pair)), [...pairs].filter((pair) => !is.includes(pair))]
    if (more.length + less.length > 0) wrong.push(`${table}: ${more} without a line; ${less} only in lines`)
  }
  return wrong
}

function read(pair: string): readonly [number, number] {
  const [a, b] = pair.split(' ')
  return [Number(a), Number(b)]
}

function idsIn(value: Json): readonly number[] {
  return Array.isArray(value) ? value.map(Number) : []
}

function sorted(ids: readonly number[]): readonly number[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}

/** Marks are no values of a record, and the others have reasons of their own. */
function isExcluded(type: RecordType, column: string): boolean {
  if (type.columns.get(column)?.mark) return true
  return `*.${column}` in WITHOUT_LINES || `${type.name}.${column}` in WITHOUT_LINES
}

function same(a: Json | readonly number[], b: Json | readonly number[]): boolean {
  return JSON.stringify(ordered(a)) === JSON.stringify(ordered(b))
}

/** Databases keep JSON as text; the order of its names does not count. */
function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Tables that were written. */
export interface Writes {
  take(): ReadonlySet<string>
}

/** Collects the tables that are written, also by plugins to which the knex is lent, until they are taken. */
export function watchWrites(knex: Knex): Writes {
  let tables = new Set<string>()
  countStatements(knex).onWrite((sql) => {
    const [, table] = /^\s*(?:insert (?:ignore )?into|update|delete from|replace into) [`"]?(\w+)/i.exec(sql) ?? []
    if (table) tables.add(table)
  })
  return {
    take() {
      const taken = tables
      tables = new Set()
      return taken
    },
  }
}
