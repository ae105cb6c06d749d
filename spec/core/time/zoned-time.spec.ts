import { expect } from 'chai'
import {
  createInstantFormatter,
  formatInstant,
  type OffsetAt,
  offsetAt,
  parseInstant,
  rememberOffsets,
  validDate,
  validLocalDatetime,
  validTimeOfDay,
} from '../../../plugin/core/time/zoned-time.js'

const AMSTERDAM = 'Europe/Amsterdam'
const CHICAGO = 'America/Chicago'

describe('a moment is read', () => {
  it('with Z or an offset, whatever the zone of the caller', () => {
    const texts = [
      '2016-03-14T09:14:17Z',
      '2016-03-14T03:14:17-06:00',
      '2016-03-14t09:14:17z',
      '2016-03-14 03:14:17 -0600',
      '2016-03-14T03:14:17-06',
      '2016-03-14T14:59:17+05:45',
      '2016-03-14T09:14:17.999Z',
      '2016-03-14T09:14:17,5Z',
      '20160314T091417Z',
      '20160314T031417-0600',
    ]
    for (const text of texts) expect(parseInstant(text, AMSTERDAM), text).to.equal('2016-03-14T09:14:17Z')
  })

  it('without an offset by the clocks of the zone', () => {
    expect(parseInstant('2016-01-14T03:14', AMSTERDAM)).to.equal('2016-01-14T02:14:00Z')
    expect(parseInstant('2016-07-14 03:14:17', AMSTERDAM)).to.equal('2016-07-14T01:14:17Z')
    expect(parseInstant('20160714T0314', CHICAGO)).to.equal('2016-07-14T08:14:00Z')
    expect(parseInstant('2016-07-14T03:14:17', 'UTC')).to.equal('2016-07-14T03:14:17Z')
  })

  it('from a date alone as midnight in the zone, or as the caller says', () => {
    expect(parseInstant('2016-03-14', CHICAGO)).to.equal('2016-03-14T05:00:00Z')
    expect(parseInstant('20160314', CHICAGO)).to.equal('2016-03-14T05:00:00Z')
    expect(parseInstant('2016-03-14', CHICAGO, { dateAlone: 'utc' })).to.equal('2016-03-14T00:00:00Z')
    expect(parseInstant('2016-03-14', CHICAGO, { dateAlone: 'refused' })).to.equal(null)
  })

  it('with 24:00 as the end of the day', () => {
    expect(parseInstant('2016-02-29T24:00:00Z', AMSTERDAM)).to.equal('2016-03-01T00:00:00Z')
    expect(parseInstant('2016-12-31T24:00', AMSTERDAM)).to.equal('2016-12-31T23:00:00Z')
  })

  it('after the gap when the clocks skip the time', () => {
    expect(parseInstant('2026-03-29T01:59:59', AMSTERDAM)).to.equal('2026-03-29T00:59:59Z')
    expect(parseInstant('2026-03-29T02:30:00', AMSTERDAM)).to.equal('2026-03-29T01:30:00Z')
    expect(parseInstant('2026-03-29T03:00:00', AMSTERDAM)).to.equal('2026-03-29T01:00:00Z')
    expect(parseInstant('2026-03-08T02:15', CHICAGO)).to.equal('2026-03-08T08:15:00Z')
  })

  it('as the first of two when the clocks show the time twice', () => {
    expect(parseInstant('2026-10-25T01:59:59', AMSTERDAM)).to.equal('2026-10-24T23:59:59Z')
    expect(parseInstant('2026-10-25T02:30:00', AMSTERDAM)).to.equal('2026-10-25T00:30:00Z')
    expect(parseInstant('2026-10-25T03:00:00', AMSTERDAM)).to.equal('2026-10-25T02:00:00Z')
    expect(parseInstant('2026-11-01T01:15', CHICAGO)).to.equal('2026-11-01T06:15:00Z')
  })

  it('at the first minute of a day whose midnight does not exist', () => {
    expect(parseInstant('2018-11-04', 'America/Sao_Paulo')).to.equal('2018-11-04T03:00:00Z')
  })

  it('on a day that a zone left out', () => {
    expect(parseInstant('2011-12-30T12:00', 'Pacific/Apia')).to.equal('2011-12-30T22:00:00Z')
    expect(parseInstant('2011-12-31T12:00', 'Pacific/Apia')).to.equal('2011-12-30T22:00:00Z')
  })

  it('from nothing but full dates and times', () => {
    const nonsense = [
      '',
      ' ',
      'now',
      '2016',
      '2016-03',
      '2016-W11',
      '2016-074',
      '2016-3-14',
      '14-03-2016',
      '03/14/2016',
      '2016-03-14T',
      '2016-03-14T03',
      '2016-03-14T3:14',
      '2016-03-14T03:14:17+5',
      '2016-03-14T03:14:17+25:00',
      '2016-03-14T03:14:17+05:60',
      '2016-03-14T03:14:17 01:00',
      '2016-03-14T03:14:17Zulu',
      '2016-03-14T03:14:17[Europe/Paris]',
      'T03:14:17Z',
      '1457946857',
      '+002016-03-14',
      '-2016-03-14',
      '2016-03-14T03:14:17Z\n',
    ]
    for (const text of nonsense) expect(parseInstant(text, AMSTERDAM), text).to.equal(null)
  })

  it('from nothing that the calendar or the clock does not have', () => {
    const impossible = ['2015-02-29', '2016-02-30T10:00Z', '2016-13-01', '2016-00-10', '2016-01-00', '2016-04-31T00:00']
    const hours = ['2016-03-14T25:00Z', '2016-03-14T24:01Z', '2016-03-14T10:60Z', '2016-03-14T10:00:60Z']
    for (const text of [...impossible, ...hours]) expect(parseInstant(text, AMSTERDAM), text).to.equal(null)
  })

  it('within the years 1000 to 9999 only', () => {
    expect(parseInstant('1000-01-01T00:00:00Z', AMSTERDAM)).to.equal('1000-01-01T00:00:00Z')
    expect(parseInstant('9999-12-31T23:59:59Z', AMSTERDAM)).to.equal('9999-12-31T23:59:59Z')
    const outside = ['0001-01-01T00:00:00Z', '0999-12-31T23:59:59Z', '1000-01-01T00:00:00+01:00', '9999-12-31T23:30:00-01:00']
    for (const text of [...outside, '9999-12-31T24:00Z']) expect(parseInstant(text, AMSTERDAM), text).to.equal(null)
  })

  it('never in a zone that does not exist', () => {
    expect(() => parseInstant('2016-03-14T03:14', 'Atlantis')).to.throw(RangeError)
  })
})

