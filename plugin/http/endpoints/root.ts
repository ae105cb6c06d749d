import { answerJson } from '../answer.js'
import type { Endpoint } from '../endpoint.js'

/** `GET {base_url}`: an empty object, also without credentials (spec, Conventions 2). */
export function root(): Endpoint {
  return {
    method: 'GET',
    path: '/',
    anonymous: true,
    description: {
      summary: 'Tells that the interface is there',
      answers: { 200: { description: 'An empty object.', schema: { type: 'object', additionalProperties: false } } },
    },
    run: (ctx) => answerJson(ctx, 200, {}),
  }
}
