import { Unauthenticated } from '../../core/errors.js'
import type { Context, Identity } from '../contract.js'
import type { HttpDeps } from '../deps.js'
import { sessionCookie } from '../requests/session-cookie.js'

/** Dependencies of finding the caller by a session. */
export type SessionCallerDeps = Pick<HttpDeps, 'baseUrl' | 'headerPrefixes' | 'sessions'>

/** Finds callers by the cookie of their session. */
export interface SessionCaller {
  /** True for calls of pages, which sign people in themselves: a browser must not ask for a password. */
  asks(ctx: Pick<Context, 'get'>): boolean
  /**
   * The caller; null if the request has no cookie, or not the header that makes it count.
   *
   * @throws Unauthenticated for a session that is unknown or has ended
   */
  find(ctx: Pick<Context, 'get' | 'ip'>): Promise<Identity | null>
}

/** Prepares finding callers by the session of a page; none are found if sessions are not offered. */
export function createSessionCaller({ baseUrl, headerPrefixes, sessions }: SessionCallerDeps): SessionCaller {
  const cookie = sessionCookie({ baseUrl, headerPrefixes })
  return {
    asks: cookie.isOfPage,
    async find(ctx) {
      if (!sessions || !cookie.isOfPage(ctx)) return null
      const [text, ...others] = cookie.values(ctx)
      if (text === undefined) return null
      const actor = others.length === 0 ? await sessions.find(text, ctx.ip) : null
      if (!actor) throw new Unauthenticated()
      return { actor, signedInWith: 'session' }
    },
  }
}
