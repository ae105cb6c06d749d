import { expect } from 'chai'
import { clearWhen, stamp, whileStatus } from '../../../plugin/rules/general/stamp.js'
import { NOW, run } from '../context.js'

describe('rules that follow the status', () => {
  const done = { field: 'status', values: ['completed', 'canceled'] }

  describe('stamp', () => {
    const use = stamp('completed_at', done)
    const result = async (before: string | null, status: string | null, completed_at: string | null = null) =>
      (await run(use, { before: before === null ? null : { status: before, completed_at }, next: { status } })).next[
        'completed_at'
      ]

    const given = async (before: string, status: string, completed_at: string | null) =>
      (await run(use, { before: { status: before, completed_at: null }, next: { status, completed_at } })).next['completed_at']

    it('sets the time when the status becomes one of the values, also on creation', async () => {
      expect(await result('assigned', 'completed')).to.equal(NOW)
      expect(await result(null, 'completed')).to.equal(NOW)
    })
    it('keeps it while the status is one of them', async () => {
      expect(await result('completed', 'completed', '2001-01-01T00:00:00Z')).to.equal('2001-01-01T00:00:00Z')
      expect(await result('completed', 'canceled', '2001-01-01T00:00:00Z')).to.equal('2001-01-01T00:00:00Z')
    })
    it('takes the time that the caller sends', async () => {
      expect(await given('assigned', 'completed', '2001-01-01T00:00:00Z')).to.equal('2001-01-01T00:00:00Z')
      expect(await given('assigned', 'completed', null)).to.equal(NOW)
      expect(await given('completed', 'completed', '2001-01-01T00:00:00Z')).to.equal('2001-01-01T00:00:00Z')
      expect(await given('assigned', 'assigned', '2001-01-01T00:00:00Z')).to.equal(null)
    })
    it('keeps it until the status is one that clears it, where such are named', async () => {
      const started = stamp('started_at', { field: 'status', values: ['assigned'], until: ['registered'] })
      const moved = async (from: string, to: string, started_at: string | null = '2001-01-01T00:00:00Z') =>
        (await run(started, { before: { status: from, started_at }, next: { status: to } })).next['started_at']
      expect(await moved('assigned', 'completed')).to.equal('2001-01-01T00:00:00Z')
      expect(await moved('assigned', 'registered')).to.equal(null)
      expect(await moved('completed', 'assigned')).to.equal(NOW)
      expect(await moved('registered', 'completed', null)).to.equal(null)
    })
    it('clears it when the status leaves them', async () => {
      expect(await result('completed', 'assigned', '2001-01-01T00:00:00Z')).to.equal(null)
      expect(await result(null, 'assigned')).to.equal(null)
      expect(await result(null, null)).to.equal(null)
    })
  })

  it('whileStatus holds the column true as long as the status is one of the values', async () => {
    const use = whileStatus('open', done)
    const open = async (status: string | null) => (await run(use, { next: { status } })).next['open']
    expect([await open('completed'), await open('assigned'), await open(null)]).to.deep.equal([true, false, false])
  })

  describe('clearWhen', () => {
    const use = clearWhen('last_error', { field: 'disabled', becomes: false })
    const result = async (before: boolean | null, disabled: boolean) =>
      (
        await run(use, {
          before: before === null ? null : { disabled: before, last_error: 'e' },
          next: { disabled },
        })
      ).next['last_error']

    it('clears when the field takes the value, and only then', async () => {
      expect(await result(true, false)).to.equal(null)
      expect(await result(false, false)).to.equal('e')
      expect(await result(false, true)).to.equal('e')
    })
    it('does not touch new records', async () => {
      expect(await result(null, false)).to.equal(undefined)
    })
  })
})
