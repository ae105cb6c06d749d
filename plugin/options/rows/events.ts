/** Options about events, and deliveries of webhooks. */
import { mistakeInNetwork } from '../../core/public-address.js'
import { shown } from '../../core/text/shown.js'
import { VERSION } from '../../core/version.js'
import type { DeliveryFetch } from '../../webhooks/safe-request.js'
import { each, matching, WHOLE, WITHIN_TIMER } from '../checks.js'
import type { AccountAddress } from '../hook-tables.js'
import { amount, flag, group, list, text, typed } from '../kinds.js'

export const EVENTS = {
  events: group({
    /**
     * Days for which events are kept after they have happened, with all deliveries of them and their attempts: for the log, for
     * replays and the feed. `0` keeps what waits to be sent, and nothing else. Default: `30`.
     */
    keepDays: amount({ default: 30 }, WHOLE),
  }),
  webhooks: group({
    /** Lets webhooks reach private and loopback addresses: for development. Default: `false`. */
    allowPrivateAddresses: flag(false),
    /** Networks that webhooks may reach although they are not public: `['10.1.0.0/16', 'fd00::/8']`. Default: none. */
    allowNetworks: list<string>({ default: [], check: each(mistakeInAllowed) }),
    /**
     * Sends deliveries in place of the plugin, for example through a proxy:
     * `(url, init) => fetch(url, { ...init, dispatcher })`. It then resolves host names itself; IP addresses in URLs are still
     * checked by the plugin. Default: the plugin's own.
     */
    fetch: typed<DeliveryFetch>('function'),
    /** Milliseconds that a receiver may take. Default: `10000` ms. */
    timeoutMs: amount({ default: 10_000, unit: 'ms' }, WITHIN_TIMER, WHOLE, [
      (value) => value === 0,
      'must be more than 0, otherwise every delivery times out',
    ]),
    /** Header `User-Agent` of deliveries. Default: `koa-itsm/<version> (<baseUrl>/openapi.json)`. */
    userAgent: text({
      default: ({ baseUrl }) => `koa-itsm/${VERSION} (${new URL(`${baseUrl}/openapi.json`).href})`,
      check: matching(/^[\x21-\x7e]([\x20-\x7e]{0,998}[\x21-\x7e])?$/, 'must be printable ASCII, without spaces at its ends'),
    }),
  }),
  /**
   * `(accountId) => url` of the account in your user interface, for webhooks. If `baseUrl` has an IP address, the default is
   * `http://<ip>/<account>`. Default: `https://<account>.<host of baseUrl>`.
   */
  accountAddress: typed<AccountAddress>('function'),
}

function mistakeInAllowed(network: unknown): string | null {
  const mistake = mistakeInNetwork(network)
  return mistake === null ? null : `${shown(network)} ${mistake}`
}
