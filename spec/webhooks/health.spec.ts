import { expect } from 'chai'
import {
  afterAttempt,
  concurrencyFor,
  HEALTHY,
  type Health,
  mustDisable,
  mustWarn,
  nextProbe,
} from '../../plugin/webhooks/webhook-health.js'

const START = new Date('2026-11-01T00:00:00Z')
const WEEK = 7 * 24 * 3600_000
const later = (milliseconds: number) => new Date(START.getTime() + milliseconds)

function failing(times: number): Health {
  return Array.from({ length: times }).reduce<Health>((health) => afterAttempt(health, false, START), HEALTHY)
}

describe('the health of a webhook', () => {
  it('counts failures since the first one', () => {
    const once = afterAttempt(HEALTHY, false, START)
    expect(once).to.deep.equal({ failures: 1, failingSince: START })
    expect(afterAttempt(once, false, later(5))).to.deep.equal({ failures: 2, failingSince: START })
  })

  it('starts anew with any success', () => {
    expect(afterAttempt(failing(19), true, later(5))).to.deep.equal({ failures: 0, failingSince: null })
  })

  it('asks for disabling after 20 failures over more than a week', () => {
    expect(mustDisable(failing(20), later(WEEK + 1))).to.equal(true)
  })

  it('does not ask for it before the week is over, or with fewer failures', () => {
    expect(mustDisable(failing(500), later(WEEK))).to.equal(false)
    expect(mustDisable(failing(19), later(4 * WEEK))).to.equal(false)
    expect(mustDisable(HEALTHY, later(4 * WEEK))).to.equal(false)
  })

  it('gives a receiver that has been failing fewer places', () => {
    expect(concurrencyFor(HEALTHY)).to.equal(16)
    expect(concurrencyFor(failing(4))).to.equal(16)
    expect(concurrencyFor(failing(5))).to.equal(1)
  })

  it('asks for a probe a minute later after five failures, and for a warning at the tenth', () => {
    expect(nextProbe(failing(4), START)).to.equal(null)
    expect(nextProbe(failing(5), START)).to.deep.equal(later(60_000))
    const warned = Array.from({ length: 30 }, (_, index) => index + 1).filter((count) =>
      mustWarn(failing(count - 1), failing(count)),
    )
    expect(warned).to.deep.equal([10])
    expect(mustWarn(failing(8), failing(24)), 'of one batch').to.equal(true)
  })
})
