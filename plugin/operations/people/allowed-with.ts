/** What a caller may do with records that it sees. */
import { allows, applies, type Fields, type Teams } from '../../access/sight/decide.js'
import type { Call } from '../../core/call.js'
import { callForRecord } from '../../core/passed-calls.js'
import type { Catalog, RecordType } from '../../schema/catalog.js'
import { isOffered } from '../../schema/derive/permission-table.js'
import { settableFields, settableLinks, shownFields } from '../../schema/derive/settable-names.js'
import type { Row } from '../../schema/language/define-rule.js'
import { accessRowsOf } from '../save/access-rows.js'
import { openSteps } from '../save/check-moves.js'
import { type Guard, guardOf } from '../save/guards.js'
import { maySet, maySetLink, type Setting } from '../save/may-set.js'
import type { WriteDeps } from '../save/related/write-deps.js'
import type { SeenRecord } from './seen-records.js'

/** What the caller may do with one record. */
export type RecordAllowance =
  | { readonly id: number; readonly read: false }
  | {
      readonly id: number
      readonly read: true
      readonly update: boolean
      readonly remove: boolean
      /** Names of the fields and links that the caller may change. */
      readonly fields: readonly string[]
      /** Fields that are null for this caller, whatever their value is. */
      readonly unreadable: readonly string[]
      /** By field: the values that the caller may choose next. Fields without a table of moves are free. */
      readonly moves: { readonly [field: string]: readonly string[] }
    }

/** A record that the caller sees, and what decisions about it need. */
interface Decided extends SeenRecord {
  /** The row with the people and teams that grants name through references. */
  readonly named: Row
  readonly teams: Teams
  readonly guarded: Guard
}

const NO_FIELDS: Fields = new Set()

/** What is allowed with each record, by its id; up to three queries for all of them, and one for each type that grants lead through. */
export async function allowedWith(
  deps: WriteDeps,
  call: Call,
  type: RecordType,
  seen: readonly SeenRecord[],
): Promise<ReadonlyMap<number, RecordAllowance>> {
  const rows = seen.map(({ row }) => row)
  const accessRows = await accessRowsOf(deps, call, type, rows)
  const ids = rows.map((row) => Number(row['id']))
  const guarded = await guardOf(deps.storage, call, type, ids)
  const allowed = new Map<number, RecordAllowance>()
  for (const [index, one] of seen.entries()) {
    const teams = await deps.decisions.teams(one.call, type)
    const record: Decided = { ...one, named: accessRows[index] ?? one.row, teams, guarded }
    allowed.set(Number(one.row['id']), await allowedWithOne(deps, type, record))
  }
  return allowed
}

async function allowedWithOne(deps: WriteDeps, type: RecordType, record: Decided): Promise<RecordAllowance> {
  const { catalog, decisions } = deps
  const { call, guarded, named, row, teams } = record
  const id = Number(row['id'])
  // As in the writes themselves: the roles for a passed record count for its update, and not for its removal.
  const asked = callForRecord(call, { type: type.name, id }, row)
  const update = isOffered(catalog, type, 'update') && (await allows(decisions, asked, 'update', type, named))
  const remove = isOffered(catalog, type, 'remove') && (await allows(decisions, call, 'remove', type, named))
  const allowed = update ? await decisions.fields(asked, 'update', type, named) : NO_FIELDS
  const fields = changeable(catalog, type, { call, asked, allowed, row: named, before: row, teams, guarded })
  return {
    id,
    read: true,
    update,
    remove: remove && ![...type.fields.values()].some((field) => guarded(field, id)),
    fields,
    unreadable: unreadable(type, record),
    moves: movesOf(type, record, fields),
  }
}

/** Names of the fields and links that the caller may change in the record. */
function changeable(catalog: Catalog, type: RecordType, setting: Setting): readonly string[] {
  const fields = settableFields(type, catalog).filter((field) => field.only !== 'create' && maySet(setting, field))
  const links = settableLinks(type).filter((link) => maySetLink(setting.allowed, type, link))
  return [...new Set([...fields.map(({ name }) => name), ...links])]
}

function unreadable(type: RecordType, { call, named, teams }: Decided): readonly string[] {
  const closed = shownFields(type).filter(({ read }) => read && !read.some((who) => applies(call, who, named, teams)))
  return closed.map(({ name }) => name)
}

function movesOf(type: RecordType, { call, named, row, teams }: Decided, fields: readonly string[]) {
  const moves: Record<string, readonly string[]> = {}
  for (const [name, table] of type.moves) {
    const present = row[type.fields.get(name)?.column ?? name]
    const steps = fields.includes(name) ? openSteps(call, table.get(String(present)), named, teams) : []
    moves[name] = [...new Set(steps.map(({ to }) => to))]
  }
  return moves
}
