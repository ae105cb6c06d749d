import { expect } from 'chai'
import { MAX_ATTEMPTS, nextAttempt } from '../../../plugin/core/waiting/next-attempt.js'

describe('the schedule of attempts', () => {
  const failedAt = new Date('2026-11-21T09:00:00Z')
  const waits = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, index) => {
    const next = nextAttempt(index + 1, failedAt)
    return next && (next.getTime() - failedAt.getTime()) / 60_000
  })

  it('waits twice as long after every failure, from 1 to 256 minutes', () => {
    expect(waits).to.deep.equal([1, 2, 4, 8, 16, 32, 64, 128, 256])
  })

  it('gives up after ten attempts', () => {
    expect(nextAttempt(10, failedAt)).to.equal(null)
    expect(nextAttempt(11, failedAt)).to.equal(null)
  })

  it('takes about eight and a half hours in total', () => {
    expect(waits.reduce<number>((sum, wait) => sum + (wait ?? 0), 0)).to.equal(511)
  })
})
