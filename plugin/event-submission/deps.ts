import type { Access } from '../access/access.js'
import type { Operations } from '../operations/contract.js'
import type { Catalog } from '../schema/catalog.js'
import type { Validator } from '../schema/derive/validator.js'
import type { Storage } from '../storage/database/connections.js'
import type { Queries } from '../storage/records/query.js'
import type { WordBook } from '../words/words.js'

/** Dependencies of this folder; `createEventSubmission` supplies them. */
export interface EventSubmissionDeps {
  readonly catalog: Catalog
  readonly storage: Storage
  readonly queries: Pick<Queries, 'rows' | 'cells'>
  readonly operations: Pick<Operations, 'save' | 'submit' | 'read'>
  readonly words: Pick<WordBook, 'sentence' | 'fieldLabel'>
  readonly scope: Pick<Access['scope'], 'visible' | 'reachable'>
  readonly callers: Pick<Access['callers'], 'callIn'>
  readonly accounts: Pick<Access['accounts'], 'isDirectory'>
  /** Reads the bodies of requests. */
  readonly validate: Validator
}
