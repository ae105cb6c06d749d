import { expect } from 'chai'
import { TIME_ZONES } from '../../plugin/core/time/time-zones.js'
import { createPlugin } from '../../plugin/index.js'
import { type ContractDeps, createMaker, type Made, placesOf } from '../support/contract-place.js'
import { fixtures, withMounted } from '../support/mounted.js'
import { TEST_SECRET } from '../support/settings.js'

/** Only for its catalog; it is never started. */
const { catalog } = createPlugin({
  baseUrl: 'https://desk.example/v1',
  secret: TEST_SECRET,
  database: { url: 'mysql://nobody@nowhere.example/none' },
})
const types = [...catalog.types.values()].filter(({ fields }) => fields.has('time_zone'))

describe('the time zone of a record', () => {
  const mounted = withMounted('bare')
  const deps: ContractDeps = { mounted, catalog, fixtures: fixtures.records }
  const maker = createMaker(deps)

  it('is one of the same list everywhere', () => {
    expect(types.length).to.be.greaterThan(8)
    for (const { name, fields } of types) {
      expect(fields.get('time_zone'), name).to.include({ enumeration: 'time_zone', values: TIME_ZONES })
    }
  })

  for (const type of types) {
    const place = placesOf(type, deps, maker).find(({ operations }) => operations.has('create'))
    if (!place || Object.keys(fixtures.records.get(type.name)?.bodies ?? {}).length === 0) continue

    it(`may be given as an IANA name, and is stored as the name of the list (${type.name})`, async () => {
      const address = await place.address()
      const zoneOf = async (time_zone: string) => {
        const made = await maker.create(type, address, { ...maker.body(type, 'minimal'), time_zone })
        return made['time_zone']
      }
      expect(await zoneOf('Asia/Calcutta')).to.equal('Kolkata')
      expect(await zoneOf('Europe/Paris')).to.equal('Paris')
      expect(await zoneOf('Mumbai')).to.equal('Mumbai')
      const refused = await maker.post(type, address, { ...maker.body(type, 'minimal'), time_zone: 'Mars/Olympus' })
      expect(refused.status).to.equal(422)
      expect((refused.json as Made)['errors']).to.deep.include(['time_zone', 'Time zone is not included in the list'])
    })
  }
})
