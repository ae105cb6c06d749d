/**
 * Names the index for plain lists: all records of one account by id. Record tables have many indexes that begin with the
 * account, and the server examines each to choose. That takes longer than reading the page (a third of its time for requests).
 * Other queries name theirs where the server would choose a slow one.
 */
import type { SortKey } from '../../schema/catalog.js'
import { indexName } from '../../schema/derive/expected-tables.js'
import type { Criterion } from '../../schema/language/conditions.js'
import { quote } from './joins.js'

/** ER_KEY_DOES_NOT_EXISTS; servers also report it for an index that is invisible. */
const NO_SUCH_INDEX = 1176

const ACCOUNT: readonly string[] = ['account_id']

/** Runs a query with the index, where tables have it. */
export interface AccountIndex {
  /**
   * @param table full name of a record table
   * @param query writes and runs the query, with the text that names the index after the table; empty for none
   * @param columns the columns of the index; default: that of the account
   */
  run<T>(table: string, query: (hint: string) => Promise<T>, columns?: readonly string[]): Promise<T>
}

/** Hosts create the tables of their own types, perhaps without the index; then it is not named again. */
export function createAccountIndex(): AccountIndex {
  const without = new Set<string>()
  return {
    async run(table, query, columns = ACCOUNT) {
      const name = indexName(table, columns)
      if (without.has(name)) return query('')
      try {
        return await query(` FORCE INDEX (${quote(name)})`)
      } catch (error) {
        if ((error as { readonly errno?: unknown }).errno !== NO_SUCH_INDEX) throw error
        without.add(name)
        return query('')
      }
    },
  }
}

/** True for all records of one account, sorted by id. */
export function isPlainList(where: Criterion, sort: readonly SortKey[]): boolean {
  return sort.length === 1 && sort[0]?.field === 'id' && isOneAccount(where)
}

/** True for all records of one account. */
export function isOneAccount(where: Criterion): boolean {
  return testsOf(where) === 1
}

/** Number of tests for one account, if the criterion has no other tests; else NaN. */
function testsOf(criterion: Criterion): number {
  if ('all' in criterion) return criterion.all.reduce((sum, one) => sum + testsOf(one), 0)
  if (!('path' in criterion) || criterion.op !== 'in' || criterion.path.length !== 1) return Number.NaN
  const [value, ...others] = criterion.values
  return criterion.path[0] === 'account' && typeof value === 'string' && others.length === 0 ? 1 : Number.NaN
}
