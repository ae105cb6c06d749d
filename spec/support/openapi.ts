/** Checks requests and responses against an OpenAPI document, in both directions. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formatsOf from 'ajv-formats'
import type { CaseExchange } from '../../plugin/testing/index.js'
import type { Mounted } from './mounted.js'
import { type ShortForm, shortFormOf } from './short-forms.js'

export interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly description?: string
  /** Includes those of the path. */
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly $ref?: string; readonly content?: Content }
  readonly responses: { readonly [status: string]: Response }
}
export interface Response {
  readonly $ref?: string
  readonly content?: Content
  readonly headers?: object
  /** The statuses of the response `default`. */
  readonly 'x-statuses'?: readonly number[]
}
type Content = { readonly [mediaType: string]: { readonly schema: object; readonly example?: object } }
export interface Parameter {
  readonly $ref?: string
  readonly name?: string
  readonly in?: string
  readonly schema?: { readonly type?: string; readonly enum?: readonly string[] }
}
export interface OpenapiDocument {
  readonly paths: { readonly [path: string]: object }
  readonly components: { readonly [kind: string]: { readonly [name: string]: object } }
}

/** A request and its response. */
export type Exchange = CaseExchange

export interface OpenapiCheck {
  /** Parts of the exchange that the document does not describe. */
  differences(exchange: Exchange): readonly string[]
  /** The operation at a URL and a verb. */
  operation(method: string, path: string): Operation | null
  /** The errors of a value by a schema of the components, or by that at a pointer, every detail counted. */
  schemaDifferences(schema: string, value: unknown): readonly string[]
}

const VERBS = ['get', 'post', 'patch', 'delete']

/** The operations at a path by verb, with references resolved, and with the parameters of the path. */
export function operationsOf(document: OpenapiDocument, path: string): { readonly [verb: string]: Operation } {
  const { parameters = [], ...verbs } = resolved(document, document.paths[path] ?? {}).value as {
    readonly parameters?: readonly Parameter[]
    readonly [verb: string]: unknown
  }
  const operations = Object.entries(verbs).filter(([verb]) => VERBS.includes(verb)) as [string, Operation][]
  return Object.fromEntries(
    operations.map(([verb, one]) => [verb, { ...one, parameters: [...parameters, ...(one.parameters ?? [])] }]),
  )
}

/** The response of an operation with a status, with references resolved. */
export function responseOf(document: OpenapiDocument, path: string, verb: string, status: number): Response | undefined {
  const response = operationsOf(document, path)[verb]?.responses[status]
  return response && resolved(document, response).value
}

/** The target of a reference, with its place in the document; any other value is returned unchanged. */
export function resolved<T extends object>(
  document: OpenapiDocument,
  part: T,
  place = '',
): { readonly value: T; readonly place: string } {
  const { $ref } = part as { readonly $ref?: string }
  if ($ref === undefined) return { value: part, place }
  const [, , kind = '', name = ''] = $ref.split('/')
  return { value: document.components[kind]?.[name] as T, place: $ref.slice(1) }
}

/** Headers that are described wherever they occur. `Preference-Applied` is described with the header that asks for it. */
const DESCRIBED_HEADERS = [
  ...['X-Ignored-Fields', 'Location', 'Link', 'Retry-After', 'X-Request-Id'],
  ...['X-Pagination-Current-Page', 'X-Pagination-Per-Page', 'X-Pagination-Total-Pages', 'X-Pagination-Total-Entries'],
  ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
]
const NOT_THERE = new Set([401, 404, 406])
/**
 * Names of parameters that any request may have without an effect (behaviour: Filters), and that of scripts, which the
 * introduction describes for every GET.
 */
const ALWAYS = new Set([
  ...['_', 'format', 'locale', 'attachment_upload_token', 'per_page', 'state', 'page', 'sort', 'fields'],
  'callback',
])
/** Answers to saves may be an id alone, as the introduction says. */
const SAVES = new Set(['POST', 'PATCH', 'PUT'])

/** Documents that differ only in the URL of their server share their compiled checks, which take seconds to create. */
const prepared = new Map<string, OpenapiCheck>()

/** Prepares a document. */
export function checkAgainst(document: OpenapiDocument): OpenapiCheck {
  const text = JSON.stringify({ ...document, servers: [] })
  const check = prepared.get(text) ?? prepare(document)
  prepared.set(text, check)
  return check
}

