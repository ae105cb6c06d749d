/** Reads a URL-encoded form of which nothing may be lost: with the names that occur several times, unlike `readBody`. */
import { ItsmError } from '../../core/errors.js'
import { textInUtf8 } from '../../core/text/utf8.js'
import { inTime, NoAnswer } from '../../core/waiting/in-time.js'
import type { Context } from '../contract.js'
import { OAuthRefusal } from './oauth-refusal.js'
import { hasBody, readAll } from './request-bytes.js'

/** Parameters of a form in their order. */
export type Form = readonly (readonly [name: string, value: string])[]

/** Maximum bytes of a form: a request for a token has a few hundred. */
const LIMIT = 2 ** 14
/** Milliseconds in which a form must arrive: its sender is unknown, and could keep connections open. */
const ARRIVES_WITHIN = 10_000

/**
 * The form in the body of the request, whether a parser of the host has read it or not.
 *
 * @param within milliseconds in which it must arrive
 * @throws OAuthRefusal for any other kind of body
 */
export async function readForm(ctx: Context, within = ARRIVES_WITHIN): Promise<Form> {
  if (!ctx.request.is('urlencoded')) throw invalid('The body must be application/x-www-form-urlencoded')
  if (ctx.req.readableDidRead) return formFromHost(ctx)
  return hasBody(ctx.req) ? formIn(decode(await bytesOf(ctx, within))) : []
}

async function bytesOf({ req }: Context, within: number): Promise<readonly Buffer[]> {
  try {
    return await inTime(within, readAll(req, LIMIT))
  } catch (error) {
    if (error instanceof NoAnswer) throw invalid('The body did not arrive in time', 408)
    throw error instanceof ItsmError ? invalid(error.message, error.status) : error
  }
}

/** The result of the host's parser: the text itself, or an object in which several values of a name are a list. */
function formFromHost(ctx: Context): Form {
  const { body = {}, rawBody } = ctx.request as { body?: unknown; rawBody?: unknown }
  const text = typeof rawBody === 'string' ? rawBody : body
  if (typeof text === 'string') {
    if (Buffer.byteLength(text) > LIMIT) throw invalid('Body is too big', 413)
    return formIn(text)
  }
  return Object.entries(Object(text) as object).flatMap(([name, value]): Form => {
    if (typeof value === 'string') return [[name, value]]
    if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.map((one) => [name, one] as const)
    throw invalid('A parameter must be a text')
  })
}

function formIn(text: string): Form {
  return [...new URLSearchParams(text)]
}

function decode(chunks: readonly Buffer[]): string {
  const text = textInUtf8(chunks)
  if (text === null) throw invalid('The body must be encoded in UTF-8')
  return text
}

function invalid(message: string, status = 400): OAuthRefusal {
  return new OAuthRefusal('invalid_request', message, { status })
}
