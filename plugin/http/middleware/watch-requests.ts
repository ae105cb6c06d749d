import { AsyncResource } from 'node:async_hooks'
import type { RequestFacts } from '../../core/observe.js'
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
    const line = lineOf(ctx)
    if (logRequests) log.info(line, 'A call has ended')
    tell?.({ ...line, traceparent: traceparentOf(ctx) })
  }
  return (ctx, next) => {
    // In the context of the call: a tracer of the host finds its span there. Binding a function to it costs fifty times as much.
    const around = new AsyncResource('koa-itsm call', { requireManualDestroy: true })
    ctx.res.once('close', () => around.runInAsyncScope(ended, null, ctx))
    return next()
  }
}

/** What is logged of a call. */
function lineOf(ctx: Context): Omit<RequestFacts, 'traceparent'> {
  const { call, identity, requestId, startedAt } = ctx.state.itsm
  return {
    method: ctx.method,
    route: routePattern(ctx.state.itsm),
    status: ctx.res.headersSent ? ctx.res.statusCode : null,
    ms: Math.round((performance.now() - startedAt) * 1000) / 1000,
    personId: (call?.actor ?? identity?.actor)?.id ?? null,
    accountId: call?.account.id ?? null,
    requestId,
  }
}

function traceparentOf(ctx: Context): string | null {
  const trace = ctx.get('traceparent')
  return TRACEPARENT.test(trace) ? trace : null
}
