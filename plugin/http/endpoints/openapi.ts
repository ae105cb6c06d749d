import { KeptText } from '../../core/kept-text.js'
import { VERSION } from '../../core/version.js'
import { inSlices, type Sliced } from '../../core/waiting/in-slices.js'
import { schemaNamed } from '../../schema/kinds/json-schema.js'
import { documentInSlices } from '../../schema/openapi/document.js'
import type { DescribedEndpoint } from '../../schema/openapi/endpoints.js'
import { DEFAULT_LANGUAGE } from '../../words/languages.js'
import { createWords } from '../../words/words.js'
import { answerKept, JSON_TYPE } from '../answers/answer.js'
import type { Endpoint } from '../contract.js'
import type { RouteDeps, Words } from '../deps.js'
import { sessionCookie } from '../requests/session-cookie.js'
import { readExampleSources } from './example-sources.js'
import { TOKEN_PATH } from './oauth-token.js'

type Deps = Pick<RouteDeps, 'catalog' | 'baseUrl' | 'headerPrefixes' | 'oauth' | 'sessions' | 'afterStart' | 'words'>

/**
 * `GET /openapi.json`: the API of this instance as an OpenAPI 3.1 document, host types and extensions included. It contains no
 * records and needs no credentials, like /enums. Labels of fields and values are in the language of the call, and those of the
 * host. `endpoints` are those that belong to no record type.
 *
 * The document of a language is made once, in slices, so that other calls are answered meanwhile: the one in the default language
 * after the start, all others for the first call that asks for them.
 */
export function openapi(deps: Deps, endpoints: readonly Endpoint[]): Endpoint {
  const { afterStart, words } = deps
  // Only known languages have labels, so that there are few.
  const made = new Map<string, Promise<KeptText>>()
  const text = (language: string) => {
    const known = made.get(language)
    if (known) return known
    const making = inSlices(document(language))
      .then((text) => new KeptText(text))
      .catch((error: unknown) => {
        made.delete(language)
        throw error
      })
    made.set(language, making)
    return making
  }
  afterStart?.(() => text(words.languageOf(DEFAULT_LANGUAGE)))
  const self: Endpoint = {
    method: 'GET',
    path: '/openapi',
    anonymous: true,
    description: {
      operation: 'read_openapi_document',
      summary: 'Read this document',
      description:
        'The interface of this instance, host types and extensions included. Labels are in the language of the call.',
      answers: { 200: { description: 'An OpenAPI 3.1 document.', schema: schemaNamed('json_object') } },
    },
    async run(ctx, call) {
      const language = words.languageOf(call.language)
      answerKept(ctx, JSON_TYPE, await text(language))
      ctx.set('Content-Language', language)
    },
  }
  function* document(language: string): Sliced<string> {
    const parts = {
      catalog: deps.catalog,
      baseUrl: deps.baseUrl,
      version: VERSION,
      tokenPath: deps.oauth && TOKEN_PATH,
      session: deps.sessions && sessionCookie(deps),
      labels: { ...labelsIn(words, language), usual: labelsIn(createWords(), DEFAULT_LANGUAGE) },
      exampleSources: yield* readExampleSources(),
      endpoints: [...endpoints, self].map(describedEndpoint),
    }
    return JSON.stringify(yield* documentInSlices(parts))
  }
  return self
}

function labelsIn(words: Pick<Words, 'fieldLabel' | 'valueLabel'>, language: string) {
  return {
    field: (type: string, field: string) => words.fieldLabel(language, type, field),
    value: (enumeration: string, value: string) => words.valueLabel(language, enumeration, value),
  }
}

function describedEndpoint(endpoint: Endpoint): DescribedEndpoint {
  const { method, path, anonymous, identify, description } = endpoint
  const ignoresKey = 'post' in endpoint && endpoint.post.ignoresKey ? { ignoresKey: true as const } : {}
  return { method, path, description, ...(anonymous || identify ? { anonymous: true } : {}), ...ignoresKey }
}
