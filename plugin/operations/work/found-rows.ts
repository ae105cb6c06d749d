/**
 * Records that a transaction has found by what they refer to: rules and settlings of one save ask for the same ones. Each statement
 * sees what is committed when it begins, so only those are kept that no other transaction can change meanwhile: records that settlings
 * follow are written only while their owner is locked (ADR 19), apart from stamps of timers and counters, and this transaction has
 * locked that owner.
 */
import type { Catalog } from '../../schema/catalog.js'
import type { Criterion } from '../../schema/language/conditions.js'
import type { Row } from '../../schema/language/define-rule.js'
import type { Rows } from './loaded-rows.js'

/** Found rows by type and criterion. Only criteria that ask for the records of one owner are kept. */
export interface FoundRows {
  /**
   * All rows that meet the criterion, in a list of the caller's own.
   *
   * @param read reads them; they must be frozen
   */
  found(type: string, where: Criterion, read: () => Promise<readonly Row[]>): Promise<readonly Row[]>
  /** Forgets what was found of a type, or without a name, of all types; also what is being read. To be called for each write. */
  forgetFound(type?: string): void
}

/** Maximum number of rows that are kept for a criterion, and of criteria of a type. */
const [MAX_ROWS, MAX_CRITERIA] = [100, 20]

/** Creates the memory of one transaction. */
export function createFoundRows(catalog: Pick<Catalog, 'settling' | 'types'>, rows: Pick<Rows, 'isOurs'>): FoundRows {
  const known = new Map<string, Map<string, readonly Row[]>>()
  /** Number of writes: what was asked before one may be answered after it, with what was there before. */
  let writes = 0

  return {
    async found(type, where, read) {
      const tests = testsOf(catalog, type, where)
      if (!isOfOurs(type, tests)) return read()
      const key = keyOf(tests)
      const kept = known.get(type)?.get(key)
      if (kept) return [...kept]
      const before = writes
      const found = await read()
      const of = known.get(type) ?? new Map<string, readonly Row[]>()
      if (writes === before && found.length <= MAX_ROWS && of.size < MAX_CRITERIA) known.set(type, of.set(key, [...found]))
      return found
    },
    forgetFound(type) {
      writes += 1
      if (type === undefined) known.clear()
      else known.delete(type)
    },
  }

  /** True if one of the values is an owner that the transaction has locked. */
  function isOfOurs(type: string, tests: readonly Test[]): boolean {
    const paths = tests.length > 0 ? (catalog.settling.records.get(type) ?? []) : []
    return paths.some(({ steps: [step] }) =>
      tests.some(([column, value]) => step?.column === column && !step.isPart && rows.isOurs(step.type, Number(value))),
    )
  }
}

type Test = readonly [column: string, value: string | number]

/** The tests of a criterion that is met by one value for each of some columns; none for any other. */
function testsOf({ types }: Pick<Catalog, 'types'>, type: string, where: Criterion): readonly Test[] {
  const tests: Test[] = []
  const isSimple = (one: Criterion): boolean => {
    if ('all' in one) return one.all.every(isSimple)
    if (!('path' in one) || one.op !== 'in' || one.path.length !== 1 || one.values.length !== 1) return false
    const [[name = ''], [value]] = [one.path, one.values]
    // Links, and fields of other records, are in tables whose writes say nothing of this type.
    const column = name === 'account' ? name : types.get(type)?.fields.get(name)?.column
    // Texts of records are compared in several ways, those of accounts are not.
    if (!column || (typeof value !== 'number' && (typeof value !== 'string' || column !== 'account'))) return false
    tests.push([column, value])
    return true
  }
  return isSimple(where) ? tests : []
}

/** Tests in another order have the same key. */
function keyOf(tests: readonly Test[]): string {
  return tests
    .map((test) => JSON.stringify(test))
    .sort()
    .join()
}
