import { expect } from 'chai'
import { InvalidDefinition } from '../../../plugin/core/errors.js'
import { placesOf } from '../../../plugin/schema/check/kept-places.js'
import { compile } from '../../../plugin/schema/compile/compile.js'
import { identity } from '../../../plugin/schema/kinds/common-fields.js'
import { integer, ref } from '../../../plugin/schema/kinds/fields.js'
import type { Definition } from '../../../plugin/schema/language/define-record.js'
import { defineRecord } from '../../../plugin/schema/language/define-record.js'
import { rule } from '../../../plugin/schema/language/define-rule.js'
import { follow } from '../../../plugin/schema/language/define-settling.js'
import type { Keeps } from '../../../plugin/schema/language/keeps.js'

const access = { create: [], update: [] } as const
const collection = { sort: 'id' } as const
const trip: Definition = defineRecord('trip', {
  path: 'trips',
  title: null,
  fields: { ...identity, distance: integer(), driver: ref('driver') },
  links: { drivers: { record: 'driver', table: 'trip_drivers', from: 'trip_id', to: 'driver_id' } },
  collection,
  access,
})
const leg = defineRecord('leg', {
  path: 'legs',
  title: null,
  fields: { ...identity, trip: ref('trip'), kilometers: integer() },
  collection,
  access,
})
const stop = defineRecord('stop', {
  path: 'stops',
  title: null,
  partOf: ['leg'],
  fields: { ...identity, minutes: integer() },
  collection,
  access,
})
const driver = defineRecord('driver', {
  path: 'drivers',
  title: null,
  fields: { ...identity, trips: integer() },
  collection,
  access,
})
const all = new Map([trip, leg, stop, driver].map((one) => [one.name, one]))
const of = {
  legs: { type: 'leg', by: 'trip' },
  stops: { part: 'stop', of: 'legs' },
  pairs: { link: 'drivers' },
  people: { refersTo: 'driver' },
} as const

const keeping = (keeps: unknown) => rule('counts', () => ({ keeps: keeps as Keeps, written: () => {} }))()
const mistakes = (keeps: unknown, settled = {}) => {
  const settle = [follow('legs', { of, keeps: settled, decide: () => null })]
  try {
    compile([{ ...trip, rules: [keeping(keeps)], settle }, leg, stop, driver], [])
    return []
  } catch (error) {
    if (error instanceof InvalidDefinition) return error.mistakes
    throw error
  }
}

describe('values that rules and settlings say that they keep', () => {
  const places = (name: string, definition = trip) => {
    const found = placesOf(name, { definition, sources: definition === trip ? of : {}, all })
    return 'places' in found ? found.places : [found.mistake]
  }

  it('are fields of the record, and of those that a reference, a source, an owner or a type leads to', () => {
    expect(places('distance')).to.deep.equal(['trip.distance'])
    expect(places('drivers')).to.deep.equal(['trip.drivers'])
    expect(places('driver.trips')).to.deep.equal(['driver.trips'])
    expect(places('legs.kilometers')).to.deep.equal(['leg.kilometers'])
    expect(places('stops.minutes')).to.deep.equal(['stop.minutes'])
    expect(places('people.trips')).to.deep.equal(['driver.trips'])
    expect(places('owner.kilometers', stop)).to.deep.equal(['leg.kilometers'])
    expect(places('stop.minutes', leg)).to.deep.equal(['stop.minutes'])
    expect(places('account.locale')).to.deep.equal(['account.locale'])
  })

  it('follow from which records a source has', () => {
    expect(['legs', 'stops', 'pairs', 'people'].flatMap((name) => places(name))).to.deep.equal([
      ...['leg.trip', 'stop.owner', 'trip.drivers', 'trip.driver'],
    ])
  })

  it('have no place in types that the catalog lacks', () => {
    expect(places('ship.length')).to.deep.equal([])
  })

  it('are checked: a misspelled name is a mistake', () => {
    expect(mistakes({ 'driver.trips': ['driver'] }, { distance: ['legs.kilometers'] })).to.deep.equal([])
    expect(mistakes({ 'driver.trip': ['drivr'] })).to.deep.equal([
      "trip.rules.counts.keeps: 'driver.trip': driver has no field or link 'trip'",
      "trip.rules.counts.keeps: 'drivr': trip has no field or link 'drivr'",
    ])
    expect(mistakes({}, { distance: ['legs.miles', 'account.size'] })).to.deep.equal([
      "trip.settle.legs.keeps: 'legs.miles': leg has no field or link 'miles'",
      "trip.settle.legs.keeps: 'account.size': accounts have no 'size' to follow",
    ])
    for (const wrong of [['distance'], { distance: 'driver' }, { distance: [] }, { distance: [1] }])
      expect(mistakes(wrong).join()).to.match(/keeps: must be lists of names by name, not /)
  })
})
