import { VERSION } from '../../core/version.js'
import { openapiDocument } from '../../schema/derive/openapi/document.js'
import type { DescribedEndpoint } from '../../schema/derive/openapi/endpoints.js'
import { answerText, JSON_TYPE } from '../answer.js'
import type { HttpDeps } from '../deps.js'
import type { Endpoint } from '../endpoint.js'
import { readExampleSources } from '../example-sources.js'
import { TOKEN_PATH } from './oauth-token.js'

/**
 * `GET /openapi.json`: the API of this instance as an OpenAPI 3.1 document, host types and extensions included. It contains no
 * records and needs no credentials, like /enums. `endpoints` are those that belong to no record type.
 */
export function openapi(deps: Pick<HttpDeps, 'catalog' | 'baseUrl' | 'oauth'>, endpoints: readonly Endpoint[]): Endpoint {
  // Created at the first request: most instances are started more often than the document is requested.
  let text: string | null = null
  const self: Endpoint = {
    method: 'GET',
    path: '/openapi',
    anonymous: true,
    description: {
      summary: 'Read this document',
      description: 'The interface of this instance, host types and extensions included.',
      answers: { 200: { description: 'An OpenAPI 3.1 document.', schema: { type: 'object' } } },
    },
    run(ctx) {
      text ??= JSON.stringify(document())
      answerText(ctx, 200, JSON_TYPE, text)
    },
  }
  const document = () =>
    openapiDocument({
      catalog: deps.catalog,
      baseUrl: deps.baseUrl,
      version: VERSION,
      tokenPath: deps.oauth && TOKEN_PATH,
      exampleSources: readExampleSources(),
      endpoints: [...endpoints, self].map(describedEndpoint),
    })
  return self
}

function describedEndpoint(endpoint: Endpoint): DescribedEndpoint {
  const { method, path, anonymous, identify, description } = endpoint
  const ignoresKey = 'post' in endpoint && endpoint.post.ignoresKey ? { ignoresKey: true as const } : {}
  return { method, path, description, ...(anonymous || identify ? { anonymous: true } : {}), ...ignoresKey }
}
