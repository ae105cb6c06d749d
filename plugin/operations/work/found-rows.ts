/**
 * Records that a transaction has found by what they refer to: rules and settlings of one save ask for the same ones. Each statement
 * sees what is committed when it begins, so only those are kept that no other transaction can change meanwhile: records that settlings
 * follow are written only while their owner is locked (ADR 19), and this transaction has locked that owner.
 */
import type { Catalog } from '../../schema/catalog.js'
import type { Criterion } from '../../schema/language/conditions.js'
import type { Row } from '../../schema/language/define-rule.js'
import type { Rows } from './loaded-rows.js'

/** Found rows by type and criterion. Only criteria that ask for the records of one owner are kept. */
export interface FoundRows {
  /** All rows that meet the criterion; undefined if they were not kept. */
  found(type: string, where: Criterion): readonly Row[] | undefined
  /** Keeps all rows that meet the criterion, if nobody else can change them. They must be frozen. */
  keepFound(type: string, where: Criterion, rows: readonly Row[]): void
  /** Forgets what was found of a type, or without a name, of all types. */
  forgetFound(type?: string): void
}

/** Maximum number of rows that are kept for a criterion, and of criteria of a type. */
const [MAX_ROWS, MAX_CRITERIA] = [100, 20]

/** Creates the memory of one transaction. It knows nothing of writes: they have to be told by `forgetFound`. */
export function createFoundRows(catalog: Pick<Catalog, 'settling' | 'types'>, rows: Pick<Rows, 'isOurs'>): FoundRows {
  const known = new Map<string, Map<string, readonly Row[]>>()
  return {
    found: (type, where) => known.get(type)?.get(keyOf(testsOf(catalog, type, where))),
    keepFound(type, where, found) {
      const tests = testsOf(catalog, type, where)
      if (found.length > MAX_ROWS || !isOfOurs(type, tests)) return
      const of = known.get(type) ?? new Map<string, readonly Row[]>()
      if (of.size < MAX_CRITERIA) known.set(type, of.set(keyOf(tests), found))
    },
    forgetFound(type) {
      if (type === undefined) known.clear()
      else known.delete(type)
    },
  }

  /** True if one of the values is an owner that the transaction has locked. */
  function isOfOurs(type: string, tests: readonly Test[] | null): boolean {
    const paths = tests ? (catalog.settling.records.get(type) ?? []) : []
    return paths.some(({ steps: [step] }) =>
      tests?.some(([column, value]) => step?.column === column && !step.isPart && rows.isOurs(step.type, Number(value))),
    )
  }
}

type Test = readonly [column: string, value: string | number]

/** The tests of a criterion that is met by one value of each column; null for any other. */
function testsOf({ types }: Pick<Catalog, 'types'>, type: string, where: Criterion): readonly Test[] | null {
  if ('all' in where) {
    const parts = where.all.map((one) => testsOf({ types }, type, one))
    return parts.includes(null) ? null : parts.flatMap((part) => part ?? [])
  }
  if (!('path' in where) || where.op !== 'in' || where.path.length !== 1 || where.values.length !== 1) return null
  const [[name = ''], [value]] = [where.path, where.values]
  // Texts of records are compared in several ways, those of accounts are not.
  if (typeof value === 'string' && name === 'account') return [[name, value]]
  return typeof value === 'number' ? [[types.get(type)?.fields.get(name)?.column ?? name, value]] : null
}

/** Tests in another order have the same key. */
function keyOf(tests: readonly Test[] | null): string {
  return tests
    ? tests
        .map((test) => JSON.stringify(test))
        .sort()
        .join()
    : ''
}
