/** Arguments and results of the local API. */
import type { Output } from '../contract.js'

/** A file of the host. */
export interface LocalFile {
  /** At most 255 characters; no slashes, backslashes and control characters. */
  readonly name: string
  /** Media type; default application/octet-stream. */
  readonly type?: string
  /** The bytes: a stream, or any async iterable of `Uint8Array`. */
  readonly content: AsyncIterable<Uint8Array>
}

/** A time between two timestamps, `start` and `end`. */
export interface LocalSpan {
  readonly start: string | Date
  readonly end: string | Date
  /** Zone in which the hours and holidays apply: a name of the list, or an IANA name. Default UTC. */
  readonly time_zone?: string
}

/** The request that an event has become. */
export interface LocalEventOutcome {
  /** False if the event is the same as an earlier one, and the record is that of the earlier one. */
  readonly isNew: boolean
  /** The request in full, or only its id if the person may not see it. */
  readonly record: Output
}

/** What has become of one of many records: the `id` of a new one, or the `error` that kept it from being stored; the other is null. */
export type CreateResult =
  | {
      readonly id: number
      readonly error: null
      /** Secrets that were made, by field. They cannot be read again; absent without any. */
      readonly shownOnce?: Output
    }
  /** The record is not stored: for an Invalid, Forbidden or NotFound, or because a hook of the host has failed. */
  | { readonly id: null; readonly error: Error }
