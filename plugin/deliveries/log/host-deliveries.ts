/** The log of deliveries for the host's own code, whose arguments are unchecked. */
import type { Call } from '../../core/call.js'
import { BadRequest, Invalid, NotFound } from '../../core/errors.js'
import { shown } from '../../core/text/shown.js'
import type { WordBook } from '../../words/words.js'
import type { DeliveryLog } from './delivery-log.js'
import type { ListedDelivery } from './read-log.js'

/** What is listed: filters as in the API (`event`, `object_id` …), the order (`sort`), and the `page`, from 1. */
export interface DeliveryQuery {
  /** Default: all channels. */
  readonly channel?: string
  /** Id of a record, name of a listener. */
  readonly target?: string | number
  /** `failed`, `failed,dropped`, `!sent`. */
  readonly state?: string
  readonly event?: string
  readonly object_id?: number | string
  /** `>=2026-11-21T09:00:00Z`. */
  readonly created_at?: string
  readonly sort?: string
  readonly page?: number
  /** At most 100. */
  readonly per_page?: number
}

/** What is replayed. */
export interface DeliveryReplay {
  /** The beginning of the time. */
  readonly from: Date
  /** Default: now. */
  readonly to?: Date
  /** `failed` (default): what was given up or dropped; `all`: also what was sent, and what had no delivery. */
  readonly state?: 'failed' | 'all'
  /** Default: all events. */
  readonly event?: string
}

/** Functions of the host. Each throws a TypeError or a RangeError for wrong arguments, and a Conflict where the API says 409. */
export interface HostDeliveries {
  /** A page of deliveries of an account, the newest first, and their total number. */
  list(account: string, query?: DeliveryQuery): Promise<{ readonly items: readonly ListedDelivery[]; readonly total: number }>
  /** Sends a delivery again, now, also after its last attempt. */
  retry(account: string, id: number): Promise<ListedDelivery>
  /** Sends again what a receiver should have had in a time, in order, and returns the number of deliveries. */
  replay(account: string, receiver: number, asked: DeliveryReplay): Promise<{ readonly count: number }>
}

/** Dependencies of these functions. */
export interface HostDeliveriesDeps {
  readonly log: DeliveryLog
  readonly words: Pick<WordBook, 'sentence' | 'fieldLabel'>
  /** Name of the channel whose targets can be replayed. */
  readonly replays: string
  /** @throws RangeError for an unknown account */
  readonly hostCall: (reason: string, account: string) => Promise<Call>
}

const QUERY = new Set(['channel', 'target', 'state', 'event', 'object_id', 'created_at', 'sort', 'page', 'per_page'])

/** Prepares the functions. */
export function createHostDeliveries({ hostCall, log, replays, words }: HostDeliveriesDeps): HostDeliveries {
  const callFor = async (name: string, account: unknown) => {
    if (typeof account !== 'string' || account.trim() === '')
      throw new TypeError(`${name}: the account must be the id of one, not ${shown(account)}`)
    return hostCall(name, account)
  }
  return {
    async list(account, query = {}) {
      const name = 'deliveries.list'
      const call = await callFor(name, account)
      const parameters = parametersOf(name, query)
      const { channel, target } = Object.fromEntries(parameters)
      const place = {
        accountId: call.account.id,
        ...(channel !== undefined && { channel }),
        ...(target !== undefined && { target }),
      }
      const filters = parameters.filter(([one]) => one !== 'channel' && one !== 'target')
      const { items, total } = await explained(name, log.list(call, place, filters))
      return { items, total }
    },
    async retry(account, id) {
      const name = 'deliveries.retry'
      const call = await callFor(name, account)
      checkId(name, 'delivery', id)
      return explained(name, log.retry(call, { accountId: call.account.id }, id))
    },
    async replay(account, receiver, asked) {
      const name = 'deliveries.replay'
      const call = await callFor(name, account)
      checkId(name, replays, receiver)
      const body = Object.fromEntries(
        entriesOf(name, asked).map(([one, value]) => [one, isTime(value) ? value.toISOString() : value]),
      )
      const place = { accountId: call.account.id, channel: replays, target: String(receiver) }
      if (!(await log.has(call, place))) throw new RangeError(`${name}: the account has no ${replays} with the id ${receiver}`)
      return explained(name, log.replay(call, place, body))
    },
  }

  /** Errors of callers of the API, as those of a program. */
  async function explained<T>(name: string, work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      if (error instanceof NotFound) throw new RangeError(`${name}: the account has no such delivery`, { cause: error })
      if (error instanceof BadRequest) throw new RangeError(`${name}: ${error.message}`, { cause: error })
      if (!(error instanceof Invalid)) throw error
      const messages = error.violations.map(([field, code, params]) => words.sentence('en', code, field, params))
      throw new RangeError(`${name}: ${messages.join(', ')}`, { cause: error })
    }
  }
}

function parametersOf(name: string, query: unknown): readonly (readonly [string, string])[] {
  return entriesOf(name, query).map(([one, value]) => {
    if (!QUERY.has(one)) throw new TypeError(`${name}: there is no parameter '${one}'`)
    if (typeof value === 'string' || typeof value === 'number') return [one, String(value)]
    throw new TypeError(`${name}: ${one} must be a text or a number, not ${shown(value)}`)
  })
}

function entriesOf(name: string, given: unknown): readonly (readonly [string, unknown])[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new TypeError(`${name}: the last argument must be an object, not ${shown(given)}`)
  return Object.entries(given).filter(([, value]) => value !== undefined)
}

function checkId(name: string, noun: string, id: unknown): void {
  if (!Number.isSafeInteger(id) || Number(id) < 1) throw new TypeError(`${name}: the ${noun} must be its id, not ${shown(id)}`)
}

function isTime(value: unknown): value is Date {
  return value instanceof Date && !Number.isNaN(value.getTime())
}
