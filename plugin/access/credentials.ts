/** Keeps the passwords and API tokens of people. */
import type { Clock } from '../core/clock.js'
import type { Storage } from '../storage/connections.js'
import type { Secrets } from './secrets.js'

export interface CredentialStore {
  /** The API token of a person; makes one when there is none yet. */
  show(personId: number): Promise<string>
  /** Makes a new token; the old one is invalid at once. */
  reset(personId: number): Promise<string>
  /** @param password 8 to 1,024 characters; null takes the password away. @throws RangeError */
  setPassword(personId: number, password: string | null): Promise<void>
}

export function createCredentialStore(storage: Storage, secrets: Secrets, clock: Clock): CredentialStore {
  const table = () => storage.knex(storage.table('credentials'))
  const put = async (personId: number, values: Record<string, string | null>) => {
    const row = { ...values, updated_at: clock.now().toISOString().slice(0, 23).replace('T', ' ') }
    await table()
      .insert({ person_id: personId, ...row })
      .onConflict('person_id')
      .merge(row)
  }
  const reset = async (personId: number) => {
    const token = secrets.newToken()
    await put(personId, { token_digest: secrets.digest(token), token_sealed: secrets.seal(token) })
    return token
  }
  return {
    reset,
    async show(personId) {
      const row: { token_sealed: string | null } | undefined = await table()
        .where({ person_id: personId })
        .first('token_sealed')
      const token = row?.token_sealed ? secrets.open(row.token_sealed) : null
      return token ?? reset(personId)
    },
    async setPassword(personId, password) {
      if (password !== null && (password.length < 8 || password.length > 1_024)) {
        throw new RangeError('A password has 8 to 1,024 characters')
      }
      await put(personId, { password_hash: password === null ? null : await secrets.hashPassword(password) })
    },
  }
}
