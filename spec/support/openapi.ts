/** Holds requests and answers against an OpenAPI document, in both directions. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formatsOf from 'ajv-formats'
import type { CaseExchange } from '../../plugin/testing/index.js'
import type { Mounted } from './mounted.js'

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: {
    readonly [status: string]: { readonly $ref?: string; readonly content?: Content; readonly headers?: object }
  }
}
type Content = { readonly [mediaType: string]: { readonly schema: object } }
interface Parameter {
  readonly $ref?: string
  readonly name?: string
  readonly in?: string
  readonly schema?: { readonly type?: string }
}
export interface OpenapiDocument {
  readonly paths: { readonly [path: string]: { readonly [verb: string]: Operation } }
  readonly components: { readonly [kind: string]: { readonly [name: string]: object } }
}

/** A request and its answer. */
export type Exchange = CaseExchange

export interface OpenapiCheck {
  /** What the document does not say of the exchange; nothing when it says all. */
  differences(exchange: Exchange): readonly string[]
  /** The operation that an address and a verb mean. */
  operation(method: string, path: string): Operation | null
}

/** Headers that are described wherever they occur. */
const DESCRIBED_HEADERS = ['X-Ignored-Fields', 'Preference-Applied']
const NOT_THERE = new Set([401, 404, 406])
/** Names of parameters that any request may have without meaning anything (gaps 1.5). */
const ALWAYS = new Set(['_', 'format', 'locale', 'attachment_upload_token', 'per_page', 'state', 'page', 'sort', 'fields'])

/** Documents that differ only in where their server is are checked by the same functions, which take seconds to make. */
const prepared = new Map<string, OpenapiCheck>()

/** Prepares a document. */
export function checkAgainst(document: OpenapiDocument): OpenapiCheck {
  const text = JSON.stringify({ ...document, servers: [] })
  const check = prepared.get(text) ?? prepare(document)
  prepared.set(text, check)
  return check
}

