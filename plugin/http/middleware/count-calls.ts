import { TooManyRequests } from '../../core/errors.js'
import { setHeaders } from '../answers/answer.js'
import type { Context, Middleware } from '../contract.js'
import type { HttpDeps } from '../deps.js'
import { keyOfAddress, keyOfCaller } from '../requests/caller-key.js'

type Deps = Pick<HttpDeps, 'rateLimits'>

/**
 * Counts calls that fail before their caller is known by their IP address, so that these responses have the headers, too, and
 * guessing is limited (behaviour: Rate limits).
 */
export function countAnonymous(deps: Deps): Middleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      if (ctx.state.itsm.figures === null) await countFailed(deps, ctx, error)
      throw error
    }
  }
}

/**
 * Counts the call of a known caller by the login, and an anonymous one by its IP address (spec, Limits). Files without
 * credentials are not counted if they exist: a page may show more pictures than a caller may request at once.
 */
export function countCall(deps: Deps): Middleware {
  return async (ctx, next) => {
    const { identity, route } = ctx.state.itsm
    if (!identity?.actor && route?.uncounted) return next()
    await count(deps, ctx, keyOfCaller(ctx))
    await next()
  }
}

/** Bodies of an array that count as one call. */
const BODIES_PER_CALL = 20

/** Counts an array of bodies as one call for each 20 of them, of which the first is counted already (behaviour: Arrays of records). */
export function countBodies(deps: Deps): Middleware {
  return async (ctx, next) => {
    const further = Math.ceil((ctx.state.itsm.bodies?.length ?? 0) / BODIES_PER_CALL) - 1
    if (further > 0) await count(deps, ctx, keyOfCaller(ctx), further)
    await next()
  }
}

/** Counts a call that failed. An error with its own waiting time is kept: the burst limit would return a shorter one. */
async function countFailed(deps: Deps, ctx: Context, error: unknown): Promise<void> {
  try {
    await count(deps, ctx, keyOfAddress(ctx))
  } catch (failure) {
    if (!(error instanceof TooManyRequests)) throw failure
  }
}

async function count({ rateLimits }: Deps, ctx: Context, key: string, further = 0): Promise<void> {
  const figures = await rateLimits.count(key, further)
  ctx.state.itsm.figures = figures
  setHeaders(ctx, {
    'X-RateLimit-Limit': String(figures.limit),
    'X-RateLimit-Remaining': String(figures.remaining),
    'X-RateLimit-Reset': String(figures.resetAt),
  })
  if (figures.retryAfter !== null) throw new TooManyRequests(figures.retryAfter)
}
