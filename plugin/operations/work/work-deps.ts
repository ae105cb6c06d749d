/** What functions of the unit of work take along. They lock and check; they write only through the pipeline that they are given. */
import type { Call } from '../../core/call.js'
import type { Log } from '../../core/log.js'
import type { StoredColumnsOf } from '../../schema/derive/stored-values.js'
import type { Storage } from '../../storage/database/connections.js'
import type { WordBook } from '../../words/words.js'
import type { CalendarDeps, ReadDeps } from '../read/read-deps.js'

/** Reads in a transaction, and keeps what it has read and locked in the unit of work. */
export interface LockDeps extends ReadDeps {
  readonly storage: Storage
}

/** Checks the values that rules, settlings and hooks set, and names their mistakes. */
export interface ValueDeps {
  readonly storedColumnsOf: StoredColumnsOf
  readonly words: Pick<WordBook, 'codes' | 'sentence' | 'fieldLabel' | 'valuesOf'>
}

/** Looks up what rules, settlings and hooks ask for. */
export interface LookupDeps extends LockDeps, CalendarDeps {
  /** The time zone of the call's account, locked against changes until the transaction ends. */
  accountZone(call: Call): Promise<string>
}

/** Settles owners; what settling changes is saved by the pipeline. */
export interface SettleDeps extends LookupDeps, ValueDeps {
  readonly log: Log
}
