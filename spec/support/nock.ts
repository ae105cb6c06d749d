/**
 * nock for receivers that no machine can really have: names that do not resolve, certificates of others, addresses of clouds.
 * It replaces the global fetch, and so skips our own connections: the guard of addresses is tested on real sockets.
 */
import { after, afterEach, before } from 'mocha'
import nock from 'nock'
import type { DeliveryFetch } from '../../plugin/webhooks/safe-request.js'

// nock changes the process when it is loaded; other blocks need the real network.
nock.restore()

/** Gives the calling block (in `describe`) a network in which only its mocks exist. */
export function withNock(): { readonly nock: typeof nock; readonly fetch: DeliveryFetch } {
  before('takes the network away', () => {
    nock.activate()
    nock.disableNetConnect()
  })
  afterEach(() => nock.cleanAll())
  after('gives the network back', () => {
    nock.enableNetConnect()
    nock.restore()
  })
  // Looked up at each call: nock replaces it.
  return { nock, fetch: (url, init) => fetch(url, init) }
}
