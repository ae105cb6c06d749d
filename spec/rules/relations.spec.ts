import { expect } from 'chai'
import { countUses } from '../../plugin/rules/general/count-uses.js'
import { mirrored } from '../../plugin/rules/general/mirrored.js'
import { mustHaveRole } from '../../plugin/rules/general/must-have-role.js'
import { run, type Surroundings } from './context.js'

describe('rules about other records', () => {
  describe('mustHaveRole', () => {
    const use = mustHaveRole('manager', 'release_manager')
    const fails = async (about: Surroundings) =>
      (await run(use, { refs: { manager: 'person' }, roles: ['7 release_manager', '8 auditor'], ...about })).fails

    it('wants the person to have this very role', async () => {
      expect(await fails({ next: { manager: 7, manager_id: 7 } })).to.deep.equal([])
      const missing = [['manager', 'role_missing', { role: 'release_manager' }]]
      expect(await fails({ next: { manager: 8, manager_id: 8 } })).to.deep.equal(missing)
      expect(await fails({ before: { manager_id: 7 }, next: { manager: 9, manager_id: 9 } })).to.deep.equal(missing)
    })

    it('takes who is filled in: only whom the caller names has to have it', async () => {
      expect(await fails({ next: { manager_id: 8 } })).to.deep.equal([])
    })

    it('does not come back to who was there before, and needs nobody', async () => {
      expect(await fails({ before: { manager_id: 8 }, next: { subject: 'x' } })).to.deep.equal([])
      expect(await fails({ next: { manager: null, manager_id: null } })).to.deep.equal([])
    })
  })

  describe('countUses', () => {
    const use = countUses('template', { in: 'times_applied' })
    const counts = async (about: Surroundings, phase: 'written' | 'removed' = 'written') =>
      (await run(use, { refs: { template: 'pattern' }, ...about }, phase)).counts

    it('adds one where a record starts to refer, and takes one away where it stops', async () => {
      expect(await counts({ next: { template_id: 4 } })).to.deep.equal([['pattern', 4, 'times_applied', 1]])
      expect(await counts({ before: { template_id: 4 }, next: { template_id: null } })).to.deep.equal([
        ['pattern', 4, 'times_applied', -1],
      ])
      expect(await counts({ before: { template_id: 4 }, next: { template_id: 5 } })).to.deep.equal([
        ['pattern', 4, 'times_applied', -1],
        ['pattern', 5, 'times_applied', 1],
      ])
      expect(await counts({ before: { template_id: 4 } }, 'removed')).to.deep.equal([['pattern', 4, 'times_applied', -1]])
    })

    it('counts nothing when the reference stays, or has nothing to lead to', async () => {
      expect(await counts({ before: { template_id: 4 }, next: { subject: 'x' } })).to.deep.equal([])
      expect(await counts({ next: { template_id: null } })).to.deep.equal([])
      expect(await counts({ next: { template_id: 4 }, refs: {} })).to.deep.equal([])
    })
  })

  describe('mirrored', () => {
    const use = mirrored('thing', { relation: 'kind', inverse: { parent: 'child', child: 'parent' } })
    const part = (id: number, owner: number, thing: number, kind: string) => ({
      id,
      account_id: 'acme',
      owner_type: 'thing',
      owner_id: owner,
      thing_id: thing,
      kind,
    })
    const things = [1, 2, 3].map((id) => ({ id, account_id: id === 3 ? 'globex' : 'acme' }))
    const about = (
      before: ReturnType<typeof part> | null,
      next: object,
      relations: readonly ReturnType<typeof part>[] = [],
    ) => ({
      type: 'relation',
      refs: { thing: 'thing' },
      before,
      next: next as Surroundings['next'] & object,
      stored: { thing: things, relation: relations },
    })

    it('makes the other side when there is none', async () => {
      const own = part(10, 1, 2, 'parent')
      const { saves, removed } = await run(use, about(null, own, [own]), 'written')
      expect(saves).to.deep.equal([['relation', null, { thing_id: 1, kind: 'child' }, { type: 'thing', id: 2 }]])
      expect(removed).to.deep.equal([])
    })

    it('is content when the other side is there', async () => {
      const own = part(10, 1, 2, 'parent')
      const { saves } = await run(use, about(null, own, [own, part(11, 2, 1, 'child')]), 'written')
      expect(saves).to.deep.equal([])
    })

    it('changes the other side when the kind changes', async () => {
      const [own, other] = [part(10, 1, 2, 'parent'), part(11, 2, 1, 'child')]
      const { saves, removed } = await run(use, about(own, { kind: 'child' }, [other]), 'written')
      expect([saves, removed]).to.deep.equal([[['relation', 11, { kind: 'parent' }]], []])
    })

    it('moves the other side when it leads to another record', async () => {
      const [own, other] = [part(10, 1, 2, 'near'), part(11, 2, 1, 'near')]
      const stored = {
        ...about(own, { thing_id: 4 }, [other]),
        stored: { thing: [...things, { id: 4, account_id: 'acme' }], relation: [other] },
      }
      const { saves, removed } = await run(use, stored, 'written')
      expect(removed).to.deep.equal([['relation', 11]])
      expect(saves).to.deep.equal([['relation', null, { thing_id: 1, kind: 'near' }, { type: 'thing', id: 4 }]])
    })

    it('does nothing while neither changes, and nothing to records of other accounts', async () => {
      const own = part(10, 1, 2, 'parent')
      expect((await run(use, about(own, { note: 'x' }), 'written')).saves).to.deep.equal([])
      expect((await run(use, about(null, part(10, 1, 3, 'parent')), 'written')).saves).to.deep.equal([])
    })

    it('takes the other side away, if it is still there', async () => {
      const [own, other] = [part(10, 1, 2, 'parent'), part(11, 2, 1, 'child')]
      expect((await run(use, about(own, {}, [other]), 'removed')).removed).to.deep.equal([['relation', 11]])
      expect((await run(use, about(own, {}, []), 'removed')).removed).to.deep.equal([])
    })

    it('relates nothing to itself', async () => {
      const { fails } = await run(use, about(null, part(10, 1, 1, 'parent')))
      expect(fails).to.deep.equal([['thing', 'not_allowed']])
    })

    it('may be of another record type', async () => {
      const down = mirrored('thing', { relation: 'kind', record: 'upward_relation' })
      const { saves } = await run(down, about(null, part(10, 1, 2, 'parent')), 'written')
      expect(saves).to.deep.equal([['upward_relation', null, { thing_id: 1, kind: 'parent' }, { type: 'thing', id: 2 }]])
    })
  })
})
