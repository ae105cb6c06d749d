/** Every record type: who reaches its records, what others see of them, and how they are removed. */
import { expect } from 'chai'
import type { RecordType } from '../../plugin/schema/catalog.js'
import { describePlaces, type PlaceToTest, withContract } from '../support/contract.js'

describe('every record type, safe', () => {
  describePlaces(withContract(), (place) => {
    if (place.canBeMade) describeSafety(place)
  })
})

function describeSafety({ deps: { mounted }, maker, place }: PlaceToTest): void {
  const { type, operations } = place

  it('answers 304 to whoever has the record already', async () => {
    const address = await place.address()
    const made = await maker.create(type, address, maker.body(type, 'minimal'))
    const first = await mounted.ask(maker.maker(type), 'GET', place.single(address, made['id']))
    const headers = { 'If-None-Match': String(first.headers['etag']) }
    const again = await mounted.ask(maker.maker(type), 'GET', place.single(address, made['id']), undefined, headers)
    expect([again.status, again.text]).to.deep.equal([304, ''])
  })

  it('is created by nobody without credentials, and not by those who may not', async () => {
    const address = await place.address()
    const body = maker.body(type, 'minimal')
    expect((await mounted.ask(null, 'POST', address, body)).status).to.equal(401)
    if (isOpen(type)) return
    // The owner may be one that she does not see.
    expect(place.isBelow ? [403, 404] : [403]).to.contain((await mounted.ask('@ines', 'POST', address, body)).status)
  })

  it('is not there for people of other accounts', async () => {
    const address = await place.address()
    const made = await maker.create(type, address, maker.body(type, 'minimal'))
    const single = place.single(address, made['id'])
    expect((await mounted.ask('@stan', 'GET', single)).status).to.equal(404)
    expect((await mounted.ask(null, 'GET', single)).status).to.equal(401)
    if (place.isBelow) expect((await mounted.ask('@stan', 'POST', address, maker.body(type, 'minimal'))).status).to.equal(404)
  })

  it('is not there under an id that no record has', async () => {
    const address = await place.address()
    for (const id of ['999999999', '0', 'x1', '-1', '1.5', '99999999999999999999']) {
      expect((await mounted.ask(maker.maker(type), 'GET', place.single(address, id))).status, id).to.equal(404)
    }
  })

  it(operations.has('remove') ? 'is removed once' : 'cannot be removed', async () => {
    const address = await place.address()
    const made = await maker.create(type, address, maker.body(type, 'minimal'))
    const single = place.single(address, made['id'])
    const removed = await mounted.ask(maker.maker(type), 'DELETE', single)
    if (!operations.has('remove')) {
      expect(removed.status).to.equal(404)
      return
    }
    expect([removed.status, removed.text]).to.deep.equal([204, ''])
    const flag = type.softDeleteField
    const after = await mounted.ask(maker.maker(type), 'GET', single)
    expect(after.status).to.equal(flag ? 200 : 404)
    if (flag) expect(after.json).to.deep.include({ [flag]: true })
    expect((await mounted.ask(maker.maker(type), 'DELETE', single)).status).to.equal(flag ? 204 : 404)
  })
}

/** Whoever is signed in may create such records. */
function isOpen(type: RecordType): boolean {
  return type.access.create.includes('anyone')
}
