import type { Accounts } from '../../access/people/accounts.js'
import type { People } from '../../access/people/people.js'
import { Forbidden } from '../../core/errors.js'
import type { Operations } from '../../operations/contract.js'
import { schemaNamed } from '../../schema/kinds/json-schema.js'
import { answerJson } from '../answers/answer.js'
import type { Endpoint } from '../contract.js'

export interface AccountDeps {
  readonly operations: Operations
  readonly accounts: Accounts
  readonly people: People
  /** URL of the account in the user interface. */
  accountAddress(accountId: string): string
}

const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] })

const ACCOUNT = {
  title: 'AccountDetails',
  type: 'object',
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    plan: { type: 'string' },
    locale: { type: 'string' },
    time_zone: { type: 'string' },
    time_format_24h: { type: 'boolean' },
    currency: { type: 'string' },
    organization: orNull(schemaNamed('organization_reference')),
    owner: orNull(schemaNamed('person_reference')),
    url: { type: 'string' },
    directory_account: orNull(schemaNamed('account_reference')),
    strong_privacy: { type: 'boolean' },
  },
  additionalProperties: false,
}

/** `GET /account`: the account that the call operates on (behaviour: Accounts). */
export function account({ operations, accounts, people, accountAddress }: AccountDeps): readonly Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/account',
      description: {
        operation: 'read_account',
        summary: 'Read the account',
        description: 'The account that X-SVC-Account names, or that of the person who calls.',
        answers: { 200: { description: 'The account.', schema: { ...ACCOUNT, required: Object.keys(ACCOUNT.properties) } } },
      },
      async run(ctx, call) {
        const stored = await accounts.find(call.account.id)
        if (!stored) throw new Forbidden()
        const { organizationId, directoryAccountId } = stored
        const [organization] = organizationId === null ? [] : await operations.refer(call, 'organization', [organizationId])
        const owners = await operations.refer(call, 'person', await people.withRoles(stored.id, ['account_owner'], 'any'))
        const directory = directoryAccountId === null ? null : await accounts.find(directoryAccountId)
        answerJson(ctx, 200, {
          id: stored.id,
          name: stored.name,
          plan: stored.plan,
          locale: stored.locale,
          time_zone: stored.timeZone,
          time_format_24h: stored.timeFormat24h,
          currency: stored.currency,
          organization: organization ?? null,
          // There may be several owners: the first that still exists.
          owner: owners.find((one) => one['disabled'] !== true) ?? owners[0] ?? null,
          url: accountAddress(stored.id),
          directory_account: directory && { id: directory.id, name: directory.name },
          strong_privacy: stored.strongPrivacy,
        })
      },
    },
  ]
}
