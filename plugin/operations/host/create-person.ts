/** Creates the record of a person who has signed in at the host for the first time. */
import type { CreatePerson } from '../../access/sign-in/recognize-person.js'
import type { Call } from '../../core/call.js'
import { PERSON } from '../../schema/language/built-in-types.js'
import type { Storage } from '../../storage/database/connections.js'
import { inTransaction } from '../../storage/database/transaction.js'
import type { WordBook } from '../../words/words.js'
import type { Operations } from '../contract.js'
import type { Permissions } from '../people/permissions.js'
import { explained } from './explain.js'

/** Dependencies of creating people. */
export interface CreatePersonDeps {
  readonly storage: Storage
  readonly operations: Pick<Operations, 'submit'>
  readonly permissions: Pick<Permissions, 'add'>
  readonly words: WordBook
  /** Creates a call of the system in the account. @throws RangeError for an unknown account */
  callIn(account: string): Promise<Call>
}

/** Prepares creating people through the write pipeline, with their roles in the same transaction. */
export function createPersonIn(deps: CreatePersonDeps): CreatePerson {
  const { storage, operations, permissions, words, callIn } = deps
  return async ({ account, body, roles }) => {
    const saved = inTransaction(storage, await callIn(account), async (call) => {
      const { row } = await operations.submit(call, PERSON, { id: null, body, onlyKnown: true })
      if (roles.length > 0) await permissions.add(call, Number(row['id']), account, roles)
    })
    await explained(words, saved)
  }
}
