import { AS_CALLER, type Call } from '../../../plugin/core/call.js'
import { instantOf } from '../../../plugin/core/clock.js'

/** A call of nobody, outside of transactions. */
export const call: Call = {
  actor: null,
  roles: new Set(),
  account: { id: 'acme', name: 'Acme', locale: 'en', timeZone: 'UTC', organizationId: null, directoryAccountId: null },
  ...AS_CALLER,
  trusted: [],
  language: 'en',
  zone: 'UTC',
  origin: 'host',
  source: 'spec',
  /** Transactions that are committed long after it need a table. */
  get now() {
    return instantOf(new Date())
  },
  requestId: 'spec',
}
