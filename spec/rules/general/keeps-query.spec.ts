import { expect } from 'chai'
import { keepsQuery } from '../../../plugin/rules/general/keeps-query.js'
import { teamOfCaller } from '../../../plugin/rules/people/team-of-caller.js'
import type { DraftRow } from '../../../plugin/schema/language/define-rule.js'
import { run, type Surroundings } from '../context.js'

describe('rules of views', () => {
  describe('keepsQuery', () => {
    const mistakes = { bicycle: 'no such list', 'site?a=1': 'no such field' }
    const fails = async (next: DraftRow, before: DraftRow | null = null) =>
      (await run(keepsQuery('query', { of: 'record_type' }), { before, next, mistakes })).fails

    it('passes on what the list says, about the type before the query', async () => {
      expect(await fails({ record_type: 'site', query: 'b=1' })).to.deep.equal([])
      expect(await fails({ record_type: 'site', query: null })).to.deep.equal([])
      expect(await fails({ record_type: 'site', query: 'a=1' })).to.deep.equal([
        ['query', 'query_mistake', { type: 'site', mistake: 'no such field' }],
      ])
      expect(await fails({ record_type: 'bicycle', query: 'a=1' })).to.deep.equal([
        ['record_type', 'no_list', { name: 'bicycle' }],
      ])
      expect(await fails({ record_type: null, query: 'a=1' })).to.deep.equal([])
    })
    it('looks again when one of them changes, and only then', async () => {
      expect(await fails({ name: 'x' }, { record_type: 'site', query: 'a=1' })).to.deep.equal([])
      expect(
        (await fails({ record_type: 'site' }, { record_type: 'team', query: 'a=1' })).map(([field]) => field),
      ).to.deep.equal(['query'])
    })
  })

  describe('teamOfCaller', () => {
    const stored = { team: [{ id: 5, manager_id: 7, coordinator_id: 8 }] }
    const fails = async (about: Surroundings, next: DraftRow = { team_id: 5 }) =>
      (await run(teamOfCaller('team'), { refs: { team: 'team' }, stored, links: ['team 5 members 9'], next, ...about })).fails
    const refused = [['team', 'not_own_team']]

    it('lets those choose a team who lead it or are members of it, and administrators', async () => {
      for (const actor of [7, 8, 9]) expect(await fails({ actor }), String(actor)).to.deep.equal([])
      expect(await fails({ actor: 6 })).to.deep.equal(refused)
      expect(await fails({ actor: null })).to.deep.equal(refused)
      expect(await fails({ actor: 6, callRoles: ['account_administrator'] })).to.deep.equal([])
    })
    it('says nothing about a team that stays, or none', async () => {
      expect(await fails({ actor: 6, before: { team_id: 5 } }, { name: 'x' })).to.deep.equal([])
      expect(await fails({ actor: 6, before: { team_id: 5 } }, { team_id: null })).to.deep.equal([])
    })
  })
})
