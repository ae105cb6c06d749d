/** Reads a small JSON body before the caller is known. */
import { BadRequest, ItsmError } from '../../core/errors.js'
import { textInUtf8 } from '../../core/text/utf8.js'
import { inTime, NoAnswer } from '../../core/waiting/in-time.js'
import type { Context } from '../contract.js'
import { bytesOfTexts, cleanObject, type JsonObject, parseJsonObject } from './json-body.js'
import { hasBody, readAll, tooBig } from './request-bytes.js'

/** Maximum bytes of a body: an address and a password have a few hundred. */
const LIMIT = 2 ** 14
/** Milliseconds in which a body must arrive: its sender is unknown, and could keep connections open. */
const ARRIVES_WITHIN = 10_000

/**
 * The object in the body of the request, whether a parser of the host has read it or not; empty without a body.
 *
 * @param within milliseconds in which it must arrive
 * @throws BadRequest, ItsmError with status 408 or 413
 */
export async function readSmallJson(ctx: Context, within = ARRIVES_WITHIN): Promise<JsonObject> {
  const text = ctx.req.readableDidRead ? fromHost(ctx) : hasBody(ctx.req) ? await textOf(ctx, within) : ''
  if (typeof text !== 'string') return text
  return text.trim() === '' ? {} : parseJsonObject(text.replace(/^\ufeff/, ''))
}

async function textOf({ req }: Context, within: number): Promise<string> {
  try {
    const text = textInUtf8(await inTime(within, readAll(req, LIMIT)))
    if (text === null) throw new BadRequest('Invalid JSON string posted')
    return text
  } catch (error) {
    throw error instanceof NoAnswer ? new ItsmError(408, 'The body did not arrive in time') : error
  }
}

/** The result of the host's parser: the text itself, or an object. */
function fromHost(ctx: Context): string | JsonObject {
  const { body = {}, rawBody } = ctx.request as { body?: unknown; rawBody?: unknown }
  const text = typeof rawBody === 'string' ? rawBody : body
  if (typeof text === 'string') {
    if (Buffer.byteLength(text) > LIMIT) throw tooBig(LIMIT)
    return text
  }
  const object = cleanObject(text)
  if (bytesOfTexts(object) > LIMIT) throw tooBig(LIMIT)
  return object
}
