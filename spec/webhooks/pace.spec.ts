import { expect } from 'chai'
import { pace } from '../../plugin/webhooks/pace.js'

const NOW = new Date('2026-11-21T09:00:00.000Z')
const ago = (...seconds: number[]) => seconds.map((second) => new Date(NOW.getTime() - second * 1000))
const inSeconds = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)

describe('the pace of a webhook', () => {
  it('has no bounds unless it asks for them', () => {
    expect(pace(null, ago(1, 1, 1), NOW)).to.equal(null)
  })

  it('lets one more go while the last minute has fewer', () => {
    expect(pace(2, [], NOW)).to.equal(null)
    expect(pace(2, ago(59), NOW)).to.equal(null)
    expect(pace(2, ago(60, 30), NOW)).to.equal(null)
  })

  it('waits until the oldest of them is a minute old', () => {
    expect(pace(1, ago(20), NOW)).to.deep.equal(inSeconds(40))
    expect(pace(2, ago(10, 50, 61), NOW)).to.deep.equal(inSeconds(10))
    // More than were allowed, because the bound is new: as many as it have to be over.
    expect(pace(2, ago(5, 50, 40, 30), NOW)).to.deep.equal(inSeconds(30))
  })

  it('never sends more in any minute, however it is asked', () => {
    const sent: Date[] = []
    let now = NOW
    for (let count = 0; count < 50; count += 1) {
      const next = pace(6, sent, now)
      if (next) now = next
      sent.push(now)
      now = new Date(now.getTime() + (count % 7) * 900)
    }
    for (const [index, at] of sent.entries()) {
      const later = sent[index + 6]
      if (later) expect(later.getTime() - at.getTime()).to.be.at.least(60_000)
    }
  })

  it('is not held up by a clock that was ahead', () => {
    expect(pace(1, [inSeconds(3600)], NOW)).to.equal(null)
  })
})
