/** POSTs as routes define them: they say what they have done, and are answered afterwards, also when they are repeated. */
import type { Call } from '../core/call.js'
import type { Owner } from '../operations/operations.js'
import type { Context } from './state.js'

/** A record that was created, found or changed; answered as it is when the response is written. */
export interface RecordAnswer {
  readonly status: 200 | 201
  /** The call in the account of the record. */
  readonly call: Call
  readonly record: { readonly type: string; readonly id: number; readonly owner?: Owner }
  /** Path of the record's URL; absent if it is not new. */
  readonly location?: string
  /** Names in the body without effect. */
  readonly ignored: readonly string[]
  /** Fields that appear only on request. */
  readonly also?: readonly string[]
}

/** An answer that is no record. A repeat gets the same: up to 64 KB of JSON are stored. */
export interface ValueAnswer {
  readonly status: 200 | 201
  readonly value: unknown
}

/** Done without a body; 304 says that nothing has changed, so that the same key may be tried again. */
export interface EmptyAnswer {
  readonly status: 204 | 304
  /** Runs after the commit, and not for a repeat: for effects outside of the database. A crash may skip it. */
  readonly afterwards?: () => void
}

/** An answer that is shown once and never stored: a repeat is refused with 422, and does nothing. */
export interface SecretAnswer {
  readonly answerOnce: (ctx: Context, call: Call) => Promise<void>
}

export type PostAnswer = RecordAnswer | ValueAnswer | EmptyAnswer | SecretAnswer

interface Repeated {
  /** The header Idempotency-Key has no effect here. */
  readonly ignoresKey?: true
  /** Refuses callers for the way in which they call, also those who repeat. */
  check?(ctx: Context): void
  /** Throws if the caller may not do this any more. Called for repeats only, which the work itself does not check. */
  again?(ctx: Context, call: Call): Promise<unknown>
}

/** Work in the transaction that stores the key; it may run again after a deadlock, so it does not touch the response. */
export interface Work extends Repeated {
  act(ctx: Context, call: Call): Promise<PostAnswer>
  /** What needs more connections than that of the transaction, before it; returns the call for the work. */
  before?(ctx: Context, call: Call): Promise<Call>
  /** Texts that identify what is created, for repeats without a key; null if the body has none. */
  implies?(ctx: Context, call: Call): readonly string[] | null
}

/** What arrived with a request whose body the route reads itself. */
export interface Received {
  /** The person who sent it. */
  readonly by: { readonly accountId: string; readonly personId: number }
  /** Digest of what was sent; only called for requests with a key. */
  digest(): Promise<string>
  /** True if the work has transactions of its own, and no effect that anybody sees before it is answered. */
  readonly isOutside?: true
}

/** Does the work and sends its result; a repeat gets the result of the first request. */
export type RespondOnce = (received: Received, work: (call: Call) => Promise<PostAnswer>) => Promise<void>

/** For bodies that are streams: reads the body, then passes the work on. */
export interface Receiving extends Repeated {
  receive(ctx: Context, call: Call, respond: RespondOnce): Promise<void>
}

/** A POST. Nearly all of them accept the header Idempotency-Key (behaviour: Repeated requests). */
export type Post = Work | Receiving
