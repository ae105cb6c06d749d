/** Stores the passwords and API tokens of people. */
import type { Call } from '../../core/call.js'
import type { Clock } from '../../core/clock.js'
import type { Storage } from '../../storage/database/connections.js'
import { dbOf } from '../../storage/database/transaction.js'
import type { Secrets } from './secrets.js'

export interface CredentialStore {
  /** The API token of a person; creates one if there is none yet. */
  show(personId: number): Promise<string>
  /** Creates a new token, in the transaction of the call if it has one; the old one becomes invalid immediately. */
  reset(personId: number, call?: Pick<Call, 'transaction'>): Promise<string>
  /**
   * Sets a password, in the transaction of the call if it has one.
   *
   * @param password 8 to 1,024 characters; null removes the password
   * @throws RangeError
   */
  setPassword(personId: number, password: string | null, call?: Pick<Call, 'transaction'>): Promise<void>
}

interface Values {
  readonly [column: string]: string | null
}

export function createCredentialStore(storage: Storage, secrets: Secrets, clock: Clock): CredentialStore {
  const table = (call?: Pick<Call, 'transaction'>) => dbOf(storage, call)(storage.table('credentials'))
  const tell = () => storage.changes.tell(new Set([storage.table('credentials')]))
  const put = async (personId: number, values: Values, call?: Pick<Call, 'transaction'>) => {
    try {
      await table(call)
        .insert({ person_id: personId, ...values })
        .onConflict('person_id')
        .merge(values)
    } finally {
      tell()
    }
  }
  const stamped = (values: Values): Values => ({
    ...values,
    updated_at: clock.now().toISOString().slice(0, 23).replace('T', ' '),
  })
  const sealed = (token: string) => stamped({ token_digest: secrets.digest(token), token_sealed: secrets.seal(token) })
  const stored = async (personId: number): Promise<string | null> => {
    const row: { token_sealed: string | null } | undefined = await table().where({ person_id: personId }).first('token_sealed')
    return row?.token_sealed ?? null
  }
  const reset: CredentialStore['reset'] = async (personId, call) => {
    const token = secrets.newToken()
    await put(personId, sealed(token), call)
    return token
  }
  return {
    reset,
    async show(personId) {
      const before = await stored(personId)
      const known = before ? secrets.open(before) : null
      if (known) return known
      // Concurrent calls: the first one creates the token, and all of them read it.
      const values = sealed(secrets.newToken())
      await table()
        .insert({ person_id: personId, ...values })
        .onConflict('person_id')
        .ignore()
      await table().where({ person_id: personId, token_sealed: before }).update(values)
      tell()
      const after = await stored(personId)
      return (after ? secrets.open(after) : null) ?? reset(personId)
    },
    async setPassword(personId, password, call) {
      if (password !== null && (password.length < 8 || password.length > 1_024)) {
        throw new RangeError('A password must have 8 to 1,024 characters')
      }
      const password_hash = password === null ? null : await secrets.hashPassword(password)
      await put(personId, stamped({ password_hash }), call)
    },
  }
}
