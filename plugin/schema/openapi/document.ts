/** The OpenAPI 3.1 document of an instance: derived from the catalog and from the descriptions of the endpoints. */
import { atOnce, type Sliced } from '../../core/waiting/in-slices.js'
import type { Catalog, RecordType } from '../catalog.js'
import type { JsonSchema } from '../kinds/json-schema.js'
import { requestBodiesOf, responsesOf } from './bodies.js'
import { LABELS_BY_RULE, type Labels } from './describe-field.js'
import { type DescribedEndpoint, schemasOfEndpoints, withEndpoints } from './endpoints.js'
import { ALSO_SHOWN } from './error-responses.js'
import { type ExampleSources, examplesFrom } from './examples.js'
import { INTRODUCTION } from './introduction.js'
import { sharedParameters } from './parameters.js'
import { pathsOfType } from './paths.js'
import { referredComponents } from './prune.js'
import { parametersOf } from './query-parameters.js'
import { schemasOf } from './schemas.js'
import { type Described, SHARED_HEADERS, SHARED_RESPONSES, SHARED_SCHEMAS } from './shared-components.js'
import { tagsOf } from './tags.js'
import { eventsOf, webhooksOf } from './webhooks.js'

/** The package on its registry. */
const PACKAGE = 'https://www.npmjs.com/package/koa-itsm'

export interface DocumentParts {
  readonly catalog: Catalog
  readonly endpoints: readonly DescribedEndpoint[]
  /** Base URL of the API; ends with the version segment. */
  readonly baseUrl: string
  readonly version: string
  /** Labels in the language of the document; default: those that follow from names, in English. */
  readonly labels?: Labels
  /** Fixtures from which examples are taken; default: none. */
  readonly exampleSources?: ExampleSources
  /** Path below the base URL at which OAuth clients get tokens; default: there are no such clients. */
  readonly tokenPath?: string | undefined
  /** The cookie of a session, and the header that it needs; default: there are no sessions. */
  readonly session?: { readonly name: string; readonly header: string } | undefined
}

/** The document, at once. */
export function openapiDocument(document: DocumentParts): object {
  return atOnce(documentInSlices(document))
}

/** Makes the document in slices, because it takes as long as a hundred calls. */
export function* documentInSlices(document: DocumentParts): Sliced<object> {
  const { catalog, endpoints, baseUrl, version, exampleSources, labels = LABELS_BY_RULE, session, tokenPath } = document
  const types = [...catalog.types.values()]
  const schemas: Record<string, JsonSchema> = {
    ...SHARED_SCHEMAS,
    ...schemasOfEndpoints(endpoints),
  }
  for (const type of types) {
    Object.assign(schemas, schemasOf(type, catalog, labels))
    yield
  }
  const examples = yield* examplesFrom(exampleSources ?? { records: new Map(), topics: [] }, catalog, baseUrl)
  const ofRecords: Record<string, Described> = {}
  for (const type of catalog.byPath.values()) {
    Object.assign(ofRecords, pathsOfType(type, catalog))
    yield
  }
  const paths = withEndpoints(ofRecords, endpoints)
  const webhooks = webhooksOf(eventsOf(catalog), exampleSources?.deliveries ?? new Map())
  const [parameters, requestBodies, responses] = [sharedParameters(catalog), {}, { ...SHARED_RESPONSES }]
  yield
  for (const type of types) {
    Object.assign(parameters, parametersOf(type))
    Object.assign(requestBodies, requestBodiesOf(type, schemas, examples))
    Object.assign(responses, responsesOf(type, schemas, examples))
    yield
  }
  const securitySchemes = {
    basic: { type: 'http', scheme: 'basic', description: 'E-mail address and password, or a token and any password.' },
    bearer: { type: 'http', scheme: 'bearer', description: 'An API token or a personal token.' },
    token: { type: 'apiKey', in: 'query', name: 'api_token', description: 'A token, for scripts (JSON-P).' },
    ...(tokenPath ? { oauth: clientCredentials(`${baseUrl}${tokenPath}`, types) } : {}),
    ...(session ? ofSessions(session) : {}),
  }
  const components = { securitySchemes, schemas, parameters, headers: SHARED_HEADERS, requestBodies, responses }
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base',
    info: {
      title: 'IT service management',
      version,
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    externalDocs: { description: 'The package, with a guide and the behavior in every detail.', url: PACKAGE },
    servers: [{ url: baseUrl }],
    security: [
      { basic: [] },
      { bearer: [] },
      { token: [] },
      ...(tokenPath ? [{ oauth: [] }] : []),
      ...(session ? [{ session: [], of_page: [] }] : []),
    ],
    tags: tagsOf(Object.keys(paths), catalog),
    paths,
    webhooks,
    components: yield* referredComponents([...Object.values(paths), ...ALSO_SHOWN], components),
  }
}

/** Both are needed: pages of other origins may make a browser send the cookie, but cannot set the header. */
function ofSessions({ name, header }: { readonly name: string; readonly header: string }): Record<string, object> {
  const [headerName = '', value = ''] = header.split(': ')
  return {
    session: { type: 'apiKey', in: 'cookie', name, description: 'The session of a page, by POST /session.' },
    of_page: { type: 'apiKey', in: 'header', name: headerName, description: `Always ${value}, with the cookie.` },
  }
}

/** The grant for OAuth clients. A token without scopes may do everything that its client may do. */
function clientCredentials(tokenUrl: string, types: readonly RecordType[]): object {
  const ofTypes = types
    .filter(({ partOf }) => partOf.length === 0)
    .map(({ name }) => [name, `Records of the type ${name}; no others, unless they are named, too.`])
  const scopes = { read_only: 'Only reading.', ...Object.fromEntries(ofTypes) }
  return { type: 'oauth2', flows: { clientCredentials: { tokenUrl, scopes } } }
}
