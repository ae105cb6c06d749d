import { expect } from 'chai'
import { createZoneClock, END_OF_TIME, type Span } from '../../../plugin/core/time/zone-clock.js'
import { offsetAt } from '../../../plugin/core/time/zoned-time.js'

const seconds = (text: string) => Date.parse(text) / 1000
const told = ({ from, offset }: Span) => `${new Date(from * 1000).toISOString().slice(0, 16)} ${offset / 60}`
/** The changes of clocks that begin in a year. */
const changesIn = (zone: string, year: number) => {
  const found: string[] = []
  for (const span of createZoneClock(zone).spansFrom(seconds(`${year}-01-01T00:00:00Z`))) {
    if (span.from >= seconds(`${year + 1}-01-01T00:00:00Z`)) return found
    if (span.from > seconds(`${year}-01-01T00:00:00Z`)) found.push(told(span))
  }
  return found
}

describe('the clocks of a zone', () => {
  it('change twice a year, in one of them, or not at all', () => {
    expect(changesIn('Europe/Amsterdam', 2026)).to.deep.equal(['2026-03-29T01:00 120', '2026-10-25T01:00 60'])
    expect(changesIn('Australia/Lord_Howe', 2026)).to.deep.equal(['2026-04-04T15:00 630', '2026-10-03T15:30 660'])
    expect(changesIn('America/Sao_Paulo', 2019)).to.deep.equal(['2019-02-17T02:00 -180'])
    expect(changesIn('America/Sao_Paulo', 2020)).to.deep.equal([])
    expect(changesIn('Etc/UTC', 2026)).to.deep.equal([])
  })

  it('may change more often, for days only, and by a whole day', () => {
    expect(changesIn('Africa/Cairo', 2014)).to.deep.equal([
      '2014-05-15T22:00 180',
      '2014-06-26T21:00 120',
      '2014-07-31T22:00 180',
      '2014-09-25T21:00 120',
    ])
    expect(changesIn('America/Boa_Vista', 2000)).to.deep.equal([
      '2000-02-27T03:00 -240',
      '2000-10-08T04:00 -180',
      '2000-10-15T03:00 -240',
    ])
    expect(changesIn('Pacific/Apia', 2011)).to.include('2011-12-30T10:00 840')
  })

  it('follow the same rule in far years', () => {
    expect(changesIn('Europe/Amsterdam', 2100)).to.deep.equal(['2100-03-28T01:00 120', '2100-10-31T01:00 60'])
    expect(changesIn('America/New_York', 9999)).to.deep.equal(['9999-03-14T07:00 -240', '9999-11-07T06:00 -300'])
  })

  it('show what they show elsewhere, in each span of all years', function () {
    this.timeout(10_000)
    for (const zone of ['America/St_Johns', 'Africa/Casablanca']) {
      let [end, index] = [seconds('1000-01-01T00:00:00Z'), 0]
      for (const { from, until, offset } of createZoneClock(zone).spansFrom(end)) {
        expect(from, zone).to.equal(end)
        end = until
        index += 1
        if (index % 40 !== 0 && until > seconds('2030-01-01T00:00:00Z')) continue
        for (const time of [from, until - 1]) expect(offsetAt(zone, time * 1000) * 60, `${zone} ${time}`).to.equal(offset)
      }
      expect(end).to.equal(END_OF_TIME)
    }
  })
})
