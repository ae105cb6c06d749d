import { expect } from 'chai'
import { fillFrom } from '../../../plugin/rules/general/fill-from.js'
import { fillWithCallerWhen, fillWithHolder, fillWithTeamOf } from '../../../plugin/rules/people/assignees.js'
import { run } from '../context.js'

describe('rules that fill from other records', () => {
  describe('fillFrom', () => {
    const refs = { template: 'template', team: 'team', service: 'service', lead: 'person' }
    const stored = {
      template: [{ id: 5, subject: 'Restart', team_id: 7, urgent: false, impact: null }],
      service: [{ id: 6, owner_id: 3 }],
    }
    const use = fillFrom('template', ['subject', 'team', 'urgent', 'impact'])
    const filled = async (next: object, before: object | null = null) =>
      (await run(use, { refs, stored, before: before as never, next: { ...next } })).next

    it('copies values and references that the caller left out, over defaults as well', async () => {
      expect(await filled({ template_id: 5 })).to.deep.equal({ template_id: 5, subject: 'Restart', team_id: 7, urgent: false })
    })
    it('keeps what the caller sends, be it nothing', async () => {
      expect(await filled({ template_id: 5, subject: null, urgent: true })).to.deep.equal({
        template_id: 5,
        subject: null,
        team_id: 7,
        urgent: true,
      })
    })
    it('has nothing to copy later, without the other record, or when that has no value', async () => {
      expect(await filled({ template_id: 5 }, { subject: 'x' })).to.deep.equal({ template_id: 5, subject: 'x' })
      expect(await filled({ template_id: 9 })).to.deep.equal({ template_id: 9 })
      expect(await filled({ template_id: null })).to.deep.equal({ template_id: null })
    })
    it('passes over records that have been disabled since', async () => {
      const team = [{ id: 7, disabled: true }]
      const { next } = await run(use, { refs, stored: { ...stored, team }, next: { template_id: 5 } })
      expect(next).to.deep.equal({ template_id: 5, subject: 'Restart', urgent: false })
    })
    it('copies from fields with other names', async () => {
      const { next } = await run(fillFrom('service', { lead: 'owner' }), {
        refs,
        stored,
        next: { service_id: 6 },
      })
      expect(next).to.deep.equal({ service_id: 6, lead_id: 3 })
    })
    it('names its own fields', () => {
      expect(fillFrom('service', { lead: 'owner' }).does().fields).to.deep.equal(['service', 'lead'])
    })
  })

  describe('fillWithHolder', () => {
    const use = fillWithHolder('manager', 'problem_manager')
    const manager = async (about: object) =>
      (await run(use, { refs: { manager: 'person' }, roles: ['4 problem_manager'], ...about })).next['manager_id']
    it('names the acting person on new records, when it has the role', async () => {
      expect(await manager({ actor: 4 })).to.equal(4)
      expect(await manager({ actor: 5 })).to.equal(undefined)
      expect(await manager({ actor: null })).to.equal(undefined)
    })
    it('keeps who is named, and leaves stored records alone', async () => {
      expect(await manager({ actor: 4, next: { manager_id: 9 } })).to.equal(9)
      expect(await manager({ actor: 4, before: { manager_id: null } })).to.equal(null)
    })
  })

  describe('fillWithCallerWhen', () => {
    const use = fillWithCallerWhen('member', { field: 'status', values: ['solved'] })
    const member = async (about: object) =>
      (await run(use, { refs: { member: 'person' }, actor: 4, ...about })).next['member_id'] ?? null
    it('names the acting person when the field takes one of the values', async () => {
      expect(await member({ before: { status: 'open' }, next: { status: 'solved' } })).to.equal(4)
      expect(await member({ next: { status: 'solved' } })).to.equal(4)
    })
    it('keeps who is named', async () => {
      expect(await member({ next: { status: 'solved', member_id: 9 } })).to.equal(9)
    })
    it('does nothing for other values, and nothing later', async () => {
      expect(await member({ next: { status: 'open' } })).to.equal(null)
      expect(await member({ before: { status: 'solved' }, next: { subject: 'x' } })).to.equal(null)
      expect(await member({ next: { status: 'solved' }, actor: null })).to.equal(null)
    })
  })

  describe('fillWithTeamOf', () => {
    const use = fillWithTeamOf('team', { person: 'member' })
    const about = {
      refs: { team: 'team', member: 'person' },
      stored: {
        team: [
          { id: 1, disabled: true },
          { id: 2, disabled: false },
        ],
      },
      links: ['team 1 members 4', 'team 2 members 4'],
    }
    const team = async (next: object, before: object | null = null) =>
      (await run(use, { ...about, before: before as never, next: { ...next } })).next['team_id'] ?? null
    it('takes an enabled team of the person', async () => {
      expect(await team({ member_id: 4 })).to.equal(2)
    })
    it('takes none when there is none, when nobody is named, and when there is one already', async () => {
      expect(await team({ member_id: 5 })).to.equal(null)
      expect(await team({})).to.equal(null)
      expect(await team({ member_id: 4, team_id: 8 })).to.equal(8)
    })
    it('leaves stored records alone', async () => {
      expect(await team({ member_id: 4 }, { team_id: null })).to.equal(null)
    })
  })
})
