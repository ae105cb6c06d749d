/** Options about limits: how long things may take, and how many calls a person may make. */
import { HOOK_WITHIN } from '../../core/waiting/ask-host.js'
import { CALL_WITHIN } from '../../core/waiting/in-time.js'
import { STATEMENT_WITHIN } from '../../storage/database/connections.js'
import { all, amountWith, isTime } from '../checks.js'
import { amount, duration, group, oneOf, typed } from '../kinds.js'
import type { Check } from '../option.js'

export const LIMITS = {
  timeouts: group({
    /** Milliseconds that a request may take; then the response is 504. See operating.md: In production. Default: `20000` ms. */
    callMs: duration({ default: CALL_WITHIN }),
    /** Milliseconds that the database may take for one statement. Default: `15000` ms. */
    statementMs: duration({ default: STATEMENT_WITHIN }),
    /**
     * Milliseconds that a hook of `people`, `authorize` or `scope` may take; then the response is 504, and the log names the
     * hook. Less than `timeouts.callMs`. Default: `10000` ms, or half of `timeouts.callMs` if that is less.
     */
    hookMs: duration({ default: ({ timeouts }) => Math.min(HOOK_WITHIN, timeouts.callMs / 2), check: mistakesInHookMs }),
  }),
  targets: group({
    /**
     * Percentage of the work hours until the response or resolution target of a request after which `request.target-warning`
     * follows; more than 0, less than 100. Another value counts for targets that are computed from then on. Default: `75`.
     */
    warnAtPercent: amount({ default: 75 }, [(value) => value <= 0 || value >= 100, 'must be more than 0 and less than 100']),
  }),
  rateLimit: group({
    /** Requests per hour and person, 1 or more (anonymous callers: per IP address, IPv6: per /64 network). Default: `3600`. */
    perHour: amount({ default: 3600 }, [(value) => value < 1, 'must be 1 or more, otherwise every call is refused']),
    /**
     * Requests within `rateLimit.burstMs`; refused ones do not count for the hour. `false` removes this limit. Default: `20`.
     */
    burst: typed<number | false>('number or boolean', {
      default: 20,
      check: all(amountWith([[(value) => value < 1, 'must be 1 or more, or false for no such limit']]), (burst, path) =>
        burst === true ? [`${path}: must be a number, or false for no such limit`] : [],
      ),
    }),
    // The counter never ends a burst of 0, and ends one that is longer than a timer at once.
    /** Milliseconds within which a person may make `rateLimit.burst` requests. Default: `2000` ms. */
    burstMs: duration({ default: 2000 }),
    /** `'database'`: all processes share the counts. Default: `'memory'`. */
    store: oneOf(['memory', 'database'], 'memory'),
  }),
}

function mistakesInHookMs(...[hookMs, path, { timeouts }]: Parameters<Check>): readonly string[] {
  const { callMs = CALL_WITHIN } = Object(timeouts) as { readonly callMs?: unknown }
  const isLate = isTime(hookMs) && isTime(callMs) && hookMs >= callMs
  return isLate ? [`${path}: must be less than timeouts.callMs, otherwise the call ends first`] : []
}