function prepare(document: OpenapiDocument): OpenapiCheck {
  // Each schema checks a few values: making its function fast would cost more than it saves.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true, code: { optimize: false } })
  formatsOf.default(ajv)
  ajv.addSchema({ $id: 'document', ...document })
  const compiled = new Map<string, ValidateFunction>()
  const validatorAt = (pointer: string): ValidateFunction => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` })
    compiled.set(pointer, known)
    return known
  }
  const operations = new Map(Object.keys(document.paths).map((path) => [path, operationsOf(document, path)]))
  const templates = [...operations].map(([path, verbs]) => {
    const parameters = Object.values(verbs).flatMap((one) => one.parameters ?? [])
    const known = parameters.map((one) => resolved(document, one).value)
    return {
      path,
      segments: path.split('/'),
      fixed: fixedIn(path),
      ids: new Set(known.filter(isId).map(({ name }) => `{${name}}`)),
    }
  })
  templates.sort((one, other) => other.fixed - one.fixed)
  /** By their first segment, which is never a parameter. */
  const byRoot = new Map<string, typeof templates>()
  for (const one of templates) byRoot.set(one.segments[1] ?? '', [...(byRoot.get(one.segments[1] ?? '') ?? []), one])
  const pathOf = (method: string, path: string) => {
    const segments = path.split('/')
    const candidates = byRoot.get(segments[1] ?? '') ?? []
    return candidates.find((one) => fits(one.segments, segments, one.ids) && operations.get(one.path)?.[verbOf(method)])?.path
  }
  const find = (method: string, bare: string) => {
    const path = pathOf(method, bare)
    const operation = path === undefined ? undefined : operations.get(path)?.[verbOf(method)]
    return path === undefined || !operation ? undefined : { path, operation }
  }
  const described = (method: string, bare: string): ShortForm | undefined =>
    find(method, bare) ?? (verbOf(method) === 'get' ? shortFormOf(document, bare, find) : undefined)

  return {
    operation(method, path) {
      return described(method, path)?.operation ?? null
    },
    schemaDifferences(schema, value) {
      const check = validatorAt(schema.startsWith('/') ? schema : `/components/schemas/${schema}`)
      return check(value) ? [] : sentences(schema, check.errors ?? [])
    },
    differences(exchange) {
      const url = new URL(exchange.path, 'http://desk.example')
      const bare = decodeURI(url.pathname)
        .replace(/\/+$/, '')
        .replace(/\.(json|csv|html|log)$/, '')
      // Arrays of bodies are described in the introduction: their results, wherever records are created.
      const takesArray = Array.isArray(exchange.sent) && find('POST', bare) !== undefined
      if (takesArray && exchange.status === 200)
        return (JSON.parse(exchange.text) as unknown[]).flatMap((one) => {
          const check = validatorAt('/components/schemas/RecordResult')
          return check(one) ? [] : sentences('result', check.errors ?? [])
        })
      const found = described(takesArray ? 'POST' : exchange.method, bare === '' ? '/' : bare)
      // Missing records are not described; neither are unknown suffixes, nor what is refused without credentials.
      if (!found) return NOT_THERE.has(exchange.status) ? [] : [`no operation ${exchange.method} ${bare}`]
      const { operation, path } = found
      const item = resolved(document, document.paths[path] ?? {}, `/paths/${escaped(path)}`)
      const place = `${item.place}/${verbOf(exchange.method)}`
      const isTaken = exchange.status < 400
      return [
        ...(isTaken ? parametersUnknown(document, operations, operation, url) : []),
        ...(isTaken ? requestDifferences(document, operation, place, exchange, validatorAt) : []),
        ...answerDifferences(document, found, place, exchange, validatorAt),
      ]
    },
  }
}

function verbOf(method: string): string {
  // PUT is the same as PATCH, as the introduction says.
  return method === 'HEAD' ? 'get' : method === 'PUT' ? 'patch' : method.toLowerCase()
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

type Operations = ReadonlyMap<string, { readonly [verb: string]: Operation }>

/** Query parameters of a successful request that the document does not have. */
function parametersUnknown(
  document: OpenapiDocument,
  operations: Operations,
  operation: Operation,
  url: URL,
): readonly string[] {
  // A list may declare the filters of another one.
  const [, list = ''] = /Filters as for GET (\/\w+)/.exec(operation.description ?? '') ?? []
  const parameters = [...(operation.parameters ?? []), ...(operations.get(list)?.['get']?.parameters ?? [])]
  const credentials = Object.values(document.components['securitySchemes'] ?? {}) as Parameter[]
  const known = new Set([
    ...parameters.map((one) => resolved(document, one).value.name ?? ''),
    ...credentials.flatMap((one) => (one.in === 'query' ? [one.name ?? ''] : [])),
  ])
  const isKnown = (given: string) => {
    const name = given.replace(/[!<>]$/, '')
    return ALWAYS.has(name) || known.has(name) || known.has(name.replace(/_id$/, '')) || (name === 'ids' && known.has('id'))
  }
  // Only lists check every parameter; all others ignore unknown ones.
  if (!known.has('per_page')) return []
  return [...url.searchParams.keys()].filter((name) => !isKnown(name)).map((name) => `no parameter '${name}'`)
}

type ValidatorAt = (pointer: string) => ValidateFunction

/**
 * What the body contains that the document does not describe. Other spellings of a value are accepted, and not described
 * (behaviour: Value formats, Writing).
 */
function requestDifferences(
  document: OpenapiDocument,
  operation: Operation,
  place: string,
  exchange: Exchange,
  at: ValidatorAt,
): readonly string[] {
  const body = resolved(document, operation.requestBody ?? {}, `${place}/requestBody`)
  if (exchange.sent === undefined || !body.value.content?.['application/json']) return []
  const check = at(`${body.place}/content/application~1json/schema`)
  if (check(exchange.sent)) return []
  const errors = check.errors ?? []
  const tolerated = errors.filter((error) => isOtherSpelling(error, exchange.sent))
  // Combined schemas fail together with their parts.
  const others = errors.filter(
    (one) => !tolerated.includes(one) && !(tolerated.length > 0 && /^(anyOf|oneOf)$/.test(one.keyword)),
  )
  return sentences('sent', others)
}

/** True if an accepted body breaks the schema only by the spelling of a value, or by the name under which it is sent. */
function isOtherSpelling({ instancePath, keyword, params }: ErrorObject, sent: unknown): boolean {
  const value = instancePath
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => Object(at)[key.replaceAll('~1', '/').replaceAll('~0', '~')], sent)
  const isBlank = value === null || (typeof value === 'string' && value.trim() === '')
  if (keyword === 'required') {
    const name = String((params as { missingProperty?: unknown }).missingProperty)
    // A reference may be sent as `team: { id }` or `team: id`, and some have a second name.
    return Object.keys(Object(value)).some((key) => name === `${key}_id` || key.endsWith(`_${name}`))
  }
  return keyword === 'enum' ? isBlank : ['type', 'pattern', 'format'].includes(keyword)
}

function answerDifferences(
  document: OpenapiDocument,
  { operation, isOne, isUpload }: ShortForm,
  place: string,
  exchange: Exchange,
  at: ValidatorAt,
): readonly string[] {
  const { status, headers, text } = exchange
  if (isUpload && status === 200) return uploadDifferences(text, at)
  const contentType = String(headers['content-type'] ?? '')
  const name = `${exchange.method} ${operation.operationId ?? operation.summary}`
  const key = status in operation.responses ? status : 'default'
  const response = resolved(document, operation.responses[key] ?? {}, `${place}/responses/${key}`)
  const { content, 'x-statuses': statuses = [status] } = response.value
  // A 304 has the headers of the answer that the caller has already.
  const asBefore = status === 304 ? resolved(document, operation.responses[200] ?? {}).value.headers : {}
  const described = { ...asBefore, ...response.value.headers }
  if (!(key in operation.responses) || !statuses.includes(status)) return [`${name} has no answer ${status}`]
  const undescribed = DESCRIBED_HEADERS.find((header) => headers[header.toLowerCase()] && !(header in described))
  if (undescribed) return [`${name} has no header ${undescribed} with ${status}`]
  // A script calls the function with the value that the document describes.
  if (contentType.startsWith('application/javascript')) return []
  if (!contentType.startsWith('application/json')) return []
  if (content === undefined) return [`${name} has no body with ${status}`]
  const body: unknown = JSON.parse(text)
  if (SAVES.has(exchange.method) && isIdAlone(body)) return []
  const check = at(`${response.place}/content/application~1json/schema${isOne && status === 200 ? '/items' : ''}`)
  return check(body) ? [] : sentences('answered', check.errors ?? [])
}

/** What callers get who may not see what they saved. */
function isIdAlone(body: unknown): boolean {
  const { id, ...rest } = Object(body) as { readonly id?: unknown }
  return Number.isInteger(id) && Object.keys(rest).length === 0
}

function uploadDifferences(text: string, at: ValidatorAt): readonly string[] {
  const { storage_upload: form, ...rest } = JSON.parse(text) as { readonly storage_upload?: unknown }
  const check = at('/components/schemas/StorageUpload')
  const isForm = form === undefined || check(form)
  return [...(isForm ? [] : sentences('answered', check.errors ?? [])), ...Object.keys(rest).map((name) => `answered ${name}`)]
}

function sentences(what: string, errors: readonly ErrorObject[]): readonly string[] {
  return errors.slice(0, 10).map(({ instancePath, message, params }) => {
    return `${what}${instancePath} ${message} ${JSON.stringify(params)}`
  })
}

/** The same host, but every request and response is checked against its OpenAPI document. */
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
