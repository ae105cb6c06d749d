import { AsyncResource } from 'node:async_hooks'
import type { Context, Middleware } from '../contract.js'
import type { HttpDeps } from '../deps.js'
import { routePattern } from '../requests/route-pattern.js'

/** Version, trace, span and flags, as W3C Trace Context has them: no zeros alone, and no version ff. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/**
 * Tells the host of each call when its response has ended, and logs it (behaviour: Watching). Without a host that wants to know,
 * it does nothing at all.
 */
export function watchRequests(deps: Pick<HttpDeps, 'log' | 'logRequests' | 'observer'>): Middleware {
  const { log, logRequests, observer } = deps
  const tell = observer?.request
  if (!tell && !logRequests) return (_ctx, next) => next()
  const ended = (ctx: Context) => {
    const facts = factsOf(ctx)
    if (logRequests) {
      const { traceparent: _trace, ...line } = facts
      log.info(line, 'A call has ended')
    }
    tell?.(facts)
  }
  return (ctx, next) => {
    // In the context of the call: a tracer of the host finds its span there.
    ctx.res.once(
      'close',
      AsyncResource.bind(() => ended(ctx)),
    )
    return next()
  }
}

function factsOf(ctx: Context) {
  const { call, identity, requestId, startedAt } = ctx.state.itsm
  const trace = ctx.get('traceparent')
  return {
    method: ctx.method,
    route: routePattern(ctx.state.itsm),
    status: ctx.res.headersSent ? ctx.res.statusCode : null,
    ms: Math.round((performance.now() - startedAt) * 1000) / 1000,
    personId: (call?.actor ?? identity?.actor)?.id ?? null,
    accountId: call?.account.id ?? null,
    requestId,
    traceparent: TRACEPARENT.test(trace) ? trace : null,
  }
}
