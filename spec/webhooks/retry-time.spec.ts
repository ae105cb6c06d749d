import { expect } from 'chai'
import { retryTime } from '../../plugin/webhooks/retry-time.js'

const NOW = new Date('2026-11-21T09:00:00Z')
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)

describe('the time for which a receiver asks', () => {
  it('is a number of seconds, or a date', () => {
    expect(retryTime('3', NOW)).to.deep.equal(later(3))
    expect(retryTime(' 120 ', NOW)).to.deep.equal(later(120))
    expect(retryTime('Sat, 21 Nov 2026 09:05:00 GMT', NOW)).to.deep.equal(later(300))
    expect(retryTime('Saturday, 21-Nov-26 09:05:00 GMT', NOW)).to.deep.equal(later(300))
  })

  it('is a day later at most', () => {
    for (const header of ['86401', '9'.repeat(400), 'Wed, 21 Nov 2029 09:00:00 GMT']) {
      expect(retryTime(header, NOW), header.slice(0, 30)).to.deep.equal(later(86_400))
    }
  })

  it('is ignored if it is over, or no time at all', () => {
    for (const header of [
      '0',
      '-5',
      '3.5',
      '1e3',
      '',
      'soon',
      '2026-12-01',
      'Sat, 99 Nov 2026',
      'Sat, 21 Nov 2026 08:59:59 GMT',
      'NaN',
    ]) {
      expect(retryTime(header, NOW), header).to.equal(null)
    }
  })
})
