/** The OpenAPI document of an instance is made once, after the start or for the first call, without stopping other calls. */
import { expect } from 'chai'
import { openapi } from '../../../plugin/http/endpoints/openapi.js'
import { createPlugin } from '../../../plugin/index.js'
import { createWords } from '../../../plugin/words/words.js'
import { withMounted } from '../../support/mounted.js'
import { TEST_SECRET } from '../../support/settings.js'
import { createVehicles, vehicle } from '../../support/vehicle.js'

const baseUrl = 'https://desk.example/v1'
const words = createWords()
const { catalog } = createPlugin({ baseUrl, secret: TEST_SECRET, database: { url: 'mysql://nobody@nowhere.example/none' } })

describe('http/endpoints/openapi', () => {
  /** The work that the endpoint wants to be done after the start. */
  function preparation(): () => Promise<unknown> {
    const works: (() => Promise<unknown>)[] = []
    openapi({ catalog, baseUrl, words, headerPrefixes: ['X-SVC-'], afterStart: (work) => void works.push(work) }, [])
    const [work] = works
    if (!work || works.length > 1) throw new Error('The endpoint prepares itself by one work')
    return work
  }

  const textOf = (kept: unknown) => (kept as { readonly text: string }).text

  it('is made once, however often it is asked for', async () => {
    const prepare = preparation()
    const [one, other] = [prepare(), prepare()]
    expect(one).to.equal(other)
    expect(JSON.parse(textOf(await one)).openapi).to.equal('3.1.0')
    expect(prepare()).to.equal(one)
  })

  it('lets other calls be answered meanwhile', async () => {
    let turns = 0
    let isOver = false
    const others = () => {
      turns++
      if (!isOver) setImmediate(others)
    }
    setImmediate(others)
    await preparation()()
    isOver = true
    expect(turns).to.be.above(5)
  })

  it('is tried again for the next call after a failure', async () => {
    let isBroken = true
    const deps = {
      baseUrl,
      words,
      headerPrefixes: ['X-SVC-'],
      get catalog() {
        if (isBroken) throw new Error('Not yet')
        return catalog
      },
    }
    const works: (() => Promise<unknown>)[] = []
    const afterStart = (work: () => Promise<unknown>) => void works.push(work)
    openapi(Object.assign(deps, { afterStart }), [])
    expect(await works[0]?.().catch((error: Error) => error.message)).to.equal('Not yet')
    isBroken = false
    expect(textOf(await works[0]?.())).to.include('"openapi":"3.1.0"')
  })
})

describe('GET /openapi.json in the words of a host', () => {
  const mounted = withMounted('bare', {
    records: [vehicle],
    extend: [], // its tables are not those of other specs
    migrations: [createVehicles],
    words: {
      en: { fields: { 'vehicle.license_plate': 'Plate number' }, values: { 'vehicle.kind': { van: 'Delivery van' } } },
      nl: {
        fields: { 'vehicle.license_plate': 'Kenteken', seats: 'Zitplaatsen' },
        values: { 'vehicle.kind': { van: 'Bestelbus' } },
      },
      sv: { fields: { 'vehicle.license_plate': 'Registreringsnummer' } },
    },
  })
  const read = async (language?: string) => {
    const headers = language === undefined ? {} : { 'X-SVC-Language': language }
    const { headers: sent, json, status, text } = await mounted.ask(null, 'GET', '/openapi.json', undefined, headers)
    expect(status).to.equal(200)
    const { schemas } = (json as { components: { schemas: Record<string, Schema> } }).components
    const of = (type: string, field: string) => schemas[type]?.properties?.[field]?.description
    return { language: sent['content-language'], vary: sent['vary'], tag: sent['etag'], text, schemas, of }
  }

  it('has the labels of the host for fields and values', async () => {
    const { language, of, schemas, vary } = await read()
    expect(language).to.equal('en-US')
    expect(vary).to.contain('X-SVC-Language')
    expect([of('VehicleListed', 'license_plate'), of('VehicleUpdate', 'license_plate')]).to.deep.equal([
      'Plate number.',
      'Plate number.',
    ])
    expect(schemas['VehicleKind']?.['x-labels']).to.deep.equal({ van: 'Delivery van', car: 'Car', bicycle: 'Bicycle' })
    // Labels that follow from the names say nothing more.
    expect(schemas['VehicleStatus']).to.deep.equal({ type: 'string', enum: ['ordered', 'in_use', 'sold'] })
    expect(of('RequestListed', 'subject')).to.equal('What it is about, in one line.')
  })

  it('has those of the language of the call, before descriptions', async () => {
    const { language, of, schemas } = await read('nl-NL')
    expect(language).to.equal('nl')
    expect(of('VehicleListed', 'license_plate')).to.equal('Kenteken.')
    expect(of('VehicleUpdate', 'seats')).to.equal('Zitplaatsen: Places to sit, the driver included.')
    expect(schemas['VehicleKind']?.['x-labels']).to.include({ van: 'Bestelbus' })
    expect(of('RequestListed', 'subject')).to.equal('Onderwerp: What it is about, in one line.')
    expect(schemas['RequestStatus']?.['x-labels']).to.include({ assigned: 'Toegewezen' })
  })

  it('is in the language of a person who has signed in', async () => {
    const { headers } = await mounted.ask('ines', 'GET', '/openapi.json')
    const { json } = await mounted.ask('ines', 'GET', '/me')
    expect(String(headers['content-language'])).to.equal((json as { locale: string | null }).locale ?? 'en-US')
  })

  it('knows the languages of the host, and is English for others', async () => {
    const swedish = await read('sv-SE')
    expect([swedish.language, swedish.of('VehicleListed', 'license_plate')]).to.deep.equal(['sv', 'Registreringsnummer.'])
    expect(swedish.of('RequestListed', 'subject')).to.equal('What it is about, in one line.')
    const japanese = await read('ja')
    expect([japanese.language, japanese.of('VehicleListed', 'license_plate')]).to.deep.equal(['en-US', 'Plate number.'])
    expect((await read('<script>')).language).to.equal('en-US')
  })

  it('is the same API in all languages, with a tag for each, and not much larger', async () => {
    const documents = [await read(), await read('nl'), await read('de'), await read('fr')]
    expect(new Set(documents.map(({ tag }) => tag)).size).to.equal(4)
    for (const { text } of documents) expect(Buffer.byteLength(text)).to.be.below(1_100_000)
    const bare = documents.map(({ text }) =>
      JSON.stringify(JSON.parse(text), (key, value) => (key === 'description' || key === 'x-labels' ? undefined : value)),
    )
    expect(new Set(bare).size).to.equal(1)
  })
})

interface Schema {
  readonly properties?: { readonly [name: string]: { readonly description?: string } }
  readonly 'x-labels'?: object
}
