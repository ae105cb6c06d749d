/** Accounts for the host's own code, with the team that a service desk needs. */
import type { Access } from '../../access/access.js'
import type { Accounts } from '../../access/people/accounts.js'
import { TEAM } from '../../schema/language/built-in-types.js'
import type { Storage } from '../../storage/database/connections.js'
import { inTransaction } from '../../storage/database/transaction.js'
import { explained } from './explain.js'
import type { LocalDeps } from './local-api.js'

/** Dependencies of `createPutAccount`. */
export interface PutAccountDeps extends Pick<LocalDeps, 'operations' | 'words'> {
  readonly storage: Storage
  readonly access: Pick<Access, 'accounts' | 'callers'>
}

/**
 * Creates `put`, which also finds or creates the team of `serviceDesk`. The account is stored before: it exists even if the team
 * is refused, by a hook of the host for example.
 *
 * @throws Invalid if the team is refused
 */
export function createPutAccount({ access, operations, storage, words }: PutAccountDeps): Accounts['put'] {
  const { accounts, callers } = access
  return async (account) => {
    const stored = await accounts.put(account)
    if (!account.serviceDesk) return stored
    const name = account.serviceDesk.name.trim()
    const call = await callers.hostCall('accounts.put', stored.id)
    const saved = inTransaction(storage, call, (inside) =>
      accounts.putServiceDesk(inside, async (current) => {
        const [found] = (await operations.findIds(inside, TEAM, 'name', [name], stored.id)).values()
        return found ?? current ?? Number((await operations.save(inside, TEAM, null, { name }))['id'])
      }),
    )
    await explained(words, saved)
    return (await accounts.find(stored.id)) ?? stored
  }
}
