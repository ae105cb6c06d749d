/** Changes of passwords and API tokens, with an audit line of the person. The line never has the values (behaviour: Audit). */
import type { Callers } from '../../access/people/callers.js'
import type { Sessions } from '../../access/sessions/sessions.js'
import type { CredentialStore } from '../../access/tokens/credentials.js'
import type { Call } from '../../core/call.js'
import { Forbidden } from '../../core/errors.js'
import type { RecordType } from '../../schema/catalog.js'
import type { Row } from '../../schema/language/define-rule.js'
import { inTransaction } from '../../storage/database/transaction.js'
import { addLinesOf } from '../save/audit.js'
import type { WriteDeps } from '../save/related/write-deps.js'

export interface CredentialChanges {
  /** Creates a new API token of the caller; the old one becomes invalid at once. @throws Forbidden without a person */
  resetApiToken(call: Call): Promise<string>
  /** Sets a password on behalf of the host, which ends all sessions of the person; null removes it. @throws RangeError for a wrong length */
  setPassword(personId: number, password: string | null): Promise<void>
}

/** @param type the record type of people */
export function createCredentialChanges(
  deps: WriteDeps,
  access: {
    readonly credentials: CredentialStore
    readonly callers: Pick<Callers, 'hostCall'>
    readonly sessions: Pick<Sessions, 'endAll'>
  },
  type: RecordType,
): CredentialChanges {
  const { callers, credentials, sessions } = access
  const rowsOf = (call: Pick<Call, 'transaction'>, id: number): Promise<readonly Row[]> =>
    deps.queries.rows(call, { type, where: { path: ['id'], op: 'in', values: [id] } })
  const note = async (call: Call, id: number, what: 'password' | 'api_token') =>
    addLinesOf(deps, call, type, await rowsOf(call, id), 'update', { [what]: [null, null] })

  return {
    async resetApiToken(call) {
      const id = call.actor?.id
      if (id === undefined) throw new Forbidden()
      return inTransaction(deps.storage, call, async (inside) => {
        const token = await credentials.reset(id, inside)
        await note(inside, id, 'api_token')
        return token
      })
    },
    async setPassword(personId, password) {
      const [person] = await rowsOf({}, personId)
      const call = await callers.hostCall('credentials.setPassword', String(person?.['account_id']))
      await inTransaction(deps.storage, call, async (inside) => {
        await credentials.setPassword(personId, password, inside)
        await sessions.endAll(inside, personId)
        await note(inside, personId, 'password')
      })
    },
  }
}
