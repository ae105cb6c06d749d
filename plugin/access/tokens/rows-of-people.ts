/** What tables have in common whose rows sign a person in: tokens, OAuth clients, sessions. */
import type { Knex } from 'knex'
import type { Call } from '../../core/call.js'
import type { Clock } from '../../core/clock.js'
import { createShortMemory } from '../../core/waiting/short-memory.js'
import type { RecordType } from '../../schema/catalog.js'
import type { Row } from '../../schema/language/define-rule.js'
import type { Storage } from '../../storage/database/connections.js'
import { REMEMBER_FOR } from '../people/accounts.js'
import { ACTOR_COLUMNS, type PersonRow } from '../people/people.js'

/** A call, of which only the transaction matters. */
export type InCall = Pick<Call, 'transaction' | 'signal'>

/** Dependencies of the functions here. */
export interface RowsOfPeopleDeps {
  readonly storage: Storage
  /** The record type of people. */
  readonly person: RecordType
  readonly clock: Clock
}

/** A row with its person, whose columns `id` and `name` it has; its own id is `own_id`. */
export type WithPerson<R> = R & PersonRow & { readonly own_id: number | string }

/** Maximum number of cached owners. */
const MAX_REMEMBERED = 10_000

/** The row, called `own`, with its person if that is enabled. @param columns of the row, for example `own.digest` */
export async function rowWithPerson<R>(
  { storage, person }: Omit<RowsOfPeopleDeps, 'clock'>,
  tableName: string,
  columns: readonly string[],
  where: Readonly<Record<string, string>>,
): Promise<WithPerson<R> | undefined> {
  const [row]: WithPerson<R>[] = await storage
    .knex(`${tableName} as own`)
    .join(`${storage.table(person.table)} as p`, 'p.id', 'own.person_id')
    .where({ 'p.disabled': 0 })
    .select(ACTOR_COLUMNS.map((column) => `p.${column}`))
    .select('own.id as own_id', ...columns)
    .limit(1)
    .where(where)
  return row
}

/** Owners by the digest of their secret. */
export interface OwnersByDigest<T> {
  /** Null for an unknown digest. Cached for two seconds; changes of this process take effect at once. */
  find(digest: string): Promise<T | null>
  /** Waits for a write, and announces it even if it fails: only the confirmation may have been lost. Commits announce their own. */
  told<W>(call: InCall, write: PromiseLike<W>): Promise<W>
}

/** Remembers the owners that are found in a table. */
export function ownersByDigest<T>(
  { storage, person, clock }: RowsOfPeopleDeps,
  tableName: string,
  load: (digest: string) => Promise<T | null>,
): OwnersByDigest<T> {
  const owners = createShortMemory<T | null>({
    clock,
    lasts: REMEMBER_FOR,
    max: MAX_REMEMBERED,
    isWorth: (owner) => owner !== null,
  })
  const watched = [tableName, storage.table(person.table)]
  storage.changes.listen((written) => {
    if (!written || watched.some((name) => written.has(name))) owners.forget()
  })
  return {
    find: async (digest) => (await owners.recall(digest, () => load(digest))).value,
    async told(call, write) {
      try {
        return await write
      } finally {
        if (!call.transaction) storage.changes.tell(new Set([tableName]))
      }
    },
  }
}

/** Work after a write of a record, by type. */
export type AfterWrite = ReadonlyMap<string, (db: Knex, before: Row | null, after: Row | null) => Promise<void>>

/**
 * Runs after a person was written. Deletes what signs disabled and removed people in; enabling a person does not restore it.
 *
 * @param tableNames tables with a column `person_id`
 */
export function endsWithPerson(person: Pick<RecordType, 'name'>, tableNames: readonly string[]): AfterWrite {
  return new Map([
    [
      person.name,
      async (db, before, after) => {
        const isClosed = after === null || (after['disabled'] === true && before?.['disabled'] !== true)
        if (!before || !isClosed) return
        for (const tableName of tableNames)
          await db(tableName)
            .where({ person_id: Number(before['id']) })
            .delete()
      },
    ],
  ])
}
