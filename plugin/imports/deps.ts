/** Dependencies of imports. `createImports` supplies them. */
import type { Scope } from '../access/sight/scope.js'
import type { Call, Role } from '../core/call.js'
import type { Clock } from '../core/clock.js'
import type { Log } from '../core/log.js'
import type { Operations } from '../operations/operations.js'
import type { Catalog } from '../schema/compile/compile.js'
import type { Storage } from '../storage/database/connections.js'
import type { Leases } from '../storage/queues/leases.js'
import type { Queries } from '../storage/records/query.js'
import type { SendMail } from '../words/mails/mail.js'
import type { WordBook } from '../words/words.js'
import type { ImportRow } from './progress/import-rows.js'

export interface ImportDeps {
  readonly storage: Storage
  readonly leases: Leases
  readonly catalog: Catalog
  readonly operations: Operations
  readonly queries: Pick<Queries, 'rows'>
  readonly scope: Pick<Scope, 'seesAll'>
  /**
   * Creates the call of the importing person, with origin `import`, for the account and in the language of the import.
   *
   * @throws ItsmError if the person may no longer act in the account; the import then ends with state error
   */
  callFor(row: ImportRow): Promise<Call>
  /** Returns the roles of a person in an account. */
  rolesIn(accountId: string, personId: number): Promise<ReadonlySet<Role>>
  readonly clock: Clock
  readonly log: Log
  readonly sendMail: SendMail
  readonly words: Pick<WordBook, 'sentence' | 'fieldLabel' | 'mail'>
  /** Key for the signatures of log URLs. */
  readonly secret: string
  /** Base URL of the API, with the version segment and without a final slash. */
  readonly baseUrl: string
  /** Milliseconds without a sign of life after which another process takes an import over. */
  readonly takeOverAfterMs: number
  /** Imports that this process could not give back, because the database was away by then: their claims show no stall. */
  readonly cutOff: Set<number>
  /** Requests `run(importId)` soon, in this or another process. The request may be lost or arrive twice. */
  wake(importId: number): void
}
