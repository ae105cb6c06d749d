import { BadRequest } from '../../core/errors.js'
import { checkBudget } from '../../core/json-text.js'
import { textInUtf8 } from '../../core/text/utf8.js'
import { isPicture } from '../../schema/kinds/string.js'
import type { Context, HttpState, Middleware } from '../contract.js'
import type { HttpDeps } from '../deps.js'
import { keyOfCaller } from '../requests/caller-key.js'
import { textOf } from '../requests/form-pairs.js'
import { bytesOfTexts, checkForm, cleanParsed, parseForm, parseJsonObject, refuseLost } from '../requests/json-body.js'
import { createLargeBodies, LARGE, MANY } from '../requests/large-bodies.js'
import { cleanMany, isArrayText, parseMany } from '../requests/many-bodies.js'
import { checkSize, hasBody, readAll, tooBig, type WhenLarge } from '../requests/request-bytes.js'

/** Maximum bytes of a JSON or form body. Texts have at most 64 KB. */
const LIMIT = 2 ** 19
/** Maximum bytes of a body of a type with a picture, which has 1 MB before encoding; other files are uploaded. */
const LIMIT_WITH_PICTURE = 3 * 2 ** 19
/**
 * Maximum bytes of an array of bodies, and of what is read of any other body: what is wrong with the names in a body tells its
 * sender more than the limit of its size.
 */
const READ_LIMIT = 2 ** 21

/** Limits of the bodies of a route, and what it takes. */
interface Limits {
  readonly isForm: boolean
  /** True if the body may be an array of bodies. */
  readonly takesMany: boolean
  /** Maximum bytes of a body, also of each one in an array. */
  readonly limit: number
  readonly large: WhenLarge
}

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
    let isInside = false
    const enter = () => {
      signal?.throwIfAborted()
      if (isInside) return
      isInside = true
      leave = largeBodies.enter(keyOfCaller(ctx))
      // A hook of the host may never end, but the time of the call does.
      signal?.addEventListener('abort', leave)
    }
    const takesMany = route !== null && 'post' in route && 'many' in route.post
    const limit = withPicture.has(route?.type ?? '') ? LIMIT_WITH_PICTURE : LIMIT
    const limits = { isForm, takesMany, limit, large: { above: LARGE, enter } }
    try {
      if (ctx.req.readableDidRead) {
        if (!warned) log.warn({ path: ctx.path }, 'A body parser of the host runs before koa-itsm; mount koa-itsm before it')
        warned = true
        Object.assign(ctx.state.itsm, fromHost(ctx, limits))
      } else if (hasBody(ctx.req)) {
        const chunks = await readAll(ctx.req, READ_LIMIT, limits.large)
        const size = chunks.reduce((sum, { length }) => sum + length, 0)
        if (size > limit && !(takesMany && isArrayText(beginningOf(chunks)))) refuseSize(signsIn(chunks), isForm, limit)
        Object.assign(ctx.state.itsm, parse(decode(chunks, isForm), limits))
      }
      if ((ctx.state.itsm.bodies?.length ?? 0) > MANY) enter()
      await next()
    } finally {
      leave()
    }
  }
}

type Parsed = Partial<Pick<HttpState, 'bodies' | 'body'>>

/**
 * The result of the host's parser: the text itself, a text of a type that it does not know, or an object. What the request
 * announces says nothing of its size: it may be compressed.
 */
function fromHost(ctx: Context, limits: Limits): Parsed {
  const { isForm, limit, large, takesMany } = limits
  const { body, rawBody } = ctx.request as { body?: unknown; rawBody?: unknown }
  const text = typeof rawBody === 'string' ? rawBody : body
  if (typeof text === 'string') {
    const bytes = Buffer.byteLength(text)
    checkSize(bytes, READ_LIMIT, large)
    if (bytes > limit && !(takesMany && isArrayText(text))) refuseSize(text, isForm, limit)
    return parse(text, limits)
  }
  if (takesMany && Array.isArray(body)) {
    const bodies = cleanMany(body, limit, refuseLost)
    checkSize(bytesOfTexts(bodies), READ_LIMIT, large)
    return { bodies }
  }
  if (body !== undefined) {
    const object = cleanParsed(body)
    checkSize(bytesOfTexts(object), limit, large)
    return { body: object }
  }
  if (hasBody(ctx.req))
    throw new Error('The request body was already consumed and ctx.request.body is empty; mount koa-itsm before body parsers')
  return {}
}

function parse(text: string, { isForm, limit, takesMany }: Limits): Parsed {
  if (text.trim() === '') return {}
  if (takesMany && isArrayText(text)) return { bodies: parseMany(text, limit) }
  return { body: isForm && !isJson(text) ? parseForm(text) : parseJsonObject(text) }
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

/** The first signs of the text, without a byte order mark. */
function beginningOf(chunks: readonly Buffer[]): string {
  return signsIn(chunks.slice(0, 1)).replace(/^\xef\xbb\xbf/, '')
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
