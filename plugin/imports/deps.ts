/** What the functions of this folder need; `createImports` puts it together. */
import type { Call, Role } from '../core/call.js'
import type { Clock } from '../core/clock.js'
import type { Log } from '../core/log.js'
import type { SendMail } from '../core/mail.js'
import type { WordBook } from '../core/words/index.js'
import type { Operations } from '../operations/operations.js'
import type { Catalog } from '../schema/compile/compile.js'
import type { Storage } from '../storage/connections.js'
import type { Queries } from '../storage/query.js'
import type { ImportRow } from './import-rows.js'

export interface ImportDeps {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly operations: Operations
  readonly queries: Pick<Queries, 'rows'>
  /**
   * The call of the person who imports, with origin `import`, for the account and in the language of the import.
   *
   * @throws ItsmError when the person may not act in the account any more; the import then ends with state error
   */
  callFor(row: ImportRow): Promise<Call>
  /** The roles that a person has in an account. */
  rolesIn(accountId: string, personId: number): Promise<ReadonlySet<Role>>
  readonly clock: Clock
  readonly log: Log
  readonly sendMail: SendMail
  readonly words: Pick<WordBook, 'sentence' | 'fieldLabel' | 'mail'>
  /** Signs the addresses of logs. */
  readonly secret: string
  /** The address at which clients reach us, with the version segment and without a final slash. */
  readonly baseUrl: string
  /** Milliseconds without a sign of life after which another process takes an import over. */
  readonly leaseForMs: number
  /** Asks for `run(importId)` soon, in this or another process. May be lost or come twice. */
  wake(importId: number): void
}
