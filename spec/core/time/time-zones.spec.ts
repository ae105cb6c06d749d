import { expect } from 'chai'
import { IANAZone } from 'luxon'
import { listNameOf, TIME_ZONES, timeZoneLabel, zoneOf } from '../../../plugin/core/time/time-zones.js'

describe('time zones', () => {
  it('are the 152 names of the specification in its order, each once', () => {
    expect(TIME_ZONES).to.have.length(152)
    expect(new Set(TIME_ZONES)).to.have.property('size', TIME_ZONES.length)
    expect(TIME_ZONES[0]).to.equal('International Date Line West')
    expect(TIME_ZONES.at(-1)).to.equal('Tokelau Is.')
    expect(TIME_ZONES.indexOf('UTC')).to.equal(40)
  })

  it('are all known to Intl and to luxon', () => {
    for (const name of TIME_ZONES) {
      const timeZone = zoneOf(name) ?? name
      expect(() => new Intl.DateTimeFormat('en', { timeZone }), name).not.to.throw()
      expect(IANAZone.isValidZone(timeZone), name).to.equal(true)
    }
  })

  it('stand for their IANA zone', () => {
    expect(zoneOf('Central Time (US & Canada)')).to.equal('America/Chicago')
    expect(zoneOf('Mumbai')).to.equal('Asia/Kolkata')
    expect(zoneOf('Bern')).to.equal('Europe/Zurich')
    expect(zoneOf("Nuku'alofa")).to.equal('Pacific/Tongatapu')
    expect(zoneOf('Astana')).to.equal('Asia/Almaty')
  })

  it('may be given as IANA names', () => {
    expect(zoneOf('Europe/Amsterdam')).to.equal('Europe/Amsterdam')
    expect(zoneOf('America/Argentina/Ushuaia')).to.equal('America/Argentina/Ushuaia')
  })

  it('are nothing else', () => {
    for (const name of ['', 'Atlantis', 'amsterdam', '+01:00', '+0100', 'constructor', 'Europe/', 'GMT+1']) {
      expect(zoneOf(name), name).to.equal(undefined)
      expect(listNameOf(name), name).to.equal(undefined)
    }
  })

  it('are stored under the name of the list that the zone is called after', () => {
    const names = {
      Edinburgh: 'Edinburgh',
      'Europe/London': 'London',
      'Asia/Kolkata': 'Kolkata',
      'America/Mexico_City': 'Mexico City',
      'America/New_York': 'Eastern Time (US & Canada)',
      'Australia/Sydney': 'Sydney',
      'Asia/Almaty': 'Almaty',
      'Etc/UTC': 'UTC',
      UTC: 'UTC',
    }
    expect(Object.keys(names).map(listNameOf)).to.eql(Object.values(names))
  })

  it('are found by the older and newer spellings of IANA names', () => {
    const given = ['Europe/Kyiv', 'Asia/Calcutta', 'US/Pacific', 'America/Nuuk', 'Asia/Yangon', 'GMT', 'Asia/Tel_Aviv']
    const names = ['Kyiv', 'Kolkata', 'Pacific Time (US & Canada)', 'Greenland', 'Rangoon', 'UTC', 'Jerusalem']
    expect(given.map(listNameOf)).to.eql(names)
  })

  it('have no name in the list when the list lacks the zone', () => {
    expect(listNameOf('Europe/Oslo')).to.equal(undefined)
    expect(listNameOf('America/Argentina/Ushuaia')).to.equal(undefined)
  })

  it('find their way back from the list to the same zone', () => {
    for (const name of TIME_ZONES) expect(zoneOf(listNameOf(zoneOf(name) ?? '') ?? ''), name).to.equal(zoneOf(name))
  })

  it('show their offset outside daylight saving time', () => {
    expect(timeZoneLabel('Central Time (US & Canada)')).to.equal('(GMT-06:00) Central Time (US & Canada)')
    expect(timeZoneLabel('UTC')).to.equal('(GMT+00:00) UTC')
    expect(timeZoneLabel('Amsterdam')).to.equal('(GMT+01:00) Amsterdam')
    expect(timeZoneLabel('Sydney')).to.equal('(GMT+10:00) Sydney')
    expect(timeZoneLabel('Newfoundland')).to.equal('(GMT-03:30) Newfoundland')
    expect(timeZoneLabel('Kathmandu')).to.equal('(GMT+05:45) Kathmandu')
    expect(timeZoneLabel('Chatham Is.')).to.equal('(GMT+12:45) Chatham Is.')
    expect(timeZoneLabel('International Date Line West')).to.equal('(GMT-12:00) International Date Line West')
    expect(timeZoneLabel('Atlantis')).to.equal('Atlantis')
  })

  it('stand in the order of these offsets, but for Kazakhstan, which changed its zone after the list was made', () => {
    const minutes = TIME_ZONES.filter((name) => name !== 'Almaty' && name !== 'Astana').map((name) => {
      const [, sign, hours, rest] = /^\(GMT([+-])(\d\d):(\d\d)\) /.exec(timeZoneLabel(name)) ?? []
      return Number(`${sign}1`) * (Number(hours) * 60 + Number(rest))
    })
    expect(minutes).to.eql([...minutes].sort((a, b) => a - b))
  })
})
