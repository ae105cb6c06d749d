/** People whose tokens or OAuth clients are read and changed: the caller, or for administrators the people of their account. */
import { mustAllow, mustBeUnlimited } from '../access/tokens/limits.js'
import { type Call, hasRole } from '../core/call.js'
import { Forbidden, NotFound } from '../core/errors.js'
import type { RecordType } from '../schema/compile/compile.js'
import type { Row } from '../schema/define-rule.js'
import type { OperationDeps } from './deps.js'
import { reachableRow } from './read/visible.js'

export interface TokenOwners {
  /** The person who is meant; default: the caller. @throws Forbidden, NotFound for callers who may not read or change the tokens */
  personOf(call: Call, personId: number | undefined, action: 'read' | 'update'): Promise<number>
  /** The row of the person, locked so that concurrent calls cannot exceed a maximum together. @throws NotFound */
  rowOf(call: Call, personId: number): Promise<Row>
}

/** @param type the record type of people */
export function tokenOwners(deps: OperationDeps, type: RecordType): TokenOwners {
  return {
    async personOf(call, personId, action) {
      if (personId === undefined) {
        mustBeUnlimited(call)
        if (!call.actor) throw new Forbidden()
        return call.actor.id
      }
      mustAllow(call, action, type)
      const row = await reachableRow(deps, call, type, personId)
      if (row['account_id'] !== call.account.id || !hasRole(call, 'account_administrator')) throw new Forbidden()
      return personId
    },
    async rowOf(call, personId) {
      const where = { path: ['id'], op: 'in', values: [personId] } as const
      const [row] = await deps.queries.rows(call, { type, where }, { lock: true })
      if (!row) throw new NotFound()
      return row
    },
  }
}
