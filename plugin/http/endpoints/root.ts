import { schemaNamed } from '../../schema/kinds/json-schema.js'
import { answerJson } from '../answers/answer.js'
import type { Endpoint } from '../contract.js'

/** `GET {base_url}`: an empty object, also without credentials (spec, Conventions 2). */
export function root(): Endpoint {
  return {
    method: 'GET',
    path: '/',
    anonymous: true,
    description: {
      operation: 'read_root',
      summary: 'Check that the interface is there',
      description: 'Answers with an empty object, also without credentials.',
      answers: { 200: { description: 'An empty object.', schema: schemaNamed('empty_object') } },
    },
    run: (ctx) => answerJson(ctx, 200, {}),
  }
}
