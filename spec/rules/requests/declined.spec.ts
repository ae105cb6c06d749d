import { expect } from 'chai'
import { declinedGoesTo, remembersTeam } from '../../../plugin/rules/requests/declined.js'
import { run, type Surroundings } from '../context.js'

const refs = { member: 'person', team: 'team', previous_team: 'team' }
// Person 9 coordinates team 5, person 8 has left team 6, person 7 is disabled. Organization 70 is supported by team 4.
const stored = {
  team: [
    { id: 4, name: 'Desk', disabled: false },
    { id: 5, name: 'Mail', disabled: false, coordinator_id: 9 },
    { id: 6, name: 'Print', disabled: false, coordinator_id: 8 },
    { id: 7, name: 'Fax', disabled: true, coordinator_id: 7 },
    { id: 3, name: 'Web', disabled: false },
  ],
  person: [
    { id: 7, name: 'Gone', disabled: true },
    { id: 9, name: 'Eva', disabled: false },
  ],
  organization: [{ id: 70, parent_id: null }],
  flsa: [{ id: 1, customer_id: 70, status: 'active', service_desk_team_id: 4 }],
}
const links = ['team 5 members 9', 'team 7 members 7']
const rule = declinedGoesTo({ previous: 'previous_team' })

describe('declinedGoesTo', () => {
  const open = { status: 'assigned', team_id: 5, member_id: 2, previous_team_id: 3, organization_id: 70 }
  const cases: readonly (readonly [name: string, about: Surroundings, expected: object])[] = [
    ['goes to the coordinator', { before: open }, { team_id: 5, member_id: 9 }],
    ['goes back where the coordinator declines it', { before: { ...open, member_id: 9 } }, { team_id: 3, member_id: null }],
    ['goes back where the coordinator acts', { before: open, actor: 9 }, { team_id: 3, member_id: null }],
    [
      'goes back where the coordinator is not in the team',
      { before: { ...open, team_id: 6 } },
      { team_id: 3, member_id: null },
    ],
    ['goes back where the coordinator is disabled', { before: { ...open, team_id: 7 } }, { team_id: 3, member_id: null }],
    [
      'goes to the service desk without a previous team',
      { before: { ...open, team_id: 6, previous_team_id: null } },
      { team_id: 4, member_id: null },
    ],
    [
      'goes to the service desk when the previous team is disabled',
      { before: { ...open, team_id: 6, previous_team_id: 7 } },
      { team_id: 4, member_id: null },
    ],
    [
      'stays where nothing else is known',
      { before: { ...open, team_id: 6, previous_team_id: null, organization_id: null } },
      { team_id: 6, member_id: null },
    ],
    ['keeps the member in the body', { before: open, next: { member: 2, member_id: 1 } }, { team_id: 5, member_id: 1 }],
    ['keeps the team in the body', { before: open, next: { team: 3, team_id: 3 } }, { team_id: 3, member_id: null }],
    ['leaves imports', { before: open, origin: 'import' }, { team_id: 5, member_id: 2 }],
  ]
  for (const [name, about, expected] of cases) {
    it(name, async () => {
      const next = { ...about.next, status: 'declined' }
      expect((await run(rule, { ...about, next, refs, stored, links })).next).to.include(expected)
    })
  }

  it('does nothing when the status stays', async () => {
    const before = { ...open, status: 'declined' }
    expect((await run(rule, { before, next: { subject: 's' }, refs, stored, links }, 'all')).saves).to.deep.equal([])
  })

  it('says in a note of the system where it went', async () => {
    const before = { id: 12, ...open, team_id: 6 }
    const next = { status: 'declined' }
    const { saves } = await run(rule, { before, next, type: 'request', refs, stored, links }, 'all')
    const text = 'Het verzoek is afgewezen en gaat terug naar het team Web.'
    expect(saves).to.deep.equal([['note', null, { text, medium: 'system' }, { type: 'request', id: 12 }]])
  })
})

describe('remembersTeam', () => {
  const remembers = remembersTeam('previous_team', { of: 'team' })
  const before = { status: 'assigned', team_id: 5, previous_team_id: 3 }
  const previous = async (next: object) => (await run(remembers, { refs, before, next: { ...next } })).next['previous_team_id']

  it('keeps the team before, unless that team has declined', async () => {
    expect(await previous({ team_id: 6 })).to.equal(5)
    expect(await previous({ subject: 's' })).to.equal(3)
    expect(await previous({ status: 'declined', team_id: 6 })).to.equal(null)
    expect(await previous({ status: 'declined', team: 6, team_id: 6 })).to.equal(5)
  })
})
