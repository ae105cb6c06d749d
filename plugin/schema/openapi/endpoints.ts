/** Endpoints that do not belong to a record type, as paths of the document. */
import { type JsonSchema, TEXT } from '../kinds/json-schema.js'
import { COMMON_PARAMETERS, IDEMPOTENCY_KEY, IF_MATCH } from './parameters.js'
import type { Paths } from './paths.js'
import { PAGE_PARAMETERS } from './query-parameters.js'
import {
  answer,
  type Described,
  emptyAnswer,
  LINK,
  LOCATION,
  PAGE_HEADERS,
  recordAnswer,
  refusals,
} from './shared-components.js'
import { tagOf } from './tags.js'

/**
 * Description of an endpoint that does not belong to a record type. Objects in its schemas have a `title`: that is the name of
 * their component, which must be among `SHARED_NAMES`.
 */
export interface EndpointDescription {
  /** Id of the operation, in the style of those of records: `read_account`. */
  readonly operation: string
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
  /** Responses by status; a schema means JSON. */
  readonly answers: { readonly [status: number]: Answer }
}

interface Answer {
  readonly description: string
  readonly schema?: JsonSchema
  /** True if the schema is that of a record. */
  readonly isRecord?: true
  /** True for a list without pages: its only link is `next`. */
  readonly isUnpaged?: true
  /** True if a response without a body has the header Location. */
  readonly isLocated?: true
  /** Media types of texts. */
  readonly types?: readonly string[]
  /** Media types of files. Some generators know only `application/octet-stream`. */
  readonly files?: readonly string[]
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
    const parameters = [...pathParameters(endpoint, path), ...COMMON_PARAMETERS]
    all[path] = { parameters, ...all[path], [verb]: operation }
  }
  return all
}

/** The schemas of endpoints that have a title, by it. */
export function schemasOfEndpoints(endpoints: readonly DescribedEndpoint[]): { readonly [name: string]: JsonSchema } {
  const named: Record<string, JsonSchema> = {}
  for (const { description } of endpoints) {
    const { answers, body = {} } = description
    for (const { schema } of Object.values(answers)) if (schema) hoisted(schema, named)
    for (const schema of Object.values(body)) hoisted(schema, named)
  }
  return named
}

/** The schema with a reference in place of each one that has a title; these are added to `named`. */
function hoisted<T>(schema: T, named: Record<string, JsonSchema> = {}): T | JsonSchema {
  if (Array.isArray(schema)) return schema.map((one) => hoisted(one, named)) as T
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([key, one]) => [key, hoisted(one, named)]))
  const { title, ...rest } = inner
  if (typeof title !== 'string') return inner
  named[title] = rest
  return { $ref: `#/components/schemas/${title}` }
}

function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

function pathParameters({ description: { parameters = [] } }: DescribedEndpoint, path: string): readonly Described[] {
  return namesIn(path).map((name) => {
    const given = parameters.find((one) => one.name === name)
    return { name, in: 'path', required: true, schema: TEXT, ...given }
  })
}

/** Every list has them. */
const PAGING = new Set(['page', 'per_page'])

function operationOf(endpoint: DescribedEndpoint, path: string, verb: string): Described {
  const { summary, description, parameters = [], body, answers } = endpoint.description
  const isList = answers[200]?.schema?.['type'] === 'array' && !answers[200].isUnpaged
  const inQuery = parameters
    .filter(({ name }) => !namesIn(path).includes(name) && !(isList && PAGING.has(name)))
    .map((given) => ({ in: 'query', schema: TEXT, ...given }))
  const inHeaders = endpoint.conditional ? [IF_MATCH] : []
  const common = isList ? PAGE_PARAMETERS : verb === 'post' && !endpoint.ignoresKey ? [IDEMPOTENCY_KEY] : []
  const also = [...common, ...inQuery, ...inHeaders]
  return {
    operationId: endpoint.description.operation,
    summary,
    description,
    tags: [tagOf(path)],
    ...(endpoint.anonymous ? { security: [{}] } : {}),
    ...(also.length > 0 ? { parameters: also } : {}),
    ...(body ? { requestBody: { content: mapValues(body, (schema) => ({ schema: hoisted(schema) })) } } : {}),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, one]) => [status, answerOf(one, status === '201')])),
      ...refusals(verb),
    },
  }
}

function answerOf(
  { description, isLocated, isRecord, isUnpaged, schema: given, types = [], files = [] }: Answer,
  isNew: boolean,
): Described {
  const schema = given && (hoisted(given) as JsonSchema)
  const inJson = !schema
    ? emptyAnswer(description, isLocated ? LOCATION : {})
    : isRecord
      ? recordAnswer(description, schema)
      : answer(description, schema, {
          ...(schema['type'] === 'array' ? PAGE_HEADERS : {}),
          ...(isUnpaged ? LINK : {}),
          ...(isNew ? LOCATION : {}),
        })
  const others = [
    ...types.map((type) => [type, { schema: TEXT }] as const),
    ...files.map((type) => [type, { schema: { type: 'string', format: 'binary' } }] as const),
  ]
  return others.length === 0
    ? inJson
    : { ...inJson, content: { ...(inJson['content'] as object | undefined), ...Object.fromEntries(others) } }
}

function mapValues<V, W>(values: { readonly [key: string]: V }, change: (value: V) => W): { readonly [key: string]: W } {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]))
}
