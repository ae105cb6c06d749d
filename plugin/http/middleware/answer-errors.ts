import {
  BadRequest,
  Forbidden,
  Gone,
  Invalid,
  ItsmError,
  NotAcceptable,
  NotFound,
  Unauthenticated,
  type Violation,
} from '../../core/errors.js'
import { MAX_FILE_BYTES, tooBig } from '../../core/file-sizes.js'
import { DEFAULT_LANGUAGE } from '../../words/languages.js'
import { answerFailure } from '../answers/answer.js'
import { messageFor, type Sentence, sentencesOf } from '../answers/error-texts.js'
import { PROBLEM_TYPE, problemError, problemOf, wantsProblem } from '../answers/problem-details.js'
import type { Context, Middleware } from '../contract.js'
import type { ErrorDeps } from '../deps.js'
import { OAuthRefusal } from '../requests/oauth-refusal.js'
import { bodyNamesOf, pointerTo } from '../requests/pointers.js'

/** Turns all errors from below into a JSON response (spec, Errors; behaviour: Error responses). */
export function answerErrors(deps: ErrorDeps): Middleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      try {
        answerError(deps, ctx, error)
      } catch (failure) {
        // The texts of a host's language may fail, too; without a violation none are needed.
        answerError(deps, ctx, new ItsmError(500, 'Internal Server Error', { cause: failure }))
      }
    }
  }
}

/**
 * Responds with an error. Deliberate errors keep their status and headers, and their message below 500; errors of body parsers
 * become the matching 4xx; all others are logged, and their text is not sent.
 */
export function answerError(deps: ErrorDeps, ctx: Context, thrown: unknown): void {
  const error = understand(deps, thrown)
  if (error.status >= 500) log(deps, ctx, thrown, error)
  // Headers that the endpoint has already set do not apply to the error.
  for (const header of ['ETag', 'Location', 'Link', 'Content-Language']) ctx.remove(header)
  ctx.set({ ...error.headers })
  answerFailure(ctx, error.status, ...bodyOf(deps, ctx, error))
}

function bodyOf(deps: ErrorDeps, ctx: Context, error: ItsmError): [body: object, type?: string] {
  // The form of these is that of OAuth, whatever the client prefers (RFC 6749, 5.2).
  if (error instanceof OAuthRefusal) return [{ error: error.code, error_description: error.message }]
  const refusals = error instanceof Invalid ? refusalsOf(deps, ctx, error) : undefined
  const message = messageFor(error)
  const where = error instanceof Gone ? { oldest: error.oldest } : {}
  if (!wantsProblem(ctx)) {
    const errors = refusals?.map(([[field], text]) => [field, text])
    return [{ message, ...where, ...(errors && { errors }) }]
  }
  ctx.vary('Accept')
  const errors = refusals?.map(([violation, text]) => problemError(violation, text, pointerIn(deps, ctx, violation)))
  return [{ ...problemOf(error.status, message, errors), ...where }, PROBLEM_TYPE]
}

/** The violations with their messages for people. */
function refusalsOf(deps: ErrorDeps, ctx: Context, { violations }: Invalid): readonly Sentence[] {
  const { call, route } = ctx.state.itsm
  const language = call?.language ?? DEFAULT_LANGUAGE
  ctx.set('Content-Language', deps.words.languageOf(language))
  return sentencesOf(deps, language, route?.type ?? '', violations)
}

/** Requests without a body, and violations of parameters, have no pointer. Those of forms may be in the query as well. */
function pointerIn({ catalog }: ErrorDeps, ctx: Context, [field, code]: Violation): string | null {
  const { body, parameters, route } = ctx.state.itsm
  const hasFields = route?.body === 'json' || (route?.body === 'form' && Object.keys(body).length > 0)
  if (!hasFields || (code === 'unknown_parameter' && !Object.hasOwn(body, field)) || field === 'idempotency_key') return null
  const type = catalog.types.get(route.type ?? '')
  if (route.body === 'form' && bodyNamesOf(type, field).some((name) => parameters.some(([sent]) => sent === name))) return null
  return pointerTo(body, type, field)
}

function understand(deps: ErrorDeps, thrown: unknown): ItsmError {
  if (thrown instanceof ItsmError) return thrown
  return deps.databaseFault(thrown) ?? errorOfParser(thrown) ?? new ItsmError(500, 'Internal Server Error', { cause: thrown })
}

/** http-errors have `status`, formidable has `httpCode`; both are 4xx only if the request caused the error. */
function errorOfParser(thrown: unknown): ItsmError | null {
  const { status, httpCode } = Object(thrown) as { status?: unknown; httpCode?: unknown }
  const code = typeof status === 'number' ? status : httpCode
  if (typeof code !== 'number' || code < 400 || code > 499) return null
  if (code === 413) return new Invalid([tooBig('file', MAX_FILE_BYTES)])
  if (code === 401) return new Unauthenticated()
  if (code === 403) return new Forbidden()
  if (code === 404) return new NotFound()
  if (code === 406) return new NotAcceptable()
  return new BadRequest('Bad Request', thrown)
}

function log(deps: ErrorDeps, ctx: Context, thrown: unknown, error: ItsmError): void {
  // Only the path: the query may contain an API token.
  const details = { err: thrown, requestId: ctx.state.itsm.requestId, method: ctx.method, path: ctx.path }
  deps.log.error(details, `Answered with ${error.status}`)
}
