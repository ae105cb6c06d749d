/** Preconditions of requests that change something: If-Match, If-Unmodified-Since, If-None-Match (RFC 9110, 13). */
import type { Call } from '../../core/call.js'
import { Forbidden, NotFound, PreconditionFailed } from '../../core/errors.js'
import type { Operations, Output, Precondition } from '../../operations/contract.js'
import type { Context } from '../contract.js'
import { contentIn, contentOf, matchOf, tagsIn } from './etags.js'
import { readHttpDate } from './http-date.js'

/**
 * Reads what a GET of the same URL would show now, without what changes with time alone; null if no tag stands for all of it.
 *
 * @param inside the call in the transaction of the write
 */
export type ReadShown = (inside: Call) => Promise<unknown>

/** For URLs that exist, and that GET does not show: links, and collections in which records are created. */
export const showsNothing: ReadShown = async () => null

/**
 * The precondition of the request, for the operation; undefined if it has none. It is asked in the transaction of the write, so
 * that of several writes with the same tag only one is done (behaviour: Conditional writes).
 */
export function preconditionOf(ctx: Context, call: Call, read: ReadShown): Precondition | undefined {
  const match = matchOf(ctx)
  const noneMatch = ctx.state.itsm.method === 'POST' ? null : headerOf(ctx, 'If-None-Match')
  const none = noneMatch === null ? null : tagsIn(noneMatch)
  const since = match === null ? readHttpDate(ctx.get('If-Unmodified-Since').trim(), Date.parse(call.now)) : null
  if (match === null && none === null && since === null) return undefined

  return async (inside, row) => {
    const updated = row?.['updated_at']
    if (since !== null && typeof updated === 'string' && Date.parse(updated) > since) throw new PreconditionFailed()
    if (none === 'any') throw new PreconditionFailed()
    const asked = match === 'any' ? null : match
    if (asked === null && none === null) return
    const content = await contentNow(inside, read)
    const isOneOf = (tags: readonly string[]) => content !== null && tags.some((tag) => contentIn(tag) === content)
    if (asked !== null && !isOneOf(asked)) throw new PreconditionFailed()
    if (none !== null && isOneOf(none)) throw new PreconditionFailed()
  }
}

/** Refuses preconditions that name a tag, for an array of records: no tag stands for all of them. @throws PreconditionFailed */
export function refuseTags(ctx: Context): void {
  const match = matchOf(ctx)
  const noneMatch = ctx.state.itsm.method === 'POST' ? null : headerOf(ctx, 'If-None-Match')
  if ((match !== null && match !== 'any') || (noneMatch !== null && tagsIn(noneMatch) === 'any')) throw new PreconditionFailed()
}

async function contentNow(inside: Call, read: ReadShown): Promise<string | null> {
  try {
    const shown = await read(inside)
    return shown === null ? null : contentOf(JSON.stringify(shown))
  } catch (error) {
    // A caller who may write what they may not read has no tag of it.
    if (error instanceof NotFound || error instanceof Forbidden) return null
    throw error
  }
}

function headerOf(ctx: Context, name: string): string | null {
  return ctx.req.headers[name.toLowerCase()] === undefined ? null : ctx.get(name)
}

/** Parameters with which a page still shows whole records of the whole collection. */
const WHOLE = new Set(['api_token', '_', 'page', 'per_page', 'sort'])

/**
 * Reads a collection as one page. If there are more records than that, or the parameters choose some of them, no tag stands for
 * what a DELETE of the collection removes.
 */
export function readWhole(
  ctx: Context,
  { list }: Pick<Operations, 'list'>,
  type: string,
  within: object,
  steady: (items: readonly Output[]) => readonly unknown[],
): ReadShown {
  const { parameters } = ctx.state.itsm
  return async (inside) => {
    if (parameters.some(([name]) => !WHOLE.has(name))) return null
    const { items, totalEntries } = await list(inside, type, { parameters, ...within })
    return items.length === totalEntries ? steady(items) : null
  }
}
