/** What bodies have of a record beside the reference to it: the record itself, or its changes with their cause (ADR 64). */
import type { Call } from '../core/call.js'
import { Forbidden, HookFailed, ItsmError } from '../core/errors.js'
import type { Log } from '../core/log.js'
import type { Operations } from '../operations/contract.js'
import { AUDIT_LINE } from '../schema/language/built-in-types.js'
import type { EventData } from '../schema/language/event-data.js'
import type { Json } from '../schema/language/field.js'
import type { Message } from '../storage/queues/messages.js'
import type { Fault } from './delivery-faults.js'

/** What a webhook gets of a record: nothing more, the record as it is, or the changes of the save with their cause. */
export type PayloadForm = 'reference' | 'snapshot' | 'changes'

/** What a body has in addition; `{}` for a reference. */
export interface Extras {
  /** What code of the host says with an event of its own; absent if there is nothing. */
  readonly data?: EventData
  /** The record as GET shows it to account administrators; null if they do not see it, or it is gone. */
  readonly record?: Json
  /** Values before and after, by name, as the audit shows them; null if the event has no audit line. */
  readonly changes?: Json
  /** What made the change, as the audit shows it; absent if a caller has chosen it. */
  readonly cause?: string
}

/** A delivery that is about to be sent. */
export interface Outbound {
  /** The account of the webhook. */
  readonly accountId: string
  readonly payload: PayloadForm
  readonly message: Pick<Message, 'recordType' | 'recordId' | 'auditLineId'>
}

/** Dependencies of reading. */
export interface ExtrasDeps {
  /** A call that sees what account administrators see. @throws RangeError for an unknown account */
  administratorsCall(accountId: string): Promise<Call>
  readonly find: Operations['find']
  readonly log: Log
}

/**
 * Reads the extras of deliveries, in their order: once for each account and record type among them, and not at all for references.
 * Null if a hook of the host has failed, which is logged: then the attempt has failed with `EXTRAS_UNREADABLE`, and is repeated.
 */
export type ReadExtras = (deliveries: readonly Outbound[]) => Promise<readonly (Extras | null)[]>

/** The failure of a delivery whose extras could not be read. */
export const EXTRAS_UNREADABLE: Fault = { code: 'record_unreadable' }

/** Creates the function. */
export function createReadExtras({ administratorsCall, find, log }: ExtrasDeps): ReadExtras {
  return async (deliveries) => {
    const wanted = deliveries.map(wantedBy)
    const found = new Map<string, ReadonlyMap<number, Json> | null>()
    for (const one of wanted) {
      if (one && !found.has(placeOf(one))) found.set(placeOf(one), await read(one, wanted))
    }
    return wanted.map((one): Extras | null => {
      if (!one) return {}
      const records = found.get(placeOf(one)) ?? null
      if (records === null) return null
      const shown = records.get(one.id) ?? null
      return one.as === 'record' ? { record: shown } : changeIn(shown)
    })
  }

  async function read({ accountId, type }: Wanted, all: readonly (Wanted | null)[]): Promise<ReadonlyMap<number, Json> | null> {
    const ids = [...new Set(all.flatMap((one) => (one?.type === type && one.accountId === accountId ? [one.id] : [])))]
    const values = ids.filter((id) => id > 0)
    if (values.length === 0) return new Map()
    try {
      const call = await administratorsCall(accountId)
      const records = await find(call, type, [{ path: ['id'], op: 'in', values }], values.length)
      return new Map(records.map((record) => [Number(record['id']), record]))
    } catch (error) {
      // The type may be closed to them, or not be in the catalog: then there is nothing that they could see.
      if (error instanceof Forbidden || error instanceof RangeError) return new Map()
      if (!(error instanceof HookFailed || error instanceof ItsmError)) throw error
      log.error({ err: error, accountId, type }, 'A record for deliveries of webhooks could not be read')
      return null
    }
  }
}

/** A record to be read. */
interface Wanted {
  readonly as: 'record' | 'changes'
  readonly accountId: string
  readonly type: string
  /** 0 if there is none. */
  readonly id: number
}

function wantedBy({ accountId, message, payload }: Outbound): Wanted | null {
  if (payload === 'reference') return null
  if (payload === 'snapshot') return { as: 'record', accountId, type: message.recordType, id: message.recordId }
  return { as: 'changes', accountId, type: AUDIT_LINE, id: message.auditLineId ?? 0 }
}

function placeOf({ accountId, type }: Wanted): string {
  return `${accountId} ${type}`
}

function changeIn(line: Json): Extras {
  const { cause, changes = null } = Object(line) as { readonly [name: string]: Json }
  return { changes, ...(typeof cause === 'string' ? { cause } : {}) }
}
