/** Arrays at every path where records are created or changed: what single bodies get, they get as well. */
import { expect } from 'chai'
import { describePlaces, withContract } from '../support/contract.js'

interface Result {
  readonly status: number
  readonly id?: number
  readonly location?: string
  readonly message?: string
  readonly errors?: unknown
}

describe('arrays of bodies', () => {
  const contract = withContract()
  const { maker } = contract
  const { mounted } = contract.deps

  describePlaces(contract, ({ canBeMade, fixture, place }) => {
    const { type } = place
    const as = maker.maker(type)
    const ask = async (method: string, path: string, bodies: readonly object[]) => {
      const { json, status } = await mounted.ask(as, method, path, bodies, { 'X-SVC-Language': 'en-US' })
      expect(status, JSON.stringify(json)).to.equal(200)
      return json as readonly Result[]
    }
    if (!canBeMade) return

    it('creates records like single bodies, and refuses them like these', async () => {
      const address = await place.address()
      const wrong = (fixture.invalid ?? []).slice(0, 3).map(({ body }) => maker.named(body))
      const [made, ...refused] = await ask('POST', address, [maker.body(type, 'minimal'), {}, ...wrong])
      expect(made?.status, JSON.stringify(made)).to.equal(201)
      expect(made?.location).to.equal(`${mounted.baseUrl}${place.single(address, made?.id).replace(/^.*\/v1/, '')}`)
      for (const [index, body] of [{}, ...wrong].entries()) {
        const single = await maker.post(type, address, body)
        if (single.status === 201) continue
        expect(refused[index], JSON.stringify(body)).to.deep.equal({ status: single.status, ...(single.json as object) })
      }
    }).timeout(20_000)

    if (place.isNested || place.isBelow || !type.operations.has('update')) return
    it('changes records like single bodies', async () => {
      const address = await place.address()
      const made = await maker.create(type, address, maker.body(type, 'minimal'))
      const change = maker.named(Object.values(fixture.changes ?? {})[0] ?? {})
      const results = await ask('PATCH', `/${type.path}`, [
        { id: made['id'], ...change },
        { id: 999_999 },
        { id: `${made['id']}` },
        {},
      ])
      expect(
        results.map(({ status }) => status),
        JSON.stringify(results),
      ).to.deep.equal([200, 404, 200, 422])
    }).timeout(20_000)
  })
})
