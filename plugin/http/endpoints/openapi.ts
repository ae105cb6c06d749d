import { VERSION } from '../../core/version.js'
import { inSlices, type Sliced } from '../../core/waiting/in-slices.js'
import { schemaNamed } from '../../schema/kinds/json-schema.js'
import { documentInSlices } from '../../schema/openapi/document.js'
import type { DescribedEndpoint } from '../../schema/openapi/endpoints.js'
import { answerText, JSON_TYPE } from '../answers/answer.js'
import type { Endpoint } from '../contract.js'
import type { RouteDeps } from '../deps.js'
import { readExampleSources } from './example-sources.js'
import { TOKEN_PATH } from './oauth-token.js'

/**
 * `GET /openapi.json`: the API of this instance as an OpenAPI 3.1 document, host types and extensions included. It contains no
 * records and needs no credentials, like /enums. `endpoints` are those that belong to no record type.
 *
 * The document is made once, in slices, so that other calls are answered meanwhile: after the start, or for the first call if
 * that comes before.
 */
export function openapi(
  deps: Pick<RouteDeps, 'catalog' | 'baseUrl' | 'oauth' | 'afterStart'>,
  endpoints: readonly Endpoint[],
): Endpoint {
  let made: Promise<string> | null = null
  const text = () => {
    made ??= inSlices(document()).catch((error: unknown) => {
      made = null
      throw error
    })
    return made
  }
  deps.afterStart?.(text)
  const self: Endpoint = {
    method: 'GET',
    path: '/openapi',
    anonymous: true,
    description: {
      operation: 'read_openapi_document',
      summary: 'Read this document',
      description: 'The interface of this instance, host types and extensions included.',
      answers: { 200: { description: 'An OpenAPI 3.1 document.', schema: schemaNamed('json_object') } },
    },
    run: async (ctx) => answerText(ctx, 200, JSON_TYPE, await text()),
  }
  function* document(): Sliced<string> {
    const parts = {
      catalog: deps.catalog,
      baseUrl: deps.baseUrl,
      version: VERSION,
      tokenPath: deps.oauth && TOKEN_PATH,
      exampleSources: yield* readExampleSources(),
      endpoints: [...endpoints, self].map(describedEndpoint),
    }
    return JSON.stringify(yield* documentInSlices(parts))
  }
  return self
}

function describedEndpoint(endpoint: Endpoint): DescribedEndpoint {
  const { method, path, anonymous, identify, description } = endpoint
  const ignoresKey = 'post' in endpoint && endpoint.post.ignoresKey ? { ignoresKey: true as const } : {}
  return { method, path, description, ...(anonymous || identify ? { anonymous: true } : {}), ...ignoresKey }
}
