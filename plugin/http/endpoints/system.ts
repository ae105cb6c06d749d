import { VERSION } from '../../core/version.js'
import type { Health } from '../../health/health.js'
import { answerJson } from '../answers/answer.js'
import type { Endpoint } from '../contract.js'
import { admit, type DeliveriesDeps } from './account-deliveries.js'
import { HEALTH } from './health-paths.js'

/** Dependencies of the endpoint. */
export interface SystemDeps extends Pick<DeliveriesDeps, 'catalog'> {
  readonly health: Pick<Health, 'look'>
  readonly jobs: { running(): readonly { readonly name: string; readonly began_at: Date }[] }
}

/** `GET /system`: how the process is that answers, for account administrators (behaviour: System). */
export function system({ catalog, health, jobs }: SystemDeps): readonly Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/system',
      description: {
        operation: 'read_system',
        summary: 'Read how the system is',
        description:
          'Of the process that answers. For account administrators. A token that is limited to record types does not open it.',
        answers: { 200: { description: 'Whether its parts answer, and what it works on.', schema: SYSTEM } },
      },
      async run(ctx, call) {
        admit({ catalog }, call)
        const running = jobs.running().map(({ began_at, name }) => ({ name, began_at: began_at.toISOString() }))
        ctx.set('Cache-Control', 'no-store')
        answerJson(ctx, 200, { version: VERSION, ...(await health.look()), jobs: running })
      },
    },
  ]
}

const SYSTEM = {
  title: 'SystemState',
  type: 'object',
  properties: {
    version: { type: 'string', maxLength: 32, description: 'Of the plugin.' },
    ...HEALTH.properties,
    jobs: {
      type: 'array',
      description: 'What this process works on in the background, the oldest first.',
      items: {
        title: 'JobThatRuns',
        type: 'object',
        properties: { name: { type: 'string', maxLength: 64 }, began_at: { type: 'string', format: 'date-time' } },
        required: ['name', 'began_at'],
        additionalProperties: false,
      },
    },
  },
  required: ['version', 'ok', 'checks', 'jobs'],
  additionalProperties: false,
}
