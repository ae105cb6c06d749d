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
    expect(retryTime('Sat, 21 Nov 2026 10:05:00 +0100', NOW)).to.deep.equal(later(300))
  })

  it('is in UTC if the date has no zone, wherever the process is', () => {
    const zone = process.env['TZ']
    try {
      for (const TZ of ['America/New_York', 'Asia/Tokyo', 'UTC']) {
        process.env['TZ'] = TZ
        expect(retryTime('Sat Nov 21 09:05:00 2026', NOW), TZ).to.deep.equal(later(300))
        expect(retryTime('Tue Dec  1 09:00:00 2026', NOW), TZ).to.deep.equal(later(86_400))
      }
    } finally {
      if (zone === undefined) delete process.env['TZ']
      else process.env['TZ'] = zone
    }
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
      'after 2999',
      'Maintenance 2999',
      'Sat, 2999',
      'Monday, 9999',
    ]) {
      expect(retryTime(header, NOW), header).to.equal(null)
    }
  })
})
