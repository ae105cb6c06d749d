/** What pages, and parts of the pages of some record types, are told. */
import type { Output } from '../core/api.js'
import type { RecordType } from '../core/read-catalog.js'

/** Of a page that shows no record type. */
export interface OwnPageProps {
  /** What follows the name of the page in the URL: `new`. */
  readonly part: string | undefined
}

/** Of a part that only the records of some types have. */
export interface ExtraProps {
  readonly type: RecordType
  /** Of the record: `/webhooks/3`. */
  readonly path: string
  readonly record: Output
  /** Of this version of the record, for changes; null if there is none. */
  readonly tag: string | null
  /** True if the person may change the record. */
  readonly mayChange: boolean
}