describe('a moment is written', () => {
  it('with the offset of the zone at that moment', () => {
    expect(formatInstant('2016-03-14T09:14:17Z', CHICAGO)).to.equal('2016-03-14T04:14:17-05:00')
    expect(formatInstant('2016-01-14T09:14:17Z', CHICAGO)).to.equal('2016-01-14T03:14:17-06:00')
    expect(formatInstant('2016-12-31T23:30:00Z', 'Asia/Kathmandu')).to.equal('2017-01-01T05:15:00+05:45')
    expect(formatInstant('2016-01-01T01:00:00Z', 'America/St_Johns')).to.equal('2015-12-31T21:30:00-03:30')
  })

  it('in UTC with +00:00', () => {
    for (const zone of ['UTC', 'Etc/UTC', 'Africa/Monrovia']) {
      expect(formatInstant('2016-03-14T09:14:17Z', zone), zone).to.equal('2016-03-14T09:14:17+00:00')
    }
  })

  it('on both sides of a change of the clocks', () => {
    const spring = ['2026-03-29T00:59:59Z', '2026-03-29T01:00:00Z']
    const autumn = ['2026-10-25T00:59:59Z', '2026-10-25T01:00:00Z']
    for (const writer of [formatInstant, createInstantFormatter()]) {
      const write = (moment: string) => writer(moment, AMSTERDAM)
      expect(spring.map(write)).to.eql(['2026-03-29T01:59:59+01:00', '2026-03-29T03:00:00+02:00'])
      expect(autumn.map(write)).to.eql(['2026-10-25T02:59:59+02:00', '2026-10-25T02:00:00+01:00'])
    }
  })

  it('at changes that fall within an hour', () => {
    const writer = createInstantFormatter()
    const write = (moment: string) => writer(moment, 'Australia/Lord_Howe')
    expect(write('2026-04-04T14:59:59Z')).to.equal('2026-04-05T01:59:59+11:00')
    expect(write('2026-04-04T15:00:00Z')).to.equal('2026-04-05T01:30:00+10:30')
    expect(write('2026-10-03T15:29:59Z')).to.equal('2026-10-04T01:59:59+10:30')
    expect(write('2026-10-03T15:30:00Z')).to.equal('2026-10-04T02:30:00+11:00')
  })

  it('in the far past and future', () => {
    expect(formatInstant('1800-01-01T00:00:00Z', 'Europe/Paris')).to.equal('1800-01-01T00:09:00+00:09')
    expect(formatInstant('1000-01-01T00:00:00Z', 'Etc/GMT+12')).to.equal('0999-12-31T12:00:00-12:00')
    expect(formatInstant('9999-12-31T23:30:00Z', AMSTERDAM)).to.equal('9999-12-31T23:30:00+00:00')
  })

  it('so that reading it gives the same moment', () => {
    const writer = createInstantFormatter()
    const remembering = { offsetAt: rememberOffsets() }
    const zones = [AMSTERDAM, 'UTC', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Asia/Tehran', 'Pacific/Apia']
    for (const zone of zones) {
      for (let time = Date.UTC(2010, 11, 30, 0, 1); time < Date.UTC(2012, 0, 2); time += 7 * 3_607_000) {
        const moment = `${new Date(time).toISOString().slice(0, 19)}Z`
        const text = writer(moment, zone)
        expect(text, `${moment} in ${zone}`).to.equal(formatInstant(moment, zone))
        // As DATETIME columns hold it.
        expect(writer(moment.slice(0, 19).replace('T', ' '), zone)).to.equal(text)
        expect(parseInstant(text, zone), text).to.equal(moment)
        const local = text.slice(0, 19)
        expect(parseInstant(local, zone, remembering), `${local} in ${zone}`).to.equal(parseInstant(local, zone))
      }
    }
  })

  it('never in a zone that does not exist', () => {
    expect(() => formatInstant('2016-03-14T09:14:17Z', 'Atlantis')).to.throw(RangeError)
    expect(() => createInstantFormatter()('2016-03-14T09:14:17Z', 'Atlantis')).to.throw(RangeError)
  })
})

describe('remembered offsets', () => {
  it('are those of the time zone data', () => {
    const zones = [AMSTERDAM, CHICAGO, 'America/St_Johns', 'Africa/Cairo', 'Asia/Gaza', 'Antarctica/Troll']
    const remembered = rememberOffsets()
    for (const zone of zones) {
      for (let time = Date.UTC(2009, 0, 1, 3, 31); time < Date.UTC(2015, 0, 1); time += 40 * 3_600_000) {
        expect(remembered(zone, time), `${zone} ${time}`).to.equal(offsetAt(zone, time))
      }
    }
  })

  it('stay right when the memory is full', () => {
    const remembered: OffsetAt = rememberOffsets(2)
    const days = [0, 200, 400, 0, 200, 400].map((day) => Date.UTC(2020, 0, 1 + day))
    for (const zone of [AMSTERDAM, CHICAGO, AMSTERDAM]) {
      expect(days.map((day) => remembered(zone, day))).to.eql(days.map((day) => offsetAt(zone, day)))
    }
    const writer = createInstantFormatter(2)
    for (const moment of ['2020-01-01T10:20:30Z', '2020-07-01T10:20:30Z', '2021-01-01T10:20:30Z', '2020-01-01T10:59:59Z']) {
      expect(writer(moment, AMSTERDAM)).to.equal(formatInstant(moment, AMSTERDAM))
    }
  })
})

describe('a date', () => {
  it('is valid when the calendar has it', () => {
    for (const text of ['2011-06-24', '2016-02-29', '1000-01-01', '9999-12-31']) expect(validDate(text)).to.equal(text)
  })

  it('is nothing else', () => {
    const wrong = ['', '2011-02-29', '2011-6-24', '20110624', '24-06-2011', '2011-06-24T00:00', '0999-01-01', '2011-13-01']
    for (const text of [...wrong, '2011-06-24 ', '2011-06-24\n']) expect(validDate(text), text).to.equal(null)
  })
})

describe('a time of day', () => {
  it('goes from 00:00 to 24:00', () => {
    for (const text of ['00:00', '08:30', '23:59', '24:00']) expect(validTimeOfDay(text)).to.equal(text)
  })

  it('has no seconds and two digits for the hour, however it was given', () => {
    expect(['8:30', '08:30:00', '08:30:59', '24:00:00'].map(validTimeOfDay)).to.eql(['08:30', '08:30', '08:30', '24:00'])
  })

  it('is nothing else', () => {
    const wrong = ['', '24:01', '25:00', '08:60', '08:30:60', '0830', '8', '8:3', '08:30 pm', '-1:00', '24:00:01', '08:30\n']
    for (const text of wrong) expect(validTimeOfDay(text), text).to.equal(null)
  })
})

describe('a datetime without zone', () => {
  it('has no seconds, however it was given', () => {
    const texts = ['2010-12-30T23:00', '2010-12-30T23:00:59', '2010-12-30 23:00', '2010-12-30T23:00:00.000']
    for (const text of texts) expect(validLocalDatetime(text), text).to.equal('2010-12-30T23:00')
  })

  it('takes 24:00 for the next midnight where it is the end of something', () => {
    expect(validLocalDatetime('2010-12-31T24:00', { end: true })).to.equal('2011-01-01T00:00')
    expect(validLocalDatetime('2010-12-30T23:00', { end: true })).to.equal('2010-12-30T23:00')
    expect(validLocalDatetime('2010-12-31T24:00')).to.equal(null)
    expect(validLocalDatetime('9999-12-31T24:00', { end: true })).to.equal(null)
  })

  it('takes 12:00am for the same', () => {
    for (const text of ['2010-12-31T12:00am', '2010-12-31 12:00 AM']) {
      expect(validLocalDatetime(text, { end: true }), text).to.equal('2011-01-01T00:00')
      expect(validLocalDatetime(text), text).to.equal(null)
    }
    expect(validLocalDatetime('2010-12-31T12:30am', { end: true })).to.equal(null)
  })

  it('is nothing else', () => {
    const wrong = [
      '',
      '2010-12-30',
      '2010-12-30T23:00Z',
      '2010-12-30T23:00+01:00',
      '2010-02-30T10:00',
      '2010-12-30T24:01',
      '23:00',
    ]
    for (const text of wrong) expect(validLocalDatetime(text, { end: true }), text).to.equal(null)
  })
})
