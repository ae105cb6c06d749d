/**
 * Checks values in the form of rows, which rules and hooks set: by the kind of the field, its list of values, its bounds and its
 * length. Bodies are read and checked by `validator.ts`.
 */
import type { RecordField, RecordType } from '../catalog.js'
import { columnOf } from '../kinds/kinds.js'
import type { CheckOf, Fault } from './validator.js'

/** A column of a type, and the check of its values. */
export interface StoredColumn {
  readonly column: string
  readonly field: RecordField
  /** The mistake in a value that is not null; null if there is none. */
  faultIn(value: unknown): Fault | null
}

/** Finds the stored columns of a type. */
export type StoredColumnsOf = (type: RecordType) => readonly StoredColumn[]

/** Prepares the columns of a type when its first record is saved, and the schema of a field when its first value is checked. */
export function storedColumns(checkOf: CheckOf): StoredColumnsOf {
  const known = new WeakMap<RecordType, readonly StoredColumn[]>()
  return (type) => {
    const found = known.get(type) ?? storedColumnsIn(type, checkOf)
    known.set(type, found)
    return found
  }
}

/** The id is the only column that the database sets. */
function storedColumnsIn(type: RecordType, checkOf: CheckOf): readonly StoredColumn[] {
  const columns = [...type.columns].filter(([column]) => column !== 'id')
  return columns.map(([column, field]) => storedColumn(column, field, checkOf))
}

function storedColumn(column: string, field: RecordField, checkOf: CheckOf): StoredColumn {
  const { refuse } = columnOf(field)
  return {
    column,
    field,
    faultIn(value) {
      const refusal = refuse(value, field)
      if (refusal === null) return checkOf(field)?.(value) ?? null
      return refusal.params ? [refusal.refused, refusal.params] : [refusal.refused]
    },
  }
}