function prepare(document: OpenapiDocument): OpenapiCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
  formatsOf.default(ajv)
  ajv.addSchema({ $id: 'document', ...document })
  const compiled = new Map<string, ValidateFunction>()
  const validatorAt = (pointer: string): ValidateFunction => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` })
    compiled.set(pointer, known)
    return known
  }
  const templates = Object.entries(document.paths).map(([path, verbs]) => {
    const ids = new Set(
      Object.values(verbs).flatMap(({ parameters = [] }) => parameters.filter(isId).map(({ name }) => `{${name}}`)),
    )
    return { path, segments: path.split('/'), fixed: fixedIn(path), ids }
  })
  templates.sort((one, other) => other.fixed - one.fixed)
  /** By their first segment, which is never a parameter. */
  const byRoot = new Map<string, typeof templates>()
  for (const one of templates) byRoot.set(one.segments[1] ?? '', [...(byRoot.get(one.segments[1] ?? '') ?? []), one])
  const pathOf = (method: string, path: string) => {
    const segments = path.split('/')
    const candidates = byRoot.get(segments[1] ?? '') ?? []
    return candidates.find((one) => fits(one.segments, segments, one.ids) && document.paths[one.path]?.[verbOf(method)])?.path
  }

  return {
    operation(method, path) {
      const found = pathOf(method, path)
      return found === undefined ? null : (document.paths[found]?.[verbOf(method)] ?? null)
    },
    differences(exchange) {
      const url = new URL(exchange.path, 'http://desk.example')
      const bare = decodeURI(url.pathname)
        .replace(/\/+$/, '')
        .replace(/\.(json|csv|html|log)$/, '')
      const path = pathOf(exchange.method, bare === '' ? '/' : bare)
      // What is not there is not described; that goes for suffixes, too, and nobody without credentials learns of it.
      if (path === undefined) return NOT_THERE.has(exchange.status) ? [] : [`no operation ${exchange.method} ${bare}`]
      const operation = document.paths[path]?.[verbOf(exchange.method)]
      if (!operation) return [`no operation ${exchange.method} ${path}`]
      const place = `/paths/${escaped(path)}/${verbOf(exchange.method)}`
      const isTaken = exchange.status < 400
      return [
        ...(isTaken ? parametersUnknown(document, operation, url) : []),
        ...(isTaken ? requestDifferences(operation, place, exchange, validatorAt) : []),
        ...answerDifferences(document, operation, place, exchange, validatorAt),
      ]
    },
  }
}

function verbOf(method: string): string {
  return method === 'HEAD' ? 'get' : method.toLowerCase()
}

function fixedIn(path: string): number {
  return path.split('/').filter((segment) => !segment.startsWith('{')).length
}

function isId(parameter: Parameter): boolean {
  return parameter.in === 'path' && parameter.schema?.type === 'integer'
}

function fits(template: readonly string[], segments: readonly string[], ids: ReadonlySet<string>): boolean {
  const isFit = (one: string, index: number) => {
    const segment = segments[index] ?? ''
    if (!one.startsWith('{')) return one === segment
    return ids.has(one) ? /^\d+$/.test(segment) : segment !== ''
  }
  return template.length === segments.length && template.every(isFit)
}

function escaped(path: string): string {
  return encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'))
}

/** Query parameters that a request was answered with, although the document does not have them. */
function parametersUnknown(document: OpenapiDocument, operation: Operation, url: URL): readonly string[] {
  const known = new Set(
    (operation.parameters ?? []).map((one) => {
      const shared = one.$ref ? document.components['parameters']?.[one.$ref.split('/').at(-1) ?? ''] : one
      return (shared as Parameter).name ?? ''
    }),
  )
  const isKnown = (given: string) => {
    const name = given.replace(/[!<>]$/, '')
    return ALWAYS.has(name) || known.has(name) || known.has(name.replace(/_id$/, '')) || (name === 'ids' && known.has('id'))
  }
  // Only lists look at every parameter; all others pass over what they do not know.
  if (!known.has('per_page')) return []
  return [...url.searchParams.keys()].filter((name) => !isKnown(name)).map((name) => `no parameter '${name}'`)
}

type ValidatorAt = (pointer: string) => ValidateFunction

function requestDifferences(operation: Operation, place: string, exchange: Exchange, at: ValidatorAt): readonly string[] {
  if (exchange.sent === undefined || !operation.requestBody?.content['application/json']) return []
  const check = at(`${place}/requestBody/content/application~1json/schema`)
  return check(exchange.sent) ? [] : sentences('sent', check)
}

function answerDifferences(
  document: OpenapiDocument,
  operation: Operation,
  place: string,
  exchange: Exchange,
  at: ValidatorAt,
): readonly string[] {
  const { status, headers, text } = exchange
  const contentType = String(headers['content-type'] ?? '')
  const response = operation.responses[status]
  if (!response) return [`${operation.operationId} has no answer ${status}`]
  const shared = response.$ref ? document.components['responses']?.[response.$ref.split('/').at(-1) ?? ''] : response
  const described = (shared as { readonly headers?: object } | undefined)?.headers ?? {}
  const undescribed = DESCRIBED_HEADERS.find((name) => headers[name.toLowerCase()] && !(name in described))
  if (undescribed) return [`${operation.operationId} has no header ${undescribed} with ${status}`]
  // A script calls the function with what the document describes.
  if (contentType.startsWith('application/javascript')) return []
  if (!contentType.startsWith('application/json')) return []
  const pointer = response.$ref ? response.$ref.slice(1) : `${place}/responses/${status}`
  if (response.content === undefined && !response.$ref) return [`${operation.operationId} has no body with ${status}`]
  const check = at(`${pointer}/content/application~1json/schema`)
  return check(JSON.parse(text)) ? [] : sentences('answered', check)
}

function sentences(what: string, check: ValidateFunction): readonly string[] {
  return (check.errors ?? []).slice(0, 10).map(({ instancePath, message, params }) => {
    return `${what}${instancePath} ${message} ${JSON.stringify(params)}`
  })
}

/** The same host, but every request and every answer is held against its OpenAPI document. */
export function inspected(mounted: Mounted): Mounted {
  let check: OpenapiCheck | null = null
  return Object.create(mounted, {
    ask: {
      async value(...[as, method, path, body, headers]: Parameters<Mounted['ask']>) {
        check ??= checkAgainst((await mounted.ask(null, 'GET', '/openapi.json')).json as OpenapiDocument)
        const answer = await mounted.ask(as, method, path, body, headers)
        const sent = body === undefined || Buffer.isBuffer(body) ? {} : { sent: body }
        const differences = check.differences({ method, path, ...sent, ...answer })
        if (differences.length > 0) {
          throw new Error(`OpenAPI document: ${method} ${path}\n${differences.join('\n')}\n${answer.text.slice(0, 1_000)}`)
        }
        return answer
      },
    },
  }) as Mounted
}
