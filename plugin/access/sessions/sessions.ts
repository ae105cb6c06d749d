/** Sessions of people in browsers: rows that end by themselves. Of the text in the cookie only a digest is stored. */
import type { Actor } from '../../core/call.js'
import type { Log } from '../../core/log.js'
import { dateOfTimestamp, timestampOf } from '../../storage/database/timestamps.js'
import { dbOf } from '../../storage/database/transaction.js'
import { actorOf } from '../people/people.js'
import { createLastUses } from '../tokens/last-uses.js'
import { type InCall, ownersByDigest, type RowsOfPeopleDeps, rowWithPerson } from '../tokens/rows-of-people.js'
import type { Secrets } from '../tokens/secrets.js'
import { newSecretText, type RandomBytes } from '../tokens/token-text.js'

/** A person whose password was right. */
export interface RightPassword {
  readonly actor: Actor
  /** The stored hash that it was compared with; null if the host has compared it. */
  readonly passwordHash: string | null
}

/** A new session. */
export interface NewSession {
  /** The value of the cookie, which cannot be read again. */
  readonly text: string
  /** When it ends unless it is used. */
  readonly expiresAt: Date
}

export interface Sessions {
  /**
   * Begins a session, in the transaction of the call. Ends the oldest ones of a person who has too many. Null if the person has
   * been disabled in the meantime, or has another password.
   */
  begin(call: InCall, right: RightPassword): Promise<NewSession | null>
  /** The key that a text is looked up by; does not reveal the text. */
  keyOf(text: string): string
  /**
   * The person of a session, by the key of its text; null for unknown and ended ones, and disabled people. Cached for two seconds;
   * changes of this process and the end of a session take effect at once.
   */
  find(key: string): Promise<{ readonly id: number; readonly actor: Actor } | null>
  /** Stores that a session is used, at most once per minute and in the background. Never throws. */
  noteUse(id: number): void
  /** Waits for uses that are being stored. */
  finished(): Promise<void>
  /** Ends the session with this key, if there is one. */
  end(key: string): Promise<void>
  /** Ends all sessions of a person. */
  endAll(call: InCall, personId: number): Promise<void>
  /** Deletes sessions that have ended. For a daily job. */
  purge(): Promise<void>
}

/** Dependencies of the sessions. */
export interface SessionsDeps extends RowsOfPeopleDeps {
  readonly secrets: Pick<Secrets, 'digest'>
  readonly log: Log
  readonly randomBytes: RandomBytes
}

interface SessionRow {
  readonly created_at: string
  readonly last_used_at: string
}

const HOUR = 3600_000
/** Milliseconds without use after which a session ends. */
const IDLE = 8 * HOUR
/** Milliseconds after which a session ends in any case. */
const LONGEST = 24 * HOUR
/** Maximum number of sessions of a person. */
const MAX_SESSIONS = 20

/** Creates the store. Does no I/O. */
export function createSessions(deps: SessionsDeps): Sessions {
  const { storage, person, secrets, clock, randomBytes } = deps
  const [tableName, people, credentials] = [
    storage.table('sessions'),
    storage.table(person.table),
    storage.table('credentials'),
  ]
  const query = (call?: InCall) => dbOf(storage, call)(tableName)
  const { find, told } = ownersByDigest(deps, tableName, async (digest) => {
    const columns = ['own.created_at', 'own.last_used_at']
    const row = await rowWithPerson<SessionRow>(deps, tableName, columns, { 'own.digest': digest })
    return row ? { id: Number(row.own_id), actor: actorOf(row), endsAt: endOf(row) } : null
  })
  const uses = createLastUses(deps, () => query(), 'session')
  const ago = (milliseconds: number) => timestampOf(new Date(clock.now().getTime() - milliseconds))
  /** Locks the person, so that what ends all sessions of it is seen here, or sees this one. */
  const isStillRight = async (call: InCall, { actor, passwordHash }: RightPassword): Promise<boolean> => {
    const db = dbOf(storage, call)
    if (!(await db(people).where({ id: actor.id, disabled: 0 }).forUpdate().first('id'))) return false
    if (passwordHash === null) return true
    const row: { password_hash: string | null } | undefined = await db(credentials)
      .where({ person_id: actor.id })
      .forUpdate()
      .first('password_hash')
    return row?.password_hash === passwordHash
  }
  /** Makes room for one more session. */
  const endOldest = async (call: InCall, personId: number): Promise<void> => {
    const stored: (SessionRow & { readonly id: number | string })[] = await query(call)
      .where({ person_id: personId })
      .orderBy('id', 'desc')
      .select('id', 'created_at', 'last_used_at')
    const kept = new Set(stored.filter((row) => endOf(row) > clock.now()).slice(0, MAX_SESSIONS - 1))
    const ended = stored.filter((row) => !kept.has(row)).map(({ id }) => id)
    if (ended.length > 0) await query(call).whereIn('id', ended).delete()
  }

  return {
    async begin(call, right) {
      if (!(await isStillRight(call, right))) return null
      const personId = right.actor.id
      await endOldest(call, personId)
      const [text, now] = [newSecretText('session', randomBytes), timestampOf(clock.now())]
      const times = { created_at: now, last_used_at: now }
      await told(call, query(call).insert({ person_id: personId, digest: secrets.digest(text), ...times }))
      return { text, expiresAt: endOf(times) }
    },
    keyOf: secrets.digest,
    async find(key) {
      const found = await find(key)
      return found && found.endsAt > clock.now() ? found : null
    },
    noteUse: uses.note,
    finished: uses.finished,
    end: async (key) => void (await told({}, query().where({ digest: key }).delete())),
    endAll: async (call, personId) => void (await told(call, query(call).where({ person_id: personId }).delete())),
    // Those that ended because nobody used them are deleted with the others: they are few.
    purge: async () => void (await query().where('created_at', '<=', ago(LONGEST)).delete()),
  }
}

function endOf({ created_at, last_used_at }: SessionRow): Date {
  const [created, used] = [created_at, last_used_at].map((text) => dateOfTimestamp(text).getTime())
  return new Date(Math.min((created ?? 0) + LONGEST, (used ?? 0) + IDLE))
}
