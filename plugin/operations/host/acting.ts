/** Where the operations of a local API run: each by itself, or all of them in a transaction of the host. */
import type { Call } from '../../core/call.js'
import type { HostTransaction, HostTransactions } from '../../storage/database/host-transaction.js'
import type { Inside } from '../../storage/database/transaction.js'

/** Runs operations of one person, or of the system. */
export interface Acting {
  /** Runs an operation with a call of its own. */
  run<T>(work: (call: Call) => Promise<T>): Promise<T>
  /** Passes on what an operation reads while it is asked for. */
  stream<T>(work: (call: Call) => AsyncIterable<T>): AsyncIterable<T>
}

/** Rows of a stream that are read at once in a transaction of the host, which may be used for something else between them. */
const STREAMED_AT_ONCE = 500

/** Creates the call of an operation, so that roles are current when it runs. */
export type CallNow = (inside?: Inside) => Promise<Call>

/** Runs each operation by itself: one that writes has a transaction of its own. */
export function actingAlone(callNow: CallNow): Acting {
  return {
    run: async (work) => work(await callNow()),
    async *stream(work) {
      yield* work(await callNow())
    },
  }
}

/** Runs all operations in a transaction of the host. @param place name of the function in errors */
export function actingWithin(
  hostTransactions: Pick<HostTransactions, 'within'>,
  place: string,
  transaction: HostTransaction,
  callNow: CallNow,
): Acting {
  return {
    run: (work) => hostTransactions.within(place, transaction, async (inside) => work(await callNow(inside))),
    async *stream<T>(work: (call: Call) => AsyncIterable<T>) {
      // The same call for all rows, which is in the transaction whenever it is used.
      let call: (Call & { transaction?: object }) | null = null
      let rows: AsyncIterator<T> | null = null
      for (let isOver = false; !isOver; ) {
        const some: T[] = []
        await hostTransactions.within(place, transaction, async (inside) => {
          if (call && inside.transaction) Object.assign(call, { transaction: inside.transaction })
          call ??= await callNow(inside)
          rows ??= work(call)[Symbol.asyncIterator]()
          while (!isOver && some.length < STREAMED_AT_ONCE) {
            const { done, value } = await rows.next()
            if (done) isOver = true
            else some.push(value)
          }
        })
        yield* some
      }
    },
  }
}
