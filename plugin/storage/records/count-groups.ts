/** Counts records by the values of one or two columns, or by days, with one statement (ADR 75). */
import type { Call } from '../../core/call.js'
import { createZoneClock } from '../../core/time/zone-clock.js'
import type { Catalog, RecordField, RecordType } from '../../schema/catalog.js'
import { decode, encode } from '../../schema/derive/columns.js'
import { columnOf } from '../../schema/kinds/kinds.js'
import type { Criterion } from '../../schema/language/conditions.js'
import type { Json } from '../../schema/language/field.js'
import type { Storage } from '../database/connections.js'
import { dbOf } from '../database/transaction.js'
import { createAccountIndex, isOneAccount } from './account-index.js'
import { parametrize } from './parametrize.js'
import type { createArrayRunner } from './run-as-arrays.js'
import { Statement } from './statement.js'
import type { createTexts } from './statement-texts.js'

/** Records to count. */
export interface Counted {
  readonly type: RecordType
  /** Placeholders must have been resolved to values. */
  readonly where: Criterion
  /** Fields with a column of the table; `days` is one of them, or null. */
  readonly by: readonly RecordField[]
  /** The timestamp that is counted by the days of a time zone, with the first time, and the first one after the last. */
  readonly days: { readonly field: RecordField; readonly from: string; readonly until: string; readonly zone: string } | null
  /** Maximum number of groups; with one more, there are too many. */
  readonly most: number
}

/** A group of records with the same values, in the order of the fields; days are texts, `2026-11-21`. */
export interface CountedGroup {
  readonly values: readonly Json[]
  readonly count: number
}

/** Counts the records, in no order of the groups. */
export type CountGroups = (call: Pick<Call, 'transaction' | 'signal'>, counted: Counted) => Promise<readonly CountedGroup[]>

interface CountDeps {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly textOf: ReturnType<typeof createTexts>
  readonly runArrays: ReturnType<typeof createArrayRunner>
}

/** Creates the function that counts. */
export function createCountGroups({ storage, catalog, textOf, runArrays }: CountDeps): CountGroups {
  const accountIndex = createAccountIndex()

  return async (call, { type, where, by, days, most }) => {
    const range: readonly Criterion[] = days ? rangeOf(days) : []
    const parametric = parametrize({ all: [where, ...range] })
    const statementWith = (hint: string) => {
      const written = days ? dayOf(storage.dialect, days) : null
      const form = `counts${hint} ${type.name} ${by.map(({ name }) => name)} ${most} ${written?.('') ?? ''}`
      const text = textOf(form, parametric, [], () => {
        const statement = new Statement(storage, catalog, type)
        const keys = by.map((field) => {
          const column = statement.column([field.name])
          return field === days?.field && written ? written(column) : column
        })
        const condition = statement.condition(parametric.criterion)
        const names = keys.map((_, index) => `k${index}`)
        const selected = keys.map((key, index) => `${key} AS k${index}`).join(', ')
        const sql = `SELECT ${selected}, COUNT(*) AS records${statement.from(hint)} WHERE ${condition} GROUP BY ${names.join(', ')} LIMIT ${most + 1}`
        return { sql, bindings: statement.bindings }
      })
      // The server chooses by the values: accounts differ in their numbers of records.
      return runArrays(dbOf(storage, call), { ...text, isRepeated: false })
    }
    const index = indexFor(storage, where, by)
    const rows = index ? await accountIndex.run(storage.table(type.table), statementWith, index) : await statementWith('')
    return rows.map((cells) => ({
      values: by.map((field, place) => {
        const cell = cells[place]
        return field === days?.field ? (cell === null ? null : String(cell)) : decode(columnOf(field), cell)
      }),
      count: Number(cells[by.length]),
    }))
  }
}

/** The columns of the index that has all that is asked for, in the order of the groups: then no record is read. */
function indexFor({ dialect }: Storage, where: Criterion, [field, ...more]: readonly RecordField[]): readonly string[] | null {
  const isCovered = dialect === 'mysql' && more.length === 0 && isOneAccount(where)
  return isCovered && field?.column ? ['account_id', field.column] : null
}

function rangeOf({ field, from, until }: NonNullable<Counted['days']>): readonly Criterion[] {
  return [
    { path: [field.name], op: '>=', values: [from] },
    { path: [field.name], op: '<', values: [until] },
  ]
}

/**
 * Writes the day of a timestamp as the clocks of a zone show it. Servers may not know time zones, so the offsets are written into the
 * statement: one for each time without a change of the clocks, and few changes are in so many days.
 */
function dayOf(dialect: Storage['dialect'], { field, from, until, zone }: NonNullable<Counted['days']>) {
  const end = Date.parse(until) / 1000
  const spans: { readonly until: string; readonly minutes: number }[] = []
  for (const span of createZoneClock(zone).spansFrom(Date.parse(from) / 1000)) {
    const text = `${new Date(span.until * 1000).toISOString().slice(0, 19)}Z`
    spans.push({ until: String(encode(columnOf(field), text)), minutes: span.offset / 60 })
    if (span.until >= end) break
  }
  const [last = { minutes: 0 }] = spans.slice(-1)
  const at = (column: string, minutes: number) =>
    dialect === 'mysql'
      ? `CAST(DATE(${column} + INTERVAL ${minutes} MINUTE) AS CHAR)`
      : `date(${column}, '${minutes < 0 ? '' : '+'}${minutes} minutes')`
  return (column: string): string => {
    const before = spans.slice(0, -1).map((span) => `WHEN ${column} < '${span.until}' THEN ${at(column, span.minutes)}`)
    return before.length === 0 ? at(column, last.minutes) : `CASE ${before.join(' ')} ELSE ${at(column, last.minutes)} END`
  }
}
