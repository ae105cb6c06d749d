import { hasRole } from '../../core/call.js'
import { BadRequest, Forbidden } from '../../core/errors.js'
import { MIN_DIGITS, reversedDigits } from '../../core/text/telephone-digits.js'
import type { Operations } from '../../operations/contract.js'
import { schemaNamed } from '../../schema/kinds/json-schema.js'
import type { Criterion } from '../../schema/language/conditions.js'
import { answerItems } from '../answers/answer.js'
import { type Endpoint, parameterOf } from '../contract.js'

/** Maximum number of people in the response (spec, Limits). */
const MAX_PEOPLE = 10

export interface TelephoneDeps {
  readonly operations: Operations
  readonly baseUrl: string
}

/**
 * `GET /sd?telephone=<digits>`: the enabled people with that telephone number, or with that support ID, in full and by name,
 * for service desk analysts (spec, Additional endpoints; behaviour: Telephone lookup).
 */
export function telephone({ operations, baseUrl }: TelephoneDeps): readonly Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/sd',
      description: {
        operation: 'find_people_by_telephone',
        summary: 'Find people by telephone number',
        description: 'Enabled people with that number or support ID, for service desk analysts.',
        parameters: [{ name: 'telephone', required: true, description: 'Only digits count, from the end of the number on.' }],
        answers: {
          200: { description: 'At most 10 people, by name.', schema: { type: 'array', items: schemaNamed('person') } },
        },
      },
      async run(ctx, call) {
        if (!hasRole(call, 'service_desk_analyst')) throw new Forbidden()
        const asked = parameterOf(ctx, 'telephone')
        if (asked === undefined) throw new BadRequest("Parameter 'telephone' is required")
        answerItems(ctx, baseUrl, await operations.find(call, 'person', criteriaOf(asked), MAX_PEOPLE))
      },
    },
  ]
}

function criteriaOf(asked: string): readonly Criterion[] {
  const digits = reversedDigits(asked)
  const found = [
    ...(digits.length < MIN_DIGITS ? [] : [hasNumber(digits)]),
    ...(asked.trim() === '' ? [] : [hasSupportId(asked.trim())]),
  ]
  const isEnabled: Criterion = { path: ['disabled'], op: 'in', values: [false] }
  return found.map((criterion) => ({ all: [isEnabled, criterion] }))
}

/** One of the numbers ends with the other: reversed, one begins with the other. Both are found in the same index. */
function hasNumber(digits: string): Criterion {
  const path = ['digits_reversed']
  const beginnings = Array.from(digits, (_, index) => digits.slice(0, index + 1)).slice(MIN_DIGITS - 1)
  // 'a' sorts after all digits, in any collation.
  const longer: Criterion = {
    all: [
      { path, op: '>=', values: [digits] },
      { path, op: '<', values: [`${digits}a`] },
    ],
  }
  return { part: 'contacts', where: { any: [{ path, op: 'in', values: beginnings }, longer] } }
}

function hasSupportId(text: string): Criterion {
  return { path: ['supportID'], op: 'in', values: [text], text: 'ignoreCase' }
}
