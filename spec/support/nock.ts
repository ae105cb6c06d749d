/**
 * nock for receivers that no machine can play for real: names that do not resolve, certificates of others, addresses of clouds.
 * It sits on the global fetch, and so skips our own connections: the guard of addresses is tried on real sockets.
 */
import { after, afterEach, before } from 'mocha'
import nock from 'nock'
import type { DeliveryFetch } from '../../plugin/webhooks/safe-request.js'

// It takes hold of the process when it is loaded; other blocks want the real network.
nock.restore()

/** Gives the block that calls it (in `describe`) a network in which only what it sets up exists. */
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
  // Looked up when it is called: nock puts another one in its place.
  return { nock, fetch: (url, init) => fetch(url, init) }
}
