/** What functions that read take along: nothing with which they could open a transaction, write or notify. */
import type { Decisions } from '../../access/sight/decide.js'
import type { Scope } from '../../access/sight/scope.js'
import type { Call } from '../../core/call.js'
import type { Clock } from '../../core/clock.js'
import type { CompileCalendar } from '../../core/time/working-time.js'
import type { Files } from '../../files/files.js'
import type { Catalog } from '../../schema/catalog.js'
import type { Storage } from '../../storage/database/connections.js'
import type { Queries } from '../../storage/records/query.js'

/** Finds records, as far as the caller sees them. */
export interface ReadDeps {
  readonly catalog: Catalog
  readonly queries: Queries
  readonly decisions: Decisions
  readonly scope: Scope
}

/** Compiles the calendars that it reads. */
export interface CalendarDeps extends ReadDeps {
  /** Shared, because it caches the changes of clocks. */
  readonly compileCalendar: CompileCalendar
}

/** Makes responses of the records that it reads. */
export interface AnswerDeps extends ReadDeps {
  readonly clock: Clock
  readonly files: Pick<Files, 'addresses'>
  /** Names of accounts, for references to records of other accounts. */
  accountNames(call: Call, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Formats datetimes for the caller. */
  formatInstant(moment: string, zone: string): string
}

/** Lists collections, and remembers how many records they have until a table changes. */
export interface ListDeps extends AnswerDeps {
  readonly changes: Storage['changes']
  /** Ids of people with roles in the account of the call: any of them, or all. */
  peopleWithRoles(call: Call, roles: readonly string[], match: 'any' | 'all'): Promise<readonly number[]>
}
