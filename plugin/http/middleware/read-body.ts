import { BadRequest } from '../../core/errors.js'
import { checkBudget } from '../../core/json-text.js'
import { textInUtf8 } from '../../core/text/utf8.js'
import { isPicture } from '../../schema/kinds/string.js'
import type { Context, Middleware } from '../contract.js'
import type { HttpDeps } from '../deps.js'
import { keyOfCaller } from '../requests/caller-key.js'
import { textOf } from '../requests/form-pairs.js'
import { bytesOfTexts, checkForm, cleanObject, type JsonObject, parseForm, parseJsonObject } from '../requests/json-body.js'
import { createLargeBodies, LARGE } from '../requests/large-bodies.js'
import { checkSize, hasBody, readAll, tooBig, type WhenLarge } from '../requests/request-bytes.js'

/** Maximum bytes of a JSON or form body. Texts have at most 64 KB. */
const LIMIT = 2 ** 19
/** Maximum bytes of a body of a type with a picture, which has 1 MB before encoding; other files are uploaded. */
const LIMIT_WITH_PICTURE = 3 * 2 ** 19
/** Maximum bytes that are read: what is wrong with the names in a body tells its sender more than the limit of its size. */
const READ_LIMIT = 2 ** 21

/**
 * Reads the body if the route needs one. It is parsed here, whatever the content type is (behaviour: Error responses), unless a
 * parser of the host ran before: then its result is used, and a warning is logged once. A large body takes one of the few places
 * of its caller until the call has ended, in whatever way (behaviour: Error responses).
 */
export function readBody({ catalog, log }: Pick<HttpDeps, 'catalog' | 'log'>): Middleware {
  let warned = false
  const types = [...catalog.types.values()].filter(({ fields }) => [...fields.values()].some(isPicture))
  const withPicture = new Set(types.map(({ name }) => name))
  const largeBodies = createLargeBodies()
  return async (ctx, next) => {
    const { route, signal } = ctx.state.itsm
    const kind = route?.body ?? 'none'
    if (kind === 'none' || kind === 'own') return next()
    const isForm = kind === 'form' && Boolean(ctx.request.is('urlencoded'))
    let leave = () => {}
    const enter = () => {
      signal?.throwIfAborted()
      leave = largeBodies.enter(keyOfCaller(ctx))
      // A hook of the host may never end, but the time of the call does.
      signal?.addEventListener('abort', leave)
    }
    const limit = withPicture.has(route?.type ?? '') ? LIMIT_WITH_PICTURE : LIMIT
    const large = { above: LARGE, enter }
    try {
      if (ctx.req.readableDidRead) {
        if (!warned) log.warn({ path: ctx.path }, 'A body parser of the host runs before koa-itsm; mount koa-itsm before it')
        warned = true
        ctx.state.itsm.body = fromHost(ctx, isForm, limit, large)
      } else if (hasBody(ctx.req)) {
        const chunks = await readAll(ctx.req, READ_LIMIT, large)
        if (chunks.reduce((size, { length }) => size + length, 0) > limit) refuseSize(signsIn(chunks), isForm, limit)
        ctx.state.itsm.body = parse(decode(chunks, isForm), isForm)
      }
      await next()
    } finally {
      leave()
    }
  }
}

/**
 * The result of the host's parser: the text itself, a text of a type that it does not know, or an object. What the request
 * announces says nothing of its size: it may be compressed.
 */
function fromHost(ctx: Context, isForm: boolean, limit: number, large: WhenLarge): JsonObject {
  const { body, rawBody } = ctx.request as { body?: unknown; rawBody?: unknown }
  const text = typeof rawBody === 'string' ? rawBody : body
  if (typeof text === 'string') {
    const bytes = Buffer.byteLength(text)
    checkSize(bytes, READ_LIMIT, large)
    if (bytes > limit) refuseSize(text, isForm, limit)
    return parse(text, isForm)
  }
  if (body !== undefined) {
    const object = cleanObject(body)
    checkSize(bytesOfTexts(object), limit, large)
    return object
  }
  if (hasBody(ctx.req))
    throw new Error('The request body was already consumed and ctx.request.body is empty; mount koa-itsm before body parsers')
  return {}
}

function parse(text: string, isForm: boolean): JsonObject {
  if (text.trim() === '') return {}
  return isForm && !isJson(text) ? parseForm(text) : parseJsonObject(text)
}

function isJson(text: string): boolean {
  return /^\s*[{[]/.test(text)
}

/** @throws BadRequest for a body that is over the budget of names, ItsmError with status 413 for any other */
function refuseSize(text: string, isForm: boolean, limit: number): never {
  if (isForm && !isJson(text)) checkForm(text)
  else checkBudget(text)
  throw tooBig(limit)
}

/** The text with the signs that are counted, which are the same in all encodings. */
function signsIn(chunks: readonly Buffer[]): string {
  return chunks.map((chunk) => chunk.toString('latin1')).join('')
}

function decode(chunks: readonly Buffer[], isForm: boolean): string {
  const text = isForm ? textOf(chunks) : textInUtf8(chunks)
  if (text === null) throw new BadRequest('Invalid JSON string posted')
  return text.replace(/^\ufeff/, '')
}
