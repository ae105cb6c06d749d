import { expect } from 'chai'
import { readHttpDate } from '../../../plugin/http/requests/http-date.js'

const NOW = Date.parse('2026-11-21T09:30:00Z')
const shown = (text: string) => {
  const time = readHttpDate(text, NOW)
  return time === null ? null : new Date(time).toISOString()
}

describe('http/http-date', () => {
  it('reads the three forms of dates', () => {
    for (const text of ['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])
      expect(shown(text), text).to.equal('1994-11-06T08:49:37.000Z')
    expect(shown('Thu, 29 Feb 2024 00:00:00 GMT')).to.equal('2024-02-29T00:00:00.000Z')
    expect(shown('Sat, 31 Dec 2016 23:59:60 GMT')).to.equal('2017-01-01T00:00:00.000Z')
  })

  it('takes years of two digits for near ones', () => {
    expect(shown('Friday, 01-Jan-76 00:00:00 GMT')).to.equal('2076-01-01T00:00:00.000Z')
    expect(shown('Friday, 01-Jan-77 00:00:00 GMT')).to.equal('1977-01-01T00:00:00.000Z')
  })

  it('knows no other dates', () => {
    const wrong = [
      '',
      'yesterday',
      '2026-11-21T09:30:00Z',
      'Sun, 06 Nov 1994 08:49:37',
      'Sun, 06 Nov 1994 08:49:37 CET',
      'Sun, 6 Nov 1994 08:49:37 GMT',
      'Son, 06 Nov 1994 08:49:37 GMT',
      'Sun, 06 Okt 1994 08:49:37 GMT',
      'Fri, 30 Feb 2024 00:00:00 GMT',
      'Wed, 29 Feb 2023 00:00:00 GMT',
      'Sun, 00 Nov 1994 08:49:37 GMT',
      'Sun, 06 Nov 1994 24:00:00 GMT',
      'Sun, 06 Nov 1994 08:60:00 GMT',
      'Sun, 06 Nov 1994 08:49:61 GMT',
      `Sun, 06 Nov 1994 08:49:37 GMT${' '.repeat(10_000)}`,
    ]
    for (const text of wrong) expect(shown(text), text.slice(0, 40)).to.equal(null)
  })
})
