/** The OpenAPI 3.1 document of an instance: everything in it follows from the catalog and from what endpoints say of themselves. */
import type { Catalog } from '../../compile.js'
import { PREFER, SHARED_HEADERS, withPreference } from './headers.js'
import { COMMON_PARAMETERS, type Described, json, PAGE_HEADERS, type Paths, recordPaths, refusals } from './paths.js'
import { PAGE_PARAMETERS } from './query-parameters.js'
import { SHARED_SCHEMAS, schemasOf } from './schemas.js'
import { type JsonSchema, schemaNamed } from './values.js'

/** What an endpoint that belongs to no record type says of itself. */
export interface EndpointDescription {
  readonly summary: string
  /** In the query, or in the path when the path has a segment of that name; texts unless a schema is given. */
  readonly parameters?: readonly {
    readonly name: string
    readonly required?: true
    readonly description?: string
    readonly schema?: JsonSchema
  }[]
  /** Bodies by media type. */
  readonly body?: { readonly [mediaType: string]: JsonSchema }
  /** Answers by status; a schema means JSON. */
  readonly answers: { readonly [status: number]: Answer }
}

interface Answer {
  readonly description: string
  readonly schema?: JsonSchema
  /** Media types of answers that are not JSON. */
  readonly types?: readonly string[]
}

export interface DescribedEndpoint {
  readonly method: string
  /** With `:name` segments. */
  readonly path: string
  readonly anonymous?: true
  readonly description: EndpointDescription
}

export interface DocumentParts {
  readonly catalog: Catalog
  readonly endpoints: readonly DescribedEndpoint[]
  /** Address of the interface with the version segment. */
  readonly baseUrl: string
  readonly version: string
}

/** The document. */
export function openapiDocument({ catalog, endpoints, baseUrl, version }: DocumentParts): object {
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base',
    info: {
      title: 'IT service management',
      version,
      description:
        'Paths may end in a slash or in .json. Lists are filtered by field=value, with !, <, <=, > and >= in front of the value. ' +
        'With the parameter callback, the answer to a GET is a script that calls that function with meta and data.',
    },
    servers: [{ url: baseUrl }],
    security: [{ basic: [] }, { bearer: [] }, { token: [] }],
    paths: withPreferences(withEndpoints(recordPaths(catalog), endpoints)),
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'E-mail address and password, or an API token and any password.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'An API token.' },
        token: { type: 'apiKey', in: 'query', name: 'api_token' },
      },
      schemas: Object.assign({}, SHARED_SCHEMAS, ...[...catalog.types.values()].map((type) => schemasOf(type, catalog))),
      parameters: { ...PARAMETERS, ...filterParameters(catalog) },
      headers: SHARED_HEADERS,
      responses: withPreference(RESPONSES),
    },
  }
}

function withEndpoints(paths: Paths, endpoints: readonly DescribedEndpoint[]): Paths {
  const all: Record<string, { readonly [verb: string]: Described }> = { ...paths }
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    const verb = endpoint.method.toLowerCase()
    const operation = endpointOperation(endpoint, path, verb)
    const both =
      verb === 'patch' ? { patch: operation, put: { ...operation, operationId: `put_${nameOf(path)}` } } : { [verb]: operation }
    all[path] = { ...all[path], ...both }
  }
  return all
}

function withPreferences(paths: Paths): Paths {
  const inOperation = (operation: Described): Described => ({
    ...operation,
    responses: withPreference(operation['responses'] as Parameters<typeof withPreference>[0]),
  })
  return mapValues(paths, (verbs) => mapValues(verbs, inOperation))
}

function nameOf(path: string): string {
  return path.replace(/[{}.]/g, '').split('/').filter(Boolean).join('_') || 'root'
}

function endpointOperation(endpoint: DescribedEndpoint, path: string, verb: string): Described {
  const { summary, parameters = [], body, answers } = endpoint.description
  const isList = answers[200]?.schema?.['type'] === 'array'
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const named = inPath.map((name) => {
    const given = parameters.find((one) => one.name === name)
    return { name, in: 'path', required: true, schema: { type: 'string' }, ...given }
  })
  const inQuery = parameters
    .filter(({ name }) => !inPath.includes(name))
    .map((given) => ({ in: 'query', schema: { type: 'string' }, ...given }))
  return {
    operationId: `${verb}_${nameOf(path)}`,
    summary,
    tags: [nameOf(path).split('_')[0]],
    ...(endpoint.anonymous ? { security: [{}] } : {}),
    parameters: [...named, ...COMMON_PARAMETERS, ...(isList ? PAGE_PARAMETERS : []), ...inQuery],
    ...(body ? { requestBody: { content: mapValues(body, (schema) => ({ schema })) } } : {}),
    responses: { ...refusals(body !== undefined), ...mapValues(answers, answerOf) },
  }
}

function answerOf({ description, schema, types }: Answer): Described {
  const texts = types ? Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])) : {}
  const content = { ...(schema ? json(schema) : {}), ...texts }
  const headers = schema?.['type'] === 'array' ? { headers: PAGE_HEADERS } : {}
  return Object.keys(content).length === 0 ? { description } : { description, ...headers, content }
}

function mapValues<V, W>(values: { readonly [key: string]: V }, change: (value: V) => W): { readonly [key: string]: W } {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]))
}

const TEXT: JsonSchema = { type: 'string' }

const PARAMETERS: { readonly [name: string]: Described } = {
  account: {
    name: 'X-SVC-Account',
    in: 'header',
    description: 'The account to act in; default: that of the person.',
    schema: TEXT,
  },
  language: { name: 'X-SVC-Language', in: 'header', description: 'Language of labels and messages.', schema: TEXT },
  prefer: PREFER,
  source: { name: 'X-SVC-Source', in: 'header', description: 'Default of the field source.', schema: TEXT },
  callback: {
    name: 'callback',
    in: 'query',
    description: 'Name of a function: the answer becomes a script (JSON-P). Credentials must be in api_token then.',
    schema: TEXT,
  },
  api_token: { name: 'api_token', in: 'query', schema: TEXT },
  page: { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1, default: 1 } },
  per_page: { name: 'per_page', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
  fields: { name: 'fields', in: 'query', description: 'Fields of the list, separated by commas.', schema: TEXT },
}

function filterParameters(catalog: Catalog): { readonly [name: string]: Described } {
  const names = new Set([...catalog.types.values()].flatMap((type) => [...type.collection.filterable]))
  return Object.fromEntries(
    [...names].map((name) => [`filter_${name}`, { name, in: 'query', description: `Filter by ${name}.`, schema: TEXT }]),
  )
}

const refusal = (description: string, schema = schemaNamed('error')): Described => ({ description, content: json(schema) })

const RESPONSES: { readonly [status: number]: Described } = {
  304: { description: 'The caller has this answer already, as its If-None-Match says.' },
  400: refusal('The request cannot be understood.'),
  401: refusal('Credentials are missing or wrong.'),
  403: refusal('The caller may not do this.'),
  404: refusal('There is no such address or record, or the caller does not see it.'),
  406: refusal('Only JSON is offered here.'),
  413: refusal('The body is too big.'),
  422: refusal('What was sent is not valid.', schemaNamed('validation_error')),
  429: refusal('Too many requests; the header Retry-After says for how many seconds.'),
  500: refusal('A fault of the service.'),
  503: refusal('The service cannot answer just now; the header Retry-After says for how many seconds.'),
  504: refusal('The call took too long; what it was about to change may have been changed or not.'),
}
