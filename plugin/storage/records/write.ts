/** Writes rows of record tables: single rows through their models, many rows in one statement. */
import type { Knex } from 'knex'
import { chunksOf } from '../../core/chunks.js'
import type { RecordType } from '../../schema/catalog.js'
import type { Row } from '../../schema/language/define-rule.js'
import type { Storage } from '../database/connections.js'
import type { Models } from './models.js'
import { encodeRow } from './record-columns.js'

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

/** Creates a writer for the tables of the models. It applies no rules: callers have checked the rows. */
export function createWriter(storage: Storage, models: Models): Writer {
  const writer: Writer = {
    async insert(db, type, rows) {
      const ids: number[] = []
      for (const part of chunksOf(rows)) ids.push(...(await insertPart(storage, models, db, type, part)))
      return ids
    },
    async update(db, type, rows, columns) {
      const [first] = rows
      if (!first || columns.length === 0) return
      if (rows.length === 1) {
        const values = encodeRow(type, pick(first, columns))
        await models.of(type).query(db).findById(Number(first['id'])).patch(values)
        return
      }
      for (const part of chunksOf(rows)) {
        // The rows exist, so this only updates; one statement instead of one per row.
        const values = part.map((row) => encodeRow(type, row))
        await db(storage.table(type.table))
          .insert(values)
          .onConflict('id')
          .merge([...columns])
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
      for (const part of chunksOf(ids))
        await models
          .of(type)
          .query(db)
          .whereIn('id', [...part])
          .delete()
    },
  }
  return writer
}

async function insertPart(
  storage: Storage,
  models: Models,
  db: Knex,
  type: RecordType,
  rows: readonly Row[],
): Promise<number[]> {
  const [only] = rows
  if (only && rows.length === 1) {
    const model = (await models.of(type).query(db).insert(encodeRow(type, only))) as unknown as { id: number | string }
    return [Number(model.id)]
  }
  const [key] = await db(storage.table(type.table)).insert(rows.map((row) => encodeRow(type, row)))
  const id = Number(key)
  // One statement gets consecutive ids. MySQL reports the first of them, SQLite the last.
  if (storage.dialect === 'sqlite') return rows.map((_, index) => id - rows.length + 1 + index)
  const step = await incrementOf(db)
  return rows.map((_, index) => id + index * step)
}

/** Replicated servers may use only every second or third id. */
async function incrementOf(db: Knex): Promise<number> {
  const [rows] = (await db.raw('SELECT @@auto_increment_increment AS step')) as [readonly { step: unknown }[], unknown]
  return Number(rows[0]?.step ?? 1)
}

function pick(row: Row, columns: readonly string[]): Row {
  return Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))
}
