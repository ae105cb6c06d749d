/** What the end of a change or a project means for those who wait for it (behaviour: Requests, Problems). */
import { follow, type SettledValues } from '../../schema/language/define-settling.js'

/**
 * Tells the requests and problems that wait for a change that it is completed: requests are completed when the change is, and
 * given back otherwise; problems go to their manager, who looks whether they are solved (behaviour: Requests, Problems).
 */
export const outcomeOf = (record: 'change' | 'project') =>
  follow('outcome', {
    of: {
      requests: { type: 'request', by: record, where: { status: `${record}_pending` } },
      problems: { type: 'problem', by: record, where: { status: `${record}_pending` } },
    },
    fields: ['status', 'completion_reason'],
    keeps: {
      'requests.status': ['status', 'completion_reason'],
      'requests.completion_reason': ['status', 'completion_reason'],
      'problems.status': ['status'],
      'problems.member': ['status'],
    },
    moves: {
      requests: [
        { from: [`${record}_pending`], to: 'completed', when: `the ${record} is completed with the reason complete` },
        { from: [`${record}_pending`], to: 'assigned', when: `the ${record} is completed with another reason` },
      ],
      problems: [{ from: [`${record}_pending`], to: 'assigned', when: `the ${record} is completed` }],
    },
    // A request that cannot be completed, or a problem that refuses its manager, must not keep others from finishing their tasks.
    otherwise: { requests: { status: 'assigned' }, problems: { status: 'assigned' } },
    decide({ owner, requests, problems }) {
      if (owner['status'] !== 'completed') return null
      const outcome: SettledValues =
        owner['completion_reason'] === 'complete'
          ? { status: 'completed', completion_reason: 'solved' }
          : { status: 'assigned' }
      return {
        requests: new Map(requests.map(({ id }) => [Number(id), outcome])),
        problems: new Map(
          problems.map(({ id, manager_id = null }) => [Number(id), { status: 'assigned', member_id: manager_id }]),
        ),
      }
    },
  })
