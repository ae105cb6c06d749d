/** Operations as small as imports can do with, on tables of the specs, in the transaction of the call. */
import type { Knex } from 'knex'
import type { Call } from '../../plugin/core/call.js'
import type { Violation } from '../../plugin/core/errors.js'
import type { Operations, SaveItem, SaveOutcome } from '../../plugin/operations/contract.js'
import type { Json } from '../../plugin/schema/kinds/fields.js'
import type { Row } from '../../plugin/schema/language/define-rule.js'
import type { Storage } from '../../plugin/storage/database/connections.js'
import { dbOf } from '../../plugin/storage/database/transaction.js'
import { createRowForms } from '../../plugin/storage/records/row-form.js'
import { catalog } from './catalog.js'

export interface SpecOperations extends Operations {
  /** Sizes of the batches that were saved, rolled back ones too. */
  readonly batches: number[]
  /** Number of queries for references. */
  lookups: number
  /** Called before each record is saved; what it throws is an unexpected error. */
  beforeSave: (body: Row) => void
}

/** Texts that a body may leave out, and of which keys are made. */
const NO_TEXTS = { source: null, sourceID: null, name: null, primary_email: null, label: null, subject: null, reference: null }

export async function createSpecTables({ knex, prefix }: Storage): Promise<void> {
  for (const type of catalog.types.values()) {
    await knex.schema.createTable(prefix + type.table, (table) => {
      table.increments('id')
      table.string('account_id', 64).notNullable()
      for (const [column, { kind }] of type.columns) {
        if (kind === 'ref') table.integer(column)
        else if (column !== 'id') table.string(column, 255)
      }
      for (const key of type.keys.keys()) table.string(key, 32)
    })
  }
  await knex.schema.createTable(`${prefix}squad_members`, (table) => {
    table.integer('squad_id')
    table.integer('crew_id')
  })
}

export function createSpecOperations(storage: Storage): SpecOperations {
  const unused = () => Promise.reject(new Error('Imports do not need this'))
  const table = (call: Call, type: string) => dbOf(storage, call)(storage.table(catalog.type(type).table))
  const operations: SpecOperations = {
    batches: [],
    lookups: 0,
    beforeSave: () => {},
    list: unused,
    read: unused,
    find: unused,
    duration: unused,
    refer: unused,
    save: unused,
    beforeSubmit: unused,
    submit: unused,
    placesOf: unused,
    submitEach: unused,
    remove: unused,
    removeAll: unused,
    removeEach: unused,
    retractEach: unused,
    atomically: unused,
    together: unused,
    link: unused,
    unlink: unused,
    unlinkAll: unused,

    async saveAll(call, type, items) {
      operations.batches.push(items.length)
      const ids = items.flatMap((item) => (item.id === null ? [] : [item.id]))
      if (new Set(ids).size < ids.length) throw new Error('One record twice in a batch')
      const outcomes: SaveOutcome[] = []
      for (const item of items) outcomes.push(await save(call, type, item))
      return outcomes
    },

    reachable: unused,

    async findIds(call, type, field, values, accountId) {
      operations.lookups++
      const rows = await table(call, type)
        .where({ account_id: accountId ?? call.account.id })
        .whereRaw(`lower(??) in (${values.map(() => '?').join(', ')})`, [field, ...values.map((value) => value.toLowerCase())])
        .select('id', field)
      return new Map(rows.map((row) => [String(row[field]).toLowerCase(), Number(row.id)]))
    },
  }

  async function save(call: Call, type: string, { id, body, notFound = [] }: SaveItem): Promise<SaveOutcome> {
    const { member_ids: memberIds, ...given } = { ...(body as { [input: string]: Json }) }
    const members = (memberIds as readonly number[] | undefined)?.toSorted((a, b) => a - b)
    for (const [column, value] of Object.entries(given)) {
      if (catalog.type(type).columns.get(column)?.format === 'email') given[column] = String(value ?? '').toLowerCase()
    }
    operations.beforeSave(given)
    const before: Row | null = id === null ? null : await table(call, type).where({ id }).first()
    // As the pipeline does: nothing but the values is checked without the records that were named.
    const violations =
      notFound.length > 0
        ? notFound.map((name): Violation => [name, 'cannot_be_found'])
        : await violationsOf(call, type, before, { ...before, ...given }, members)
    if (violations.length > 0) return { outcome: 'refused', violations }
    const encoded = createRowForms().encode(catalog.type(type), { ...NO_TEXTS, ...before, ...given })
    const keys = Object.fromEntries([...catalog.type(type).keys.keys()].map((key) => [key, encoded[key] ?? null]))
    if (!before) {
      const [newId] = await table(call, type).insert({ ...given, ...keys, account_id: call.account.id })
      await setMembers(call, Number(newId), members)
      return { outcome: 'created', row: { ...given, id: Number(newId) }, ignored: [] }
    }
    const next = { ...before, ...given }
    const hasNewMembers = await setMembers(call, Number(id), members)
    if (Object.keys(given).every((field) => String(before[field] ?? '') === String(given[field] ?? ''))) {
      return { outcome: hasNewMembers ? 'updated' : 'unchanged', row: next, ignored: [] }
    }
    await table(call, type)
      .where({ id })
      .update({ ...given, ...keys })
    return { outcome: 'updated', row: next, ignored: [] }
  }

  /** True when that changed anything. */
  async function setMembers(call: Call, squadId: number, wanted: readonly number[] | undefined): Promise<boolean> {
    if (!wanted) return false
    const members = () => dbOf(storage, call)(storage.table('squad_members')).where({ squad_id: squadId })
    const before = await members().orderBy('crew_id').pluck('crew_id')
    if (JSON.stringify(before) === JSON.stringify(wanted)) return false
    await members().delete()
    for (const crew_id of wanted) await members().insert({ squad_id: squadId, crew_id })
    return true
  }

  async function violationsOf(
    call: Call,
    type: string,
    before: Row | null,
    next: Row,
    members?: readonly number[],
  ): Promise<readonly Violation[]> {
    const violations: Violation[] = []
    if (members && members.length > 3) violations.push(['base', 'Too many members'])
    const id = Number(before?.['id'] ?? 0)
    if (!next['name']) violations.push(['name', 'blank'])
    for (const field of type === 'crew' ? ['primary_email'] : ['name']) {
      if (!next[field]) {
        if (field !== 'name') violations.push([field, 'blank'])
        continue
      }
      const others = table(call, type)
        .where({ account_id: call.account.id, [field]: next[field] })
        .whereNot({ id })
      if (await others.first()) violations.push([field, 'taken'])
    }
    const coordinator = next['coordinator_id']
    if (coordinator && coordinator !== before?.['coordinator_id']) {
      const isOne = members ? members.includes(Number(coordinator)) : await isMember(call, id, coordinator)
      if (!isOne) violations.push(['coordinator', 'coordinator_not_member'])
    }
    return violations
  }

  async function isMember(call: Call, squadId: number, crewId: unknown): Promise<boolean> {
    const db: Knex = dbOf(storage, call)
    return Boolean(await db(storage.table('squad_members')).where({ squad_id: squadId, crew_id: crewId }).first())
  }
  return operations
}
