/** People as `people.ts` finds them, cached for a moment: programs send the same credentials with every call. */
import type { Clock } from '../../core/clock.js'
import { folded } from '../../core/text/identity.js'
import { createShortMemory } from '../../core/waiting/short-memory.js'
import type { RecordType } from '../../schema/catalog.js'
import type { Storage } from '../../storage/database/connections.js'
import { REMEMBER_FOR } from './accounts.js'
import { createPeople, type People, personKey } from './people.js'

/** Maximum number of values of each kind. */
const MAX_REMEMBERED = 10_000

/**
 * Creates people with a cache. Commits of this process to people, credentials or permissions take effect immediately. Only
 * found people are cached: a wrong token or a disabled person is looked up each time.
 *
 * @param type the record type of people
 */
export function rememberPeople(storage: Storage, type: RecordType, clock: Clock): People {
  const people = createPeople(storage, type)
  const memoryOf = <T>(isWorth: (value: T) => boolean) =>
    createShortMemory<T>({ clock, lasts: REMEMBER_FOR, max: MAX_REMEMBERED, isWorth })
  const [byKey, byDigest] = [memoryOf(isFound<Found<'find'>>), memoryOf(isFound<Found<'withTokenDigest'>>)]
  const byEmail = memoryOf<Found<'withEmail'>>((found) => found.length > 0)
  const roles = memoryOf<Found<'rolesOf'>>(() => true)
  const tables = [type.table, 'credentials', 'permissions'].map(storage.table)
  storage.changes.listen((written) => {
    if (written && !tables.some((table) => written.has(table))) return
    for (const memory of [byKey, byDigest, byEmail, roles]) memory.forget()
  })

  return {
    ...people,
    async find(given) {
      const key = personKey(given)
      return (await byKey.recall(JSON.stringify(key), () => people.find(key))).value
    },
    async withEmail(email, how) {
      const load = () => people.withEmail(email)
      return how === 'remembered' ? (await byEmail.recall(folded(email.trim()), load)).value : load()
    },
    withTokenDigest: async (digest) => (await byDigest.recall(digest, () => people.withTokenDigest(digest))).value,
    async rolesOf(personId, accountId, call) {
      if (call?.transaction) return people.rolesOf(personId, accountId, call)
      return (await roles.recall(`${personId} ${accountId}`, () => people.rolesOf(personId, accountId))).value
    },
  }
}

type Found<K extends keyof People> = Awaited<ReturnType<People[K]>>

function isFound<T>(value: T): boolean {
  return value !== null
}
