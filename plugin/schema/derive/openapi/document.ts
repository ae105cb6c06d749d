/** The OpenAPI 3.1 document of an instance: derived from the catalog and from the descriptions of the endpoints. */
import type { Catalog, RecordType } from '../../compile/compile.js'
import { requestBodiesOf, responsesOf } from './bodies.js'
import { type DescribedEndpoint, schemasOfEndpoints, withEndpoints } from './endpoints.js'
import { type ExampleSources, examplesFrom } from './examples.js'
import { sharedParameters } from './parameters.js'
import { recordPaths } from './paths.js'
import { referredComponents } from './prune.js'
import { parametersOf } from './query-parameters.js'
import { schemasOf } from './schemas.js'
import { SHARED_HEADERS, SHARED_RESPONSES, SHARED_SCHEMAS } from './shared.js'
import { pathItems } from './shared-paths.js'

export interface DocumentParts {
  readonly catalog: Catalog
  readonly endpoints: readonly DescribedEndpoint[]
  /** Base URL of the API; ends with the version segment. */
  readonly baseUrl: string
  readonly version: string
  /** Fixtures from which examples are taken; default: none. */
  readonly exampleSources?: ExampleSources
  /** Path below the base URL at which OAuth clients get tokens; default: there are no such clients. */
  readonly tokenPath?: string | undefined
}

/** The document. */
export function openapiDocument(document: DocumentParts): object {
  const { catalog, endpoints, baseUrl, version, exampleSources, tokenPath } = document
  const types = [...catalog.types.values()]
  const all = <T>(make: (type: (typeof types)[number]) => { readonly [name: string]: T }): { readonly [name: string]: T } =>
    Object.assign({}, ...types.map(make))
  const schemas = { ...SHARED_SCHEMAS, ...schemasOfEndpoints(endpoints), ...all((type) => schemasOf(type, catalog)) }
  const examples = examplesFrom(exampleSources ?? { records: new Map(), topics: [] }, catalog, baseUrl)
  const paths = withEndpoints(recordPaths(catalog), endpoints)
  const components = {
    securitySchemes: {
      basic: { type: 'http', scheme: 'basic', description: 'E-mail address and password, or a token and any password.' },
      bearer: { type: 'http', scheme: 'bearer', description: 'An API token or a personal token.' },
      token: { type: 'apiKey', in: 'query', name: 'api_token', description: 'A token, for scripts (JSON-P).' },
      ...(tokenPath ? { oauth: clientCredentials(`${baseUrl}${tokenPath}`, types) } : {}),
    },
    schemas,
    parameters: { ...sharedParameters(catalog), ...all(parametersOf) },
    headers: SHARED_HEADERS,
    requestBodies: all((type) => requestBodiesOf(type, schemas, examples)),
    responses: { ...all((type) => responsesOf(type, schemas, examples)), ...SHARED_RESPONSES },
    pathItems: pathItems(catalog),
  }
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base',
    info: {
      title: 'IT service management',
      version,
      description:
        'Paths may end in a slash or in .json. ' +
        'Lists are filtered by field=value, with !, <, <=, > and >= in front of the value. ' +
        'With the parameter callback, the answer to a GET is a script that calls that function with meta and data.',
    },
    servers: [{ url: baseUrl }],
    security: [{ basic: [] }, { bearer: [] }, { token: [] }, ...(tokenPath ? [{ oauth: [] }] : [])],
    paths,
    components: referredComponents(paths, components),
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
