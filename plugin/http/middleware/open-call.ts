import type { CallOptions } from '../../access/people/callers.js'
import { cut } from '../../core/text/cut.js'
import type { Context, Middleware } from '../contract.js'
import type { HttpDeps } from '../deps.js'
import { headerText, isHeaderSent, ownHeader } from '../requests/own-header.js'

/** Maximum length of the field source (spec, common fields). */
const SOURCE_LENGTH = 30

/**
 * Creates the call for the operations: the account of X-SVC-Account, the language of X-SVC-Language, the source of X-SVC-Source
 * or the user agent (spec, Conventions 11 and 12; behaviour: Accounts, Writing).
 */
export function openCall(deps: Pick<HttpDeps, 'callers' | 'headerPrefixes'>): Middleware {
  return async (ctx, next) => {
    const { identity, requestId, route, signal } = ctx.state.itsm
    const options = callOptionsOf(ctx, deps.headerPrefixes, requestId)
    if (signal) options.signal = signal
    if (route?.homeAccount && options.accountId !== undefined) {
      // A header that names a forbidden account is a mistake of the client, even where the endpoint does not use it.
      await deps.callers.callFor(identity, options)
      delete options.accountId
    }
    ctx.state.itsm.call = await deps.callers.callFor(identity, options)
    await next()
  }
}

function callOptionsOf(ctx: Context, prefixes: readonly string[], requestId: string) {
  const header = (name: string) => ownHeader(ctx, prefixes, name)
  const source = header('Source') || headerText(ctx.get('User-Agent')).trim() || 'api'
  const options: { -readonly [K in keyof CallOptions]: CallOptions[K] } = { source: cut(source, SOURCE_LENGTH), requestId }
  const accountId = header('Account')
  // An empty header is not the same as none: a client that lost its setting must not write into the own account.
  if (accountId !== '' || isHeaderSent(ctx, prefixes, 'Account')) options.accountId = accountId
  const language = header('Language')
  if (language !== '') options.language = language
  return options
}
