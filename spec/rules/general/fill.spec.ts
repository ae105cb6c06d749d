import { expect } from 'chai'
import { copyOnCreate, countChanges, fallBackTo, fillWithCaller } from '../../../plugin/rules/general/fill.js'
import { run } from '../context.js'

describe('rules that fill', () => {
  describe('fillWithCaller', () => {
    const use = fillWithCaller('owner')
    it('sets the acting person on new records', async () => {
      expect((await run(use, { refs: { owner: 'person' }, actor: 4 })).next).to.deep.equal({ owner_id: 4 })
    })
    it('keeps what is given, and what is there', async () => {
      expect((await run(use, { refs: { owner: 'person' }, actor: 4, next: { owner_id: 9 } })).next).to.deep.equal({
        owner_id: 9,
      })
      expect((await run(use, { refs: { owner: 'person' }, actor: 4, before: { owner_id: null } })).next).to.deep.equal({
        owner_id: null,
      })
    })
    it('leaves it empty when nobody acts', async () => {
      expect((await run(use, { refs: { owner: 'person' }, actor: null })).next).to.deep.equal({
        owner_id: null,
      })
    })
    it('names its field', () => {
      expect(use.does().fields).to.deep.equal(['owner'])
    })
  })

  describe('fallBackTo', () => {
    it('takes the other reference, or the other value, when there is none', async () => {
      const refs = await run(fallBackTo('for', 'by'), {
        refs: { for: 'person', by: 'person' },
        next: { for_id: null, by_id: 3 },
      })
      expect(refs.next).to.deep.equal({ for_id: 3, by_id: 3 })
      const plain = await run(fallBackTo('name', 'event'), { next: { name: null, event: 'x' } })
      expect(plain.next).to.deep.equal({ name: 'x', event: 'x' })
    })
    it('does so again when the value is taken away later', async () => {
      const { next } = await run(fallBackTo('name', 'event'), {
        before: { name: 'mine', event: 'x' },
        next: { name: null },
      })
      expect(next).to.deep.equal({ name: 'x', event: 'x' })
    })
    it('keeps a value that is there', async () => {
      const { next } = await run(fallBackTo('name', 'event'), { next: { name: 'mine', event: 'x' } })
      expect(next['name']).to.equal('mine')
    })
  })

  describe('copyOnCreate', () => {
    const use = copyOnCreate('organization', { from: 'person', field: 'organization' })
    const refs = { organization: 'organization', person: 'person' }
    const stored = { person: [{ id: 5, organization_id: 70 }] }
    it('copies a reference of the referenced record', async () => {
      expect((await run(use, { refs, stored, next: { person_id: 5 } })).next).to.include({
        organization_id: 70,
      })
    })
    it('leaves it alone later, and when there is nothing to copy from', async () => {
      expect((await run(use, { refs, stored, before: { organization_id: 1 }, next: { person_id: 5 } })).next).to.include({
        organization_id: 1,
      })
      expect((await run(use, { refs, stored, next: { person_id: 6 } })).next).to.deep.equal({ person_id: 6 })
    })
  })

  describe('countChanges', () => {
    const use = countChanges('count', { of: 'team' })
    const stored = {
      team: [
        { id: 1, account_id: 'acme' },
        { id: 2, account_id: 'acme' },
        { id: 3, account_id: 'globex' },
      ],
    }
    const before = { account_id: 'acme', team_id: 1, count: 1 }
    for (const [name, about, count] of [
      ['counts the first one', { next: { account_id: 'acme', team_id: 1 } }, 1],
      ['counts another one', { before, next: { team_id: 2 } }, 2],
      ['does not count one of another account', { before, next: { team_id: 3 } }, 1],
      ['counts the way back from there', { before: { ...before, team_id: 3 }, next: { team_id: 1 } }, 2],
      ['does not count without one', { next: { account_id: 'acme' } }, 0],
      ['does not count when it stays', { before }, 1],
      ['takes no count from a caller', { before, next: { count: 40 } }, 1],
      ['does not count when it is removed', { before, next: { team_id: null } }, 1],
    ] as const) {
      it(name, async () => {
        expect((await run(use, { refs: { team: 'team' }, stored, ...about })).next).to.include({ count })
      })
    }
  })
})
