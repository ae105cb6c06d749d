import { AS_CALLER, type Call } from '../../../plugin/core/call.js'

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
  now: '2026-11-21T09:30:00Z',
  requestId: 'spec',
}
