/** Endpoints that do not belong to a record type, as paths of the document. */
import { componentName, type JsonSchema } from './names.js'
import { CALLBACK, COMMON_PARAMETERS, IDEMPOTENCY_KEY, IF_MATCH } from './parameters.js'
import type { Paths } from './paths.js'
import { PAGE_PARAMETERS } from './query-parameters.js'
import { answer, type Described, emptyAnswer, HEADERS_OF_SAVES, PAGE_HEADERS, refusals } from './shared.js'

/** Description of an endpoint that does not belong to a record type. */
export interface EndpointDescription {
  /** A line in lists of operations. */
  readonly summary: string
  /** Description of its effect, in a line. */
  readonly description: string
  /** In the query, or in the path if the path has a segment of that name; texts unless a schema is given. */
  readonly parameters?: readonly {
    readonly name: string
    readonly required?: true
    readonly description?: string
    readonly schema?: JsonSchema
  }[]
  /** Bodies by media type. */
  readonly body?: { readonly [mediaType: string]: JsonSchema }
  /** Schemas that several bodies and responses refer to with `schemaNamed`; the names are among `SHARED_NAMES`. */
  readonly schemas?: { readonly [name: string]: JsonSchema }
  /** Responses by status; a schema means JSON. */
  readonly answers: { readonly [status: number]: Answer }
}

interface Answer {
  readonly description: string
  readonly schema?: JsonSchema
  /** True if the response has the headers of a save. */
  readonly isSaved?: true
  /** Media types of responses other than JSON. */
  readonly types?: readonly string[]
}

/** An endpoint with its description. */
export interface DescribedEndpoint {
  readonly method: string
  /** With `:name` segments. */
  readonly path: string
  /** True if it needs none of the credentials that other paths need. */
  readonly anonymous?: true
  /** True if the header Idempotency-Key has no effect. */
  readonly ignoresKey?: true
  /** Evaluates preconditions of the request. */
  readonly conditional?: true
  readonly description: EndpointDescription
}

/** The paths with those of the endpoints; if both have a path, the operations of the endpoint come first. */
export function withEndpoints(paths: Paths, endpoints: readonly DescribedEndpoint[]): Paths {
  const all: Record<string, Described> = { ...paths }
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    const verb = endpoint.method.toLowerCase()
    const operation = operationOf(endpoint, path, verb)
    const both =
      verb === 'patch' ? { patch: operation, put: { ...operation, operationId: `put_${nameOf(path)}` } } : { [verb]: operation }
    const parameters = [...pathParameters(endpoint, path), ...COMMON_PARAMETERS]
    all[path] = { parameters, ...all[path], ...both }
  }
  return all
}

/** The schemas that endpoints share, by the names of their components. */
export function schemasOfEndpoints(endpoints: readonly DescribedEndpoint[]): { readonly [name: string]: JsonSchema } {
  const named = endpoints.flatMap(({ description }) => Object.entries(description.schemas ?? {}))
  return Object.fromEntries(named.map(([name, schema]) => [componentName(name), schema]))
}

function nameOf(path: string): string {
  return path.replace(/[{}.]/g, '').split('/').filter(Boolean).join('_') || 'root'
}

function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

function pathParameters({ description: { parameters = [] } }: DescribedEndpoint, path: string): readonly Described[] {
  return namesIn(path).map((name) => {
    const given = parameters.find((one) => one.name === name)
    return { name, in: 'path', required: true, schema: { type: 'string' }, ...given }
  })
}

function operationOf(endpoint: DescribedEndpoint, path: string, verb: string): Described {
  const { summary, description, parameters = [], body, answers } = endpoint.description
  const isList = answers[200]?.schema?.['type'] === 'array'
  const isJson = Object.values(answers).some(({ schema }) => schema !== undefined)
  const inQuery = parameters
    .filter(({ name }) => !namesIn(path).includes(name))
    .map((given) => ({ in: 'query', schema: { type: 'string' }, ...given }))
  const inHeaders = endpoint.conditional ? [IF_MATCH] : []
  const common = isList
    ? PAGE_PARAMETERS
    : verb === 'get' && isJson
      ? [CALLBACK]
      : verb === 'post' && !endpoint.ignoresKey
        ? [IDEMPOTENCY_KEY]
        : []
  return {
    operationId: `${verb}_${nameOf(path)}`,
    summary,
    description,
    tags: [nameOf(path).split('_')[0]],
    ...(endpoint.anonymous ? { security: [{}] } : {}),
    parameters: [...common, ...inQuery, ...inHeaders],
    ...(body ? { requestBody: { content: mapValues(body, (schema) => ({ schema })) } } : {}),
    responses: { ...mapValues(answers, answerOf), ...refusals(verb) },
  }
}

function answerOf({ description, isSaved, schema, types = [] }: Answer): Described {
  const headers = isSaved ? HEADERS_OF_SAVES : schema?.['type'] === 'array' ? PAGE_HEADERS : {}
  const inJson = schema ? answer(description, schema, headers) : emptyAnswer(description)
  const texts = types.map((type) => [type, { schema: { type: 'string' } }])
  return types.length === 0
    ? inJson
    : { ...inJson, content: { ...(inJson['content'] as object | undefined), ...Object.fromEntries(texts) } }
}

function mapValues<V, W>(values: { readonly [key: string]: V }, change: (value: V) => W): { readonly [key: string]: W } {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]))
}
