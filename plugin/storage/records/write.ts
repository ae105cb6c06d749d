/** Writes rows of record tables: a single row by a statement that servers may keep, many rows by one statement. */
import type { Knex } from 'knex'
import { chunksOf } from '../../core/chunks.js'
import type { RecordType } from '../../schema/catalog.js'
import type { Row } from '../../schema/language/define-rule.js'
import type { Storage } from '../database/connections.js'
import { insertLists, type Lists } from '../database/insert-lists.js'
import { createRowForms } from './row-form.js'
import { type Cells, createRowTexts } from './row-texts.js'
import { createWriteRunner } from './run-as-arrays.js'

export interface Writer {
  /** Stores new rows and returns their ids, in order. */
  insert(db: Knex, type: RecordType, rows: readonly Row[]): Promise<readonly number[]>
  /** Stores the columns of existing rows. */
  update(db: Knex, type: RecordType, rows: readonly Row[], columns: readonly string[]): Promise<void>
  /** Adds to a number column of these rows; never below 0. */
  add(db: Knex, type: RecordType, ids: readonly number[], column: string, step: number): Promise<void>
  /** Deletes rows by id. */
  remove(db: Knex, type: RecordType, ids: readonly number[]): Promise<void>
}

/** Creates a writer. It applies no rules: callers have checked the rows. */
export function createWriter(storage: Storage): Writer {
  const { encode, encodeAlike, withKeys } = createRowForms()
  const encoded = (type: RecordType, rows: readonly Row[]) => rows.map((row) => encode(type, row))
  /** Rows as lists of values, which only drivers of servers take; null for a single row, and for rows of different columns. */
  const alike = (type: RecordType, rows: readonly Row[]) =>
    storage.dialect === 'mysql' && rows.length > 1 ? encodeAlike(type, rows) : null
  const single = storage.dialect === 'sqlite' ? onEmbedded : onServer()
  const writer: Writer = {
    async insert(db, type, rows) {
      const ids: number[] = []
      for (const part of chunksOf(rows)) {
        const table = storage.table(type.table)
        const lists = alike(type, part)
        const inserting = lists ? insertMany(db, table, lists) : insertPart(storage, single, db, table, encoded(type, part))
        ids.push(...(await inserting))
      }
      return ids
    },
    async update(db, type, rows, columns) {
      const [first] = rows
      if (!first || columns.length === 0) return
      if (rows.length === 1) {
        const written = withKeys(type, columns)
        const values = written.length > columns.length ? pick(encode(type, first), written) : encode(type, pick(first, columns))
        return single.update(db, storage.table(type.table), values, Number(first['id']))
      }
      const written = withKeys(type, columns)
      for (const part of chunksOf(rows)) {
        // The rows exist, so this only updates; one statement instead of one per row.
        const lists = alike(type, part)
        const table = storage.table(type.table)
        if (lists) await insertLists(db, table, lists, written)
        else
          await db(table)
            .insert(encoded(type, part))
            .onConflict('id')
            .merge([...written])
      }
    },
    async add(db, type, ids, column, step) {
      const sum = db.raw('CASE WHEN COALESCE(??, 0) + ? < 0 THEN 0 ELSE COALESCE(??, 0) + ? END', [column, step, column, step])
      for (const part of chunksOf(ids)) {
        await db(storage.table(type.table))
          .whereIn('id', [...part])
          .update({ [column]: sum })
      }
    },
    async remove(db, type, ids) {
      for (const part of chunksOf(ids)) {
        await db(storage.table(type.table))
          .whereIn('id', [...part])
          .delete()
      }
    },
  }
  return writer
}

/** Writes one row; returns the id of a new one. */
interface SingleWriter {
  insert(db: Knex, table: string, cells: Cells): Promise<number>
  update(db: Knex, table: string, cells: Cells, id: number): Promise<void>
}

/** The embedded database keeps its statements itself. */
const onEmbedded: SingleWriter = {
  async insert(db, table, cells) {
    const [id] = await db(table).insert(cells)
    return Number(id)
  },
  async update(db, table, cells, id) {
    await db(table).where({ id }).update(cells)
  },
}

function onServer(): SingleWriter {
  const texts = createRowTexts()
  const run = createWriteRunner()
  return {
    insert: (db, table, cells) => run(db, texts.insert(table, cells)),
    update: async (db, table, cells, id) => void (await run(db, texts.update(table, cells, id))),
  }
}

async function insertPart(
  storage: Storage,
  single: SingleWriter,
  db: Knex,
  table: string,
  rows: readonly Cells[],
): Promise<readonly number[]> {
  const [only] = rows
  if (only && rows.length === 1) {
    const id = await single.insert(db, table, only)
    // What an undo puts back has its id already.
    return [Number(only['id'] ?? id)]
  }
  const [key] = await db(table).insert(rows)
  const id = Number(key)
  // One statement gets consecutive ids. MySQL reports the first of them, SQLite the last.
  if (storage.dialect === 'sqlite') return rows.map((_, index) => id - rows.length + 1 + index)
  return idsFrom(db, id, rows.length)
}

async function insertMany(db: Knex, table: string, lists: Lists): Promise<readonly number[]> {
  return idsFrom(db, await insertLists(db, table, lists), lists.rows.length)
}

/** The ids of rows of one statement, which are consecutive. Replicated servers may use only every second or third id. */
async function idsFrom(db: Knex, first: number, count: number): Promise<readonly number[]> {
  const step = await incrementOf(db)
  return Array.from({ length: count }, (_, index) => first + index * step)
}

async function incrementOf(db: Knex): Promise<number> {
  const [rows] = (await db.raw('SELECT @@auto_increment_increment AS step')) as [readonly { step: unknown }[], unknown]
  return Number(rows[0]?.step ?? 1)
}

function pick<T>(row: { readonly [column: string]: T }, columns: readonly string[]): { [column: string]: T | null } {
  return Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))
}
