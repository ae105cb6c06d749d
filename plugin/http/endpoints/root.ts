import { answerJson } from '../answer.js'
import type { Endpoint } from '../endpoint.js'

/** `GET {base_url}`: an empty object, also without credentials (spec, Conventions 2). */
export function root(): Endpoint {
  return { method: 'GET', path: '/', anonymous: true, run: (ctx) => answerJson(ctx, 200, {}) }
}
