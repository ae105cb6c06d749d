import { expect } from 'chai'
import { emptyUnless, falseUnless, onlyWhile, requiredWhen, requiredWhenAll } from '../../../plugin/rules/general/by-status.js'
import { run } from '../context.js'

describe('rules for fields that belong to a status', () => {
  describe('onlyWhile', () => {
    const use = onlyWhile('until', { field: 'status', values: ['waiting', 'paused'] })
    const about = (before: object | null, next: object) => run(use, { before: before as never, next: next as never })

    it('takes a value with one of the statuses', async () => {
      const { fails, next } = await about(null, { status: 'waiting', until: '2026' })
      expect([fails, next]).to.deep.equal([[], { status: 'waiting', until: '2026' }])
      expect((await about({ status: 'waiting', until: null }, { until: '2026' })).fails).to.deep.equal([])
    })

    it('refuses a value with any other one', async () => {
      const expected = [['until', 'only_with_status', { enumeration: 'thing.status', values: ['waiting', 'paused'] }]]
      expect((await about(null, { status: 'open', until: '2026' })).fails).to.deep.equal(expected)
      expect((await about({ status: 'waiting', until: null }, { status: 'open', until: '2026' })).fails).to.deep.equal(expected)
      expect((await about({ status: null }, { until: '2026' })).fails).to.deep.equal(expected)
    })

    it('clears the value when the status leaves', async () => {
      const { fails, next } = await about({ status: 'waiting', until: '2026' }, { status: 'open' })
      expect([fails, next]).to.deep.equal([[], { status: 'open', until: null }])
      expect((await about({ status: 'waiting', until: '2026' }, { status: 'paused' })).next).to.include({ until: '2026' })
    })

    it('has nothing to say when there is none', async () => {
      expect((await about({ status: 'open', until: null }, { until: null })).fails).to.deep.equal([])
      expect((await about(null, { status: 'open' })).fails).to.deep.equal([])
    })

    it('works for references too', async () => {
      const next = { status: 'open', change_id: 4 }
      const named = { ...next, change: 4 }
      const rule = onlyWhile('change', { field: 'status', values: ['pending'] })
      const refs = { change: 'change' }
      expect((await run(rule, { before: { ...next, status: 'pending' }, next, refs })).next).to.include({
        change_id: null,
      })
      expect((await run(rule, { next: named, refs })).fails.map(([field]) => field)).to.deep.equal(['change'])
    })
    it('says it in other words where the field depends on something else', async () => {
      const deadline = onlyWhile('deadline', { field: 'kind', values: ['milestone'], code: 'only_with_kind' })
      const { fails } = await run(deadline, { next: { kind: 'work', deadline: '2026-12-01' } })
      expect(fails).to.deep.equal([['deadline', 'only_with_kind', { enumeration: 'thing.kind', values: ['milestone'] }]])
    })
  })

  describe('falseUnless', () => {
    const use = falseUnless('addressed', { field: 'rating', values: ['bad'] })
    it('lets the field be true with these values only', async () => {
      for (const [rating, was, is] of [
        ['bad', true, true],
        ['bad', false, false],
        ['good', true, false],
        [null, true, false],
      ] as const)
        expect((await run(use, { next: { rating, addressed: was } })).next['addressed']).to.equal(is)
    })
  })

  describe('requiredWhen', () => {
    const use = requiredWhen('reason', { field: 'status', values: ['done'] })
    const fails = async (before: object | null, next: object) =>
      (await run(use, { before: before as never, next: next as never })).fails

    it('wants a value with one of the statuses', async () => {
      for (const reason of [null, '', '  ']) {
        expect(await fails(null, { status: 'done', reason })).to.deep.equal([['reason', 'blank']])
      }
      expect(await fails({ status: 'open', reason: null }, { status: 'done' })).to.deep.equal([['reason', 'blank']])
      expect(await fails({ status: 'done', reason: 'x' }, { reason: null })).to.deep.equal([['reason', 'blank']])
      expect(await fails(null, { status: 'done', reason: 'gone' })).to.deep.equal([])
    })

    it('takes false and zero for values', async () => {
      expect(await fails(null, { status: 'done', reason: 0 })).to.deep.equal([])
      expect(await fails(null, { status: 'done', reason: false })).to.deep.equal([])
    })

    it('wants none with any other one, and leaves alone what nobody touches', async () => {
      expect(await fails(null, { status: 'open', reason: null })).to.deep.equal([])
      expect(await fails({ status: 'done', reason: null }, { subject: 'x' })).to.deep.equal([])
    })
  })

  describe('emptyUnless', () => {
    const use = emptyUnless('impact', { field: 'category', values: ['incident', 'rfc'] })

    it('drops what other values do not have, and keeps the rest', async () => {
      expect((await run(use, { next: { category: 'other', impact: 'top' } })).next).to.include({ impact: null })
      expect((await run(use, { next: { category: 'rfc', impact: 'top' } })).next).to.include({ impact: 'top' })
      const before = { category: 'incident', impact: 'low' }
      const { fails, next } = await run(use, { before, next: { category: 'other' } })
      expect([fails, next]).to.deep.equal([[], { category: 'other', impact: null }])
    })
  })

  describe('requiredWhenAll', () => {
    const use = requiredWhenAll('reason', [
      { field: 'status', values: ['done'] },
      { field: 'category', values: ['incident', 'rfc'] },
    ])
    const cases: readonly (readonly [before: object | null, next: object, isRefused: boolean])[] = [
      [null, { status: 'done', category: 'incident' }, true],
      [null, { status: 'done', category: 'incident', reason: 'gone' }, false],
      [null, { status: 'done', category: 'other' }, false],
      [null, { status: 'open', category: 'rfc' }, false],
      [{ status: 'done', category: 'other', reason: null }, { category: 'rfc' }, true],
      [{ status: 'done', category: 'rfc', reason: 'gone' }, { reason: null }, true],
      [{ status: 'done', category: 'rfc', reason: null }, { subject: 's' }, false],
    ]
    for (const [before, next, isRefused] of cases) {
      it(`${isRefused ? 'refuses' : 'accepts'} ${JSON.stringify(next)} after ${JSON.stringify(before)}`, async () => {
        const { fails } = await run(use, { before: before as never, next: next as never })
        expect(fails).to.deep.equal(isRefused ? [['reason', 'blank']] : [])
      })
    }
  })
})
