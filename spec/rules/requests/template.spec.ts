import { expect } from 'chai'
import { memberOfTemplate, templateApplied } from '../../../plugin/rules/requests/template.js'
import { run, type Surroundings } from '../context.js'

const refs = {
  ...{ template: 'request_template', ci: 'ci', team: 'team', supplier: 'organization', member: 'person' },
  service_instance: 'service_instance',
}
const template = {
  id: 3,
  subject: 'A laptop',
  category: 'rfc',
  team_id: 5,
  status: 'accepted',
  urgent: true,
  supplier_id: 8,
  service_id: 2,
}
const stored = {
  request_template: [
    template,
    { id: 4, subject: 'A mailbox', status: 'change_pending', desired_completion: 90, note: 'Which one?' },
    { id: 6, member_id: 2 },
    { id: 7, assign_to_self: true, member_id: 2 },
  ],
  organization: [{ id: 8, disabled: true }],
  person: [{ id: 1 }, { id: 2 }],
  team: [
    { id: 5, disabled: false },
    { id: 6, disabled: false },
  ],
  service_instance: [{ id: 20, service_id: 2, status: 'in_production' }],
}
const links = ['team 5 members 2', 'team 6 members 1']

describe('templateApplied', () => {
  const rule = templateApplied('template')
  const cases: readonly (readonly [name: string, about: Surroundings, expected: object])[] = [
    [
      'fills what is empty',
      { next: { template_id: 3 } },
      { subject: 'A laptop', category: 'rfc', team_id: 5, status: 'accepted', urgent: true, service_instance_id: 20 },
    ],
    [
      'keeps what is sent',
      { next: { template_id: 3, subject: 'Mine', team: null, status: 'declined' } },
      { subject: 'Mine', status: 'declined' },
    ],
    [
      'leaves the status of a stored request',
      { before: { template_id: null, subject: 'Mine', status: 'waiting_for' }, next: { template_id: 3 } },
      { subject: 'Mine', status: 'waiting_for', category: 'rfc' },
    ],
    [
      'does not wait for a change that has not been started',
      { next: { template_id: 4 } },
      { subject: 'A mailbox', status: undefined },
    ],
    ['wants it done after some time', { next: { template_id: 4 } }, { desired_completion_at: '2026-11-21T11:00:00Z' }],
    [
      'leaves the status of imports',
      { origin: 'import', next: { template_id: 3 } },
      { subject: 'A laptop', status: undefined },
    ],
    ['does nothing while the template stays', { before: { template_id: 3 }, next: { subject: null } }, { subject: null }],
  ]
  for (const [name, about, expected] of cases) {
    it(name, async () => {
      const { next } = await run(rule, { ...about, refs, stored, links })
      for (const [column, value] of Object.entries(expected)) expect(next[column], column).to.equal(value)
      expect(next['supplier_id']).to.equal(undefined)
    })
  }

  it('adds its note to a request without one', async () => {
    const next = { id: 12, template_id: 4 }
    const { saves } = await run(rule, { type: 'request', next, refs, stored, links }, 'written')
    expect(saves).to.deep.equal([['note', null, { text: 'Which one?' }, { type: 'request', id: 12 }]])
    const withNote = { type: 'request', next, input: { note: 'The big one.' }, refs, stored, links }
    expect((await run(rule, withNote, 'written')).saves).to.deep.equal([])
  })
})

describe('memberOfTemplate', () => {
  const rule = memberOfTemplate('member', { template: 'template' })
  const cases: readonly (readonly [name: string, about: Surroundings, expected: object])[] = [
    ['takes the member of the template', { next: { template_id: 6, team_id: 5 } }, { member_id: 2, team_id: 5 }],
    ['takes nobody who is not in the team', { next: { template_id: 6, team_id: 6 } }, { team_id: 6, member_id: undefined }],
    ['takes the acting person, with a team', { next: { template_id: 7, team_id: 5 } }, { member_id: 1, team_id: 6 }],
    ['keeps the team that is sent', { next: { template_id: 7, team: 5, team_id: 5 } }, { member_id: undefined, team_id: 5 }],
    ['takes nobody without a team', { actor: 9, next: { template_id: 7, team_id: 5 } }, { member_id: undefined, team_id: 5 }],
    ['keeps the member that is sent', { next: { template_id: 7, team_id: 5, member: 2, member_id: 2 } }, { member_id: 2 }],
  ]
  for (const [name, about, expected] of cases) {
    it(name, async () => {
      const { next } = await run(rule, { ...about, refs, stored, links })
      for (const [column, value] of Object.entries(expected)) expect(next[column], column).to.equal(value)
    })
  }
})
