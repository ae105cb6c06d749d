import { expect } from 'chai'
import { memberOfTeam, workedOn } from '../../../plugin/rules/requests/member.js'
import { run, type Surroundings } from '../context.js'

const refs = { member: 'person', team: 'team' }
const stored = {
  team: [
    { id: 5, disabled: false },
    { id: 6, disabled: false },
    { id: 7, disabled: true },
  ],
}
// Person 1 is in team 6, person 2 in team 5, person 3 in the disabled team 7.
const links = ['team 6 members 1', 'team 5 members 2', 'team 7 members 3']

describe('memberOfTeam', () => {
  const rule = memberOfTeam('member', { team: 'team' })
  const cases: readonly (readonly [name: string, about: Surroundings, isRefused: boolean])[] = [
    ['a member of the team', { next: { team_id: 5, member_id: 2 } }, false],
    ['somebody else', { next: { team_id: 5, member_id: 1 } }, true],
    ['nobody', { next: { team_id: 5, member_id: null } }, false],
    ['a person without any team', { next: { team_id: null, member_id: 1 } }, false],
    ['another team that the member is not in', { before: { team_id: 5, member_id: 2 }, next: { team_id: 6 } }, true],
    ['a person who has left the team since', { before: { team_id: 5, member_id: 1 }, next: { subject: 's' } }, false],
  ]
  for (const [name, about, isRefused] of cases) {
    it(`${isRefused ? 'refuses' : 'accepts'} ${name}`, async () => {
      const { fails } = await run(rule, { ...about, refs, stored, links })
      expect(fails).to.deep.equal(isRefused ? [['member', 'not_a_member']] : [])
    })
  }
})

describe('workedOn', () => {
  const rule = workedOn('member', { field: 'status', values: ['busy'], team: 'team' })
  const cases: readonly (readonly [name: string, about: Surroundings, next: object, isRefused?: boolean])[] = [
    ['makes the acting person the member', { actor: 2, next: { status: 'busy', team_id: 5 } }, { member_id: 2, team_id: 5 }],
    ['keeps the member that is there', { actor: 2, next: { status: 'busy', team_id: 5, member_id: 9 } }, { member_id: 9 }],
    [
      'takes a team of the acting person',
      { actor: 1, before: { status: 'open', team_id: 5 }, next: { status: 'busy' } },
      { member_id: 1, team_id: 6 },
    ],
    [
      'keeps the team that the body names',
      { actor: 1, before: { status: 'open', team_id: 6 }, next: { status: 'busy', team: 5, team_id: 5 } },
      { team_id: 5 },
      true,
    ],
    ['lets people without a team', { actor: 4, next: { status: 'busy', team_id: 5 } }, { team_id: 5 }],
    ['takes no disabled team', { actor: 3, next: { status: 'busy', team_id: 5 } }, { team_id: 5 }],
    ['leaves other values', { actor: 2, next: { status: 'open', team_id: 5 } }, { team_id: 5 }],
    ['lets the system', { actor: null, next: { status: 'busy', team_id: 5 } }, { team_id: 5 }],
    ['lets imports', { actor: 2, origin: 'import', next: { status: 'busy', team_id: 5 } }, { team_id: 5 }],
    [
      'leaves what was stored without a member',
      { actor: 2, before: { status: 'busy', team_id: 5, member_id: null }, next: { subject: 's' } },
      { member_id: null },
    ],
  ]
  for (const [name, about, next, isRefused = false] of cases) {
    it(name, async () => {
      const outcome = await run(rule, { ...about, refs, stored, links })
      expect(outcome.next).to.include(next)
      if (!('member_id' in next)) expect(outcome.next).to.not.have.property('member_id')
      expect(outcome.fails).to.deep.equal(isRefused ? [['member', 'blank']] : [])
    })
  }
})
