import { expect } from 'chai'
import {
  type AffectedFacts,
  nextTarget,
  type RequestFacts,
  strictestTargets,
} from '../../../plugin/rules/service-levels/next-target.js'

const [EARLY, MIDDLE, LATE] = ['2026-11-23T08:00:00Z', '2026-11-24T08:00:00Z', '2026-11-25T08:00:00Z']

/** Response target, resolution target and desired completion of a request that is worked on. */
function facts(
  response: string | null,
  resolution: string | null,
  desired: string | null,
  status = 'in_progress',
): RequestFacts {
  return { status, response_target_at: response, resolution_target_at: resolution, desired_completion_at: desired }
}

const WAITING = 'waiting_for_customer'
const CASES: readonly (readonly [string, RequestFacts, readonly (string | null)[], string | null])[] = [
  ['nothing is left to do', facts(EARLY, MIDDLE, LATE, 'completed'), ['provider'], null],
  ['the response is due first', facts(EARLY, LATE, MIDDLE), ['provider'], EARLY],
  ['nobody desires a time', facts(MIDDLE, LATE, null), ['provider'], MIDDLE],
  ['the desired completion is before the response', facts(MIDDLE, LATE, EARLY), ['provider'], EARLY],
  ['both are at the same time', facts(MIDDLE, LATE, MIDDLE), ['provider'], MIDDLE],
  ['there is no response target', facts(null, EARLY, LATE), ['provider'], LATE],
  ['the desired completion needs no SLA', facts(null, null, LATE), [], LATE],
  ['the desired completion goes before the waiting', facts(null, EARLY, LATE, WAITING), ['provider'], LATE],
  ['the response target goes before the waiting', facts(EARLY, LATE, null, WAITING), ['provider'], EARLY],
  ['the customer has to answer the provider', facts(null, LATE, null, WAITING), [null, 'provider'], 'clock_stopped'],
  ['the customer has to answer the supplier', facts(null, LATE, null, WAITING), ['supplier'], 'clock_stopped'],
  ['nobody is accountable', facts(null, LATE, null, WAITING), ['sla_not_affected', null], 'best_effort'],
  ['the customer has to answer without an SLA', facts(null, null, null, WAITING), [], 'best_effort'],
  ['only the resolution is due', facts(null, LATE, null), ['provider'], LATE],
  ['nothing is promised', facts(null, null, null), [], 'best_effort'],
  ['there is a word in place of the resolution', facts(null, 'no_target', null), [], 'no_target'],
  ['a word in place of the response is no time', facts('best_effort', LATE, MIDDLE), [], MIDDLE],
]

describe('the next target of a request', () => {
  for (const [name, request, accountabilities, expected] of CASES) {
    it(`is ${expected ?? 'empty'} when ${name}`, () => {
      expect(nextTarget(request, accountabilities)).to.equal(expected)
    })
  }
})

/** An affected SLA of the teams 1 and 2. */
function affected(response: string | null, resolution: string | null, more: Partial<AffectedFacts> = {}): AffectedFacts {
  const targets = { response_target_at: response, resolution_target_at: resolution, actual_response_at: null }
  const teams = { first_line_team_id: 1, support_team_id: 2 }
  return { accountability: 'provider', covers_requester: false, ...teams, ...targets, ...more }
}

describe('the most stringent targets of affected SLAs', () => {
  const of = (team: number | null, ...all: readonly AffectedFacts[]) => Object.values(strictestTargets(team, all))

  it('are the earliest ones of those that the team is responsible for', () => {
    const all = [affected(MIDDLE, LATE), affected(EARLY, null), affected(null, MIDDLE, { support_team_id: 3 })]
    expect(of(1, ...all)).to.deep.equal([EARLY, MIDDLE, null])
    expect(of(2, ...all)).to.deep.equal([EARLY, LATE, null])
    expect(of(4, ...all)).to.deep.equal([null, null, null])
    expect(of(null, affected(EARLY, LATE, { first_line_team_id: null }))).to.deep.equal([null, null, null])
  })

  it('are without responses that were given, and without SLAs that are not affected', () => {
    expect(of(1, affected(EARLY, LATE, { actual_response_at: EARLY }))).to.deep.equal([null, LATE, null])
    const ended = affected(EARLY, LATE, { accountability: 'sla_not_affected', covers_requester: true })
    expect(of(1, ended)).to.deep.equal([null, null, null])
  })

  it('are for the requester those that cover the person, whatever the team', () => {
    const all = [affected(EARLY, EARLY), affected(EARLY, LATE, { covers_requester: true })]
    expect(of(4, ...all)).to.deep.equal([null, null, LATE])
  })
})
