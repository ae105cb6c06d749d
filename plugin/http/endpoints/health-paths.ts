import type { Health } from '../../health/health.js'
import { answerJson } from '../answers/answer.js'
import type { Context, Endpoint } from '../contract.js'

/** Dependencies of the endpoints. */
export interface HealthPathsDeps {
  readonly health: Health
}

/** `GET /health` and `GET /ready`, by the option `healthPaths` (behaviour: Health). */
export function healthPaths({ health }: HealthPathsDeps): readonly Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/health',
      anonymous: true,
      description: {
        operation: 'read_health',
        summary: 'Check the health of the service',
        description: 'Without sign-in, HTTPS and limits. What it finds is remembered for a second.',
        answers: {
          200: { description: 'Nothing has failed.', schema: HEALTH },
          503: { description: 'One of the checks is false.', schema: HEALTH },
        },
      },
      async outside(ctx) {
        const found = await health.look()
        answer(ctx, found.ok, { ...found })
      },
    },
    {
      method: 'GET',
      path: '/ready',
      anonymous: true,
      description: {
        operation: 'read_readiness',
        summary: 'Check whether this process takes calls',
        description: 'Without sign-in, HTTPS and limits: for a load balancer.',
        answers: {
          200: { description: 'It takes calls.', schema: READY },
          503: { description: 'It has not started, is being stopped, or its database does not answer.', schema: READY },
        },
      },
      async outside(ctx) {
        const ready = await health.isReady()
        answer(ctx, ready, { ready })
      },
    },
  ]
}

function answer(ctx: Context, isWell: boolean, body: Record<string, unknown>): void {
  ctx.set('Cache-Control', 'no-store')
  answerJson(ctx, isWell ? 200 : 503, body)
}

const FOUND = { type: 'boolean' }
const FIGURE = { type: ['integer', 'null'], minimum: 0 }
const READY = {
  title: 'Readiness',
  type: 'object',
  properties: { ready: { type: 'boolean' } },
  required: ['ready'],
  additionalProperties: false,
}
/** Schema of what the checks find. */
export const HEALTH = {
  title: 'Health',
  type: 'object',
  properties: {
    ok: { type: 'boolean', description: 'True if no check is false.' },
    checks: {
      title: 'HealthChecks',
      type: 'object',
      properties: {
        database: { ...FOUND, description: 'It answers.' },
        migrations: { ...FOUND, description: 'All have run.' },
        jobs: { ...FOUND, description: 'The process has started, and its job store answers.' },
        filesStore: { ...FOUND, description: 'The store of files answers.' },
        outboxAgeMs: { ...FIGURE, description: 'How long the oldest event has waited; null if that could not be read.' },
        timersLateMs: { ...FIGURE, description: 'How late the most overdue timer is; null if that could not be read.' },
        importsRunning: { ...FIGURE, description: 'Imports that are being worked on; null if that could not be read.' },
      },
      additionalProperties: false,
    },
  },
  required: ['ok', 'checks'],
  additionalProperties: false,
}
