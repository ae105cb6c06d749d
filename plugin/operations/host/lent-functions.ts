/** Functions of folders above, for the API of the host. Types only. */
import type { Call } from '../../core/call.js'
import type { EventData } from '../../schema/language/event-data.js'
import type { SaveItem } from '../contract.js'

/** An event of a monitoring tool that has become a record. */
export interface EventOutcome {
  readonly id: number
  /** False for a record that the event matches. */
  readonly isNew: boolean
  /** The call for the account of the record. */
  readonly call: Call
}

/** Turns parameters of an event, by name, into a record, or finds the one that it matches. @throws Invalid, Forbidden */
export type SubmitEvent = (
  call: Call,
  parameters: ReadonlyMap<string, unknown>,
  handling: Pick<SaveItem, 'handling' | 'onlyKnown'>,
) => Promise<EventOutcome>

/** Reads the rows of an export type while they are asked for, by their headers. @throws Invalid, Forbidden */
export type ExportRows = (
  call: Call,
  type: string,
  options: { readonly from?: string | Date | undefined },
) => AsyncIterable<{ readonly [header: string]: string }>

/**
 * Causes an event of a record that the caller sees and may change: `emit(call, 'vehicle.towed', 17, { km: 120_431 })`.
 *
 * @throws RangeError for an event that no type emits, TypeError for data that is no object of JSON values; NotFound, Forbidden
 */
export type Emit = (call: Call, event: string, id: number, data?: EventData) => Promise<void>
