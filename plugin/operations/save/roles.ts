/** Roles of the people that a batch refers to: one query an account. gaps 2.4. */
import { type Call, ROLES, type Role } from '../../core/call.js'
import { PERSON } from '../../schema/built-in-types.js'
import type { RecordType } from '../../schema/compile/compile.js'
import type { Row } from '../../schema/define-rule.js'
import { dbOf } from '../../storage/transaction.js'
import type { OperationDeps } from '../deps.js'

/** The roles of a person in an account, as far as they were given there. */
export type RolesOf = (personId: number, accountId: string) => Promise<ReadonlySet<Role>>

const NONE: ReadonlySet<Role> = new Set()

/** Asks for everybody that the rows refer to when it is asked for the first of them. */
export function createRolesOf(deps: OperationDeps, call: Call, type: RecordType, rows: readonly Row[]): RolesOf {
  const known = new Map<string, Map<number, Set<Role>>>()

  const load = async (accountId: string, ids: readonly number[], into: Map<number, Set<Role>>) => {
    for (const id of ids) into.set(id, new Set())
    const found: { person_id: number | string; role: string }[] = await dbOf(
      deps.storage,
      call,
    )(deps.storage.table('permissions'))
      .where('account_id', accountId)
      .whereIn('person_id', ids)
      .select('person_id', 'role')
    for (const { person_id, role } of found) {
      const one = ROLES.find((name) => name === role)
      if (one) into.get(Number(person_id))?.add(one)
    }
  }

  return async (personId, accountId) => {
    const roles = known.get(accountId) ?? new Map<number, Set<Role>>()
    known.set(accountId, roles)
    if (!roles.has(personId)) {
      const wanted = [personId, ...peopleIn(type, rows)].filter((id) => !roles.has(id))
      await load(accountId, [...new Set(wanted)], roles)
    }
    return roles.get(personId) ?? NONE
  }
}

function peopleIn(type: RecordType, rows: readonly Row[]): readonly number[] {
  const columns = [...type.columns].filter(([, field]) => field.kind === 'ref' && field.record === PERSON)
  return rows.flatMap((row) => columns.flatMap(([column]) => (row[column] ? [Number(row[column])] : [])))
}
