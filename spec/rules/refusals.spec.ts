import { expect } from 'chai'
import { createReachable } from '../../plugin/core/public-address.js'
import { mustBeLinked } from '../../plugin/rules/general/must-be-linked.js'
import { publicAddress } from '../../plugin/rules/general/must-be-public.js'
import { mustFollow } from '../../plugin/rules/general/must-follow.js'
import { noCycle } from '../../plugin/rules/general/no-cycle.js'
import { labelsOfOwner, refuseWhile } from '../../plugin/rules/people/contact-labels.js'
import { notOffered } from '../../plugin/rules/requests/not-offered.js'
import { noOverlap } from '../../plugin/rules/time/no-overlap.js'
import { run } from './context.js'

describe('rules that refuse', () => {
  describe('mustFollow', () => {
    const use = mustFollow('end', { after: 'start' })
    const fails = async (start: string | null, end: string | null) => (await run(use, { next: { start, end } })).fails
    it('wants the end behind the start', async () => {
      expect(await fails('08:00', '12:00')).to.deep.equal([])
      expect(await fails('08:00', '24:00')).to.deep.equal([])
      expect(await fails('08:00', '08:00')).to.deep.equal([['end', 'end_before_start']])
      expect(await fails('2020-02-01T00:00', '2020-01-31T23:59')).to.deep.equal([['end', 'end_before_start']])
    })
    it('has nothing to say while one of the two is empty', async () => {
      expect(await fails(null, '12:00')).to.deep.equal([])
      expect(await fails('12:00', null)).to.deep.equal([])
    })
  })

  describe('noOverlap', () => {
    const use = noOverlap({ within: 'weekday', from: 'from', until: 'until' })
    const owner = { owner_type: 'calendar', owner_id: 1, weekday: 'mon' }
    const stored = { hour: [{ id: 5, ...owner, from: '08:00', until: '12:00' }] }
    const fails = async (next: object, id?: number) =>
      (await run(use, { type: 'hour', stored, next: { ...owner, ...(id ? { id } : {}), ...next } })).fails
    it('refuses times that share a minute, and lets them touch', async () => {
      expect(await fails({ from: '11:59', until: '13:00' })).to.deep.equal([['from', 'overlaps']])
      expect(await fails({ from: '07:00', until: '23:00' })).to.deep.equal([['from', 'overlaps']])
      expect(await fails({ from: '12:00', until: '13:00' })).to.deep.equal([])
      expect(await fails({ from: '00:00', until: '08:00' })).to.deep.equal([])
    })
    it('looks at other days and owners not at all, nor at the record itself', async () => {
      expect(await fails({ from: '08:00', until: '09:00', weekday: 'tue' })).to.deep.equal([])
      expect(await fails({ from: '08:00', until: '09:00', owner_id: 2 })).to.deep.equal([])
      expect(await fails({ from: '08:00', until: '13:00' }, 5)).to.deep.equal([])
    })
    it('sees the hours that are in the way, however many others there are', async () => {
      const hours = Array.from({ length: 5 }, (_, hour) => ({ id: hour, ...owner, from: `0${hour}:00`, until: `0${hour}:30` }))
      const next = { ...owner, from: '04:15', until: '04:45' }
      const { fails } = await run(use, { type: 'hour', stored: { hour: hours }, next })
      expect(fails).to.deep.equal([['from', 'overlaps']])
    })
    it('waits for all three to be there', async () => {
      expect(await fails({ from: '08:00', until: null })).to.deep.equal([])
      expect(await fails({ from: '08:00', until: '09:00', weekday: null })).to.deep.equal([])
    })
  })

  describe('noCycle', () => {
    const use = noCycle('parent')
    const stored = {
      thing: [
        { id: 1, parent_id: 2 },
        { id: 2, parent_id: 3 },
        { id: 3, parent_id: null },
        { id: 8, parent_id: 9 },
        { id: 9, parent_id: 8 },
      ],
    }
    const fails = async (id: number, parent_id: number | null, before: number | null = null) =>
      (
        await run(use, {
          refs: { parent: 'thing' },
          stored,
          before: { id, parent_id: before },
          next: { parent_id },
        })
      ).fails
    it('refuses the record itself and its descendants as parent', async () => {
      expect(await fails(3, 3)).to.deep.equal([['parent', 'descendant_parent']])
      expect(await fails(3, 1)).to.deep.equal([['parent', 'descendant_parent']])
    })
    it('takes any other, and none', async () => {
      expect(await fails(1, 3)).to.deep.equal([])
      expect(await fails(1, null, 2)).to.deep.equal([])
      expect((await run(use, { refs: { parent: 'thing' }, stored, next: { parent_id: 1 } })).fails).to.deep.equal([])
    })
    it('ends in a tree that is damaged already', async () => {
      expect(await fails(1, 8)).to.deep.equal([['parent', 'descendant_parent']])
    })
    it('leaves a record 100 levels above it, a new one, too', async () => {
      const tower = { thing: Array.from({ length: 101 }, (_, id) => ({ id: id + 1, parent_id: id || null })) }
      const below = async (parent_id: number, before: { id: number } | null) =>
        (await run(use, { refs: { parent: 'thing' }, stored: tower, before, next: { parent_id } })).fails
      for (const before of [null, { id: 500 }]) {
        expect(await below(100, before)).to.deep.equal([])
        expect(await below(101, before)).to.deep.equal([['parent', 'too_deep', { max: 100 }]])
      }
    })
  })

  describe('mustBeLinked', () => {
    const use = mustBeLinked('lead', { by: 'members', code: 'not_a_member' })
    const fails = async (lead_id: number | null, before: number | null = null) =>
      (
        await run(use, {
          type: 'team',
          refs: { lead: 'person' },
          links: ['team 1 members 4'],
          before: { id: 1, lead_id: before },
          next: { lead_id },
        })
      ).fails
    it('wants the one to be linked', async () => {
      expect(await fails(4)).to.deep.equal([])
      expect(await fails(5)).to.deep.equal([['lead', 'not_a_member']])
      expect(await fails(null, 4)).to.deep.equal([])
    })
    it('does not come back to what was there before', async () => {
      expect(await fails(5, 5)).to.deep.equal([])
    })
  })

  describe('labelsOfOwner', () => {
    const use = labelsOfOwner({ person: ['home'] })
    const fails = async (owner_type: string, label: string | null) => (await run(use, { next: { owner_type, label } })).fails
    it('knows which labels an owner takes', async () => {
      expect(await fails('person', 'home')).to.deep.equal([])
      expect(await fails('person', 'billing')).to.deep.equal([['label', 'inclusion']])
      expect(await fails('ship', 'billing')).to.deep.equal([])
      expect(await fails('person', null)).to.deep.equal([])
    })
    it('leaves a label that is stored', async () => {
      const before = { owner_type: 'person', label: 'billing' }
      expect((await run(use, { before, next: { city: 'Utrecht' } })).fails).to.deep.equal([])
    })
  })

  describe('refuseWhile', () => {
    const use = refuseWhile('locked', { code: 'is_locked' })
    it('refuses changes and removal of a record with the flag, but not to imports', async () => {
      for (const phase of ['before', 'remove'] as const) {
        expect((await run(use, { before: { locked: true } }, phase)).fails).to.deep.equal([['base', 'is_locked']])
        expect((await run(use, { before: { locked: false } }, phase)).fails).to.deep.equal([])
        expect((await run(use, { before: { locked: true }, origin: 'import' }, phase)).fails).to.deep.equal([])
      }
      expect((await run(use, { next: { locked: true } })).fails).to.deep.equal([])
    })
  })

  describe('notOffered', () => {
    const use = notOffered('article', { status: 'archived', code: 'archived_reference' })
    const stored = {
      article: [
        { id: 1, status: 'public' },
        { id: 2, status: 'archived' },
      ],
    }
    const fails = async (article_id: number, before?: number) => {
      const about = { stored, refs: { article: 'article' }, next: { article_id } }
      return (await run(use, before ? { ...about, before: { article_id: before } } : about)).fails
    }
    it('refuses records with the status, and leaves those alone that were chosen before', async () => {
      expect(await fails(1)).to.deep.equal([])
      expect(await fails(2)).to.deep.equal([['article', 'archived_reference']])
      expect(await fails(2, 1)).to.deep.equal([['article', 'archived_reference']])
      expect(await fails(2, 2)).to.deep.equal([])
    })
  })

  describe('publicAddress', () => {
    const use = publicAddress('uri')
    const fails = async (uri: string | null, mayReach = createReachable()) =>
      (await run(use, { next: { uri }, mayReach })).fails
    it('refuses addresses of private networks and of this machine, however they are written', async () => {
      const addresses = [
        '127.0.0.1',
        '10.1.2.3',
        '192.168.0.1',
        '172.16.0.1',
        '169.254.169.254',
        '0.0.0.0',
        '[::1]',
        '[fe80::1]',
        '[fd00::1]',
      ]
      const disguised = [
        'localhost',
        'LOCALHOST.',
        'a.localhost',
        '0x7f.1',
        '2130706433',
        '[::ffff:10.0.0.1]',
        '017700000001',
        '100.64.0.1',
        '[::127.0.0.1]',
        '[64:ff9b::10.0.0.1]',
        '[2002:a00:1::]',
        '168.63.129.16',
      ]
      for (const host of [...addresses, ...disguised]) {
        expect(await fails(`http://${host}/hook`), host).to.deep.equal([['uri', 'invalid']])
      }
    })
    it('takes public ones, and names, which are looked at when they are resolved', async () => {
      for (const host of ['93.184.216.34', '[2606:2800:220:1::1]', 'hooks.example', 'localhost.example']) {
        expect(await fails(`https://user:secret@${host}:8443/hook?a=b`), host).to.deep.equal([])
      }
    })
    it('takes those in networks that are allowed, and no others', async () => {
      const mayReach = createReachable(['10.1.0.0/16', '127.0.0.0/8'])
      const refused = async (host: string) => (await fails(`http://${host}/`, mayReach)).length > 0
      for (const host of ['10.1.2.3', '[::ffff:10.1.2.3]', 'localhost', '127.0.0.1'])
        expect(await refused(host), host).to.equal(false)
      for (const host of ['10.2.0.1', '[::1]', '169.254.169.254']) expect(await refused(host), host).to.equal(true)
    })
    it('takes all of them for development, and says nothing of what is no address', async () => {
      expect(await fails('http://127.0.0.1/', () => true)).to.deep.equal([])
      expect(await fails('nonsense')).to.deep.equal([])
      expect(await fails(null)).to.deep.equal([])
    })
  })
})
