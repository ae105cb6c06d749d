import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import type { DescribedField } from '../../../plugin/schema/derive/describe-fields.js'
import type { DescribedType, DescribedValues } from '../../../plugin/schema/derive/describe-types.js'
import { withHostType } from '../../support/contract.js'
import { withMounted } from '../../support/mounted.js'
import type { OpenapiDocument } from '../../support/openapi.js'

interface CatalogAnswer {
  readonly types: readonly DescribedType[]
  readonly enumerations: { readonly [key: string]: DescribedValues }
}

type Schema = { readonly properties?: object; readonly allOf?: readonly Schema[] }

const words = {
  nl: { fields: { vehicle: 'Voertuig', 'vehicle.driven_by_me': 'Mijn voertuigen', chassis: 'Chassisnummer' } },
  es: { fields: { vehicle: 'Vehículo' } },
}

describe('GET /catalog', () => {
  const mounted = withMounted('bare', { ...withHostType, words })

  const read = async (path = '/catalog', headers: Record<string, string> = {}, as = '@ines') => {
    const answer = await mounted.ask(as, 'GET', path, undefined, headers)
    expect(answer.status, answer.text).to.equal(200)
    return answer.json as CatalogAnswer
  }
  const typeNamed = async (name: string, headers: Record<string, string> = {}) => {
    const { types } = await read(`/catalog/${name}`, headers)
    expect(types.map((type) => type.name)).to.deep.equal([name])
    return types[0] as DescribedType
  }
  const fieldOf = (type: DescribedType, name: string) => type.fields.find((field) => field.name === name) as DescribedField

  it('has all types of this instance, each the same as at its own path', async () => {
    const { types, enumerations } = await read()
    expect(types.map(({ name }) => name)).to.deep.equal([...mounted.itsm.catalog.types.keys()])
    for (const type of types) {
      const one = await read(`/catalog/${type.name}`)
      expect(one.types).to.deep.equal([type])
      for (const [key, values] of Object.entries(one.enumerations)) expect(enumerations[key]).to.deep.equal(values)
      const used = new Set(type.fields.flatMap(({ enumeration }) => enumeration ?? []))
      expect(Object.keys(one.enumerations)).to.include.members([...used])
    }
  })

  it('says what the OpenAPI document says: names of fields, of inputs, and what new records need', async () => {
    const { types } = await read()
    const document = (await mounted.ask(null, 'GET', '/openapi.json')).json as OpenapiDocument
    const schemas = document.components['schemas'] as Record<string, Schema & { required?: readonly string[] }>
    const namesIn = (name: string): readonly string[] => {
      const collect = (schema: Schema | undefined): readonly string[] => {
        if (!schema) return []
        const base = '$ref' in schema ? collect(schemas[String(schema['$ref']).split('/').at(-1) ?? '']) : []
        return [...base, ...Object.keys(schema.properties ?? {}), ...(schema.allOf ?? []).flatMap(collect)]
      }
      return collect(schemas[name])
    }
    for (const { name, fields, links } of types) {
      const component = name.replace(/(^|_)([a-z])/g, (_, _before, letter: string) => letter.toUpperCase())
      const listed = [...namesIn(`${component}Listed`), ...namesIn(`${component}ListedBelow`)]
      const sent = namesIn(`${component}Create`)
      if (sent.length === 0 && listed.length === 0) continue
      const inputs = fields.filter((field) => !field.read_only).map((field) => field.input ?? field.name)
      const linked = links.flatMap(({ input }) => input ?? [])
      // A reference may also be sent as a text, and a value under the name of another field; files have names of their own.
      const others = fields.flatMap(({ files_input = '', keyed_by, name: own }) => [
        own,
        files_input,
        `${own}_attributes`,
        keyed_by ?? '',
      ])
      const keyed = fields.some(({ keyed_by }) => keyed_by !== undefined)
      const unknown = sent.filter((one) => one !== 'note_attachments' && ![...inputs, ...linked, ...others].includes(one))
      if (!keyed) expect(unknown, `inputs of ${name}`).to.deep.equal([])
      const placed = new Set(fields.filter((field) => field.only_on_create).map(({ input }) => input))
      // Versions of forms are written with their form.
      const missing = (sent.length === 0 ? [] : inputs).filter((one) => !sent.includes(one) && !placed.has(one))
      expect(missing, `inputs of ${name} without a schema`).to.deep.equal([])
      const needed = fields.filter((field) => field.needed).map((field) => field.input ?? field.name)
      const required = (schemas[`${component}Create`]?.allOf ?? []).flatMap(
        (one) => (one as { required?: string[] }).required ?? [],
      )
      if (required.length > 0) expect(needed, `what a new ${name} needs`).to.have.members(required)
      const seen = fields.filter((field) => !field.write_only && field.kind !== 'owner').map((field) => field.name)
      if (!keyed) expect(listed, `fields of ${name}`).to.include.members(seen)
    }
  })

  it('hides what nobody can read or send', async () => {
    const { types } = await read()
    for (const { name, fields } of types) {
      const all = mounted.itsm.catalog.type(name).fields
      const shown = new Set(fields.map((field) => field.name))
      for (const field of all.values()) if (field.hidden && field.readOnly) expect(shown, name).not.to.include(field.name)
      for (const field of fields) expect(Boolean(field.read_only && field.write_only), `${name}.${field.name}`).to.equal(false)
    }
  })

  it('describes a type of the host with its extension', async () => {
    const type = await typeNamed('vehicle')
    expect(type).to.deep.include({
      label: 'Vehicle',
      label_of_many: 'Vehicles',
      path: '/vehicles',
      owners: [],
      operations: ['list', 'single', 'create', 'update'],
      sort: ['name'],
      file_types: ['vehicles'],
      events: ['create', 'update', 'status-changed', 'note-added'].map((verb) => `vehicle.${verb}`),
    })
    expect(type.lists).to.deep.equal([
      { name: 'driven_by_me', label: 'Driven by me' },
      { name: 'enabled', label: 'Enabled' },
      { name: 'mine_to_inspect', label: 'Mine to inspect' },
    ])
    expect(fieldOf(type, 'seats')).to.deep.equal({
      name: 'seats',
      label: 'Seats',
      kind: 'integer',
      help: 'Places to sit, the driver included.',
      minimum: 1,
      maximum: 60,
      sortable: true,
      filterable: true,
      ordered: true,
    })
    expect(fieldOf(type, 'chassis')).to.deep.equal({ name: 'chassis', label: 'Chassis', kind: 'string', max_length: 40 })
    expect(fieldOf(type, 'color')).to.include({ enumeration: 'vehicle.color', sortable: true })
    expect(fieldOf(type, 'note')).to.include({ kind: 'text', write_only: true })
    expect(fieldOf(type, 'drivers')).to.include({ kind: 'refs', record: 'person', input: 'driver_ids' })
    expect(fieldOf(type, 'name')).to.include({ required: true, needed: true, max_length: 60 })
    expect(fieldOf(type, 'status')).to.include({ kind: 'enum', enumeration: 'vehicle.status', default: 'ordered' })
    expect(fieldOf(type, 'driver')).to.include({ kind: 'ref', record: 'person', input: 'driver_id' })
    expect(fieldOf(type, 'created_at')).to.include({ read_only: true })
  })

  it('says where sub-records, children and links are', async () => {
    const note = await typeNamed('note')
    expect(note.owners).to.deep.include({ record: 'request', path: '/requests/:id/notes' })
    const change = await typeNamed('change')
    expect(change.children.find(({ name }) => name === 'tasks')).to.include({ record: 'task', creates: true })
    const team = await typeNamed('team')
    expect(team.links.find(({ name }) => name === 'members')).to.include({ record: 'person', input: 'member_ids' })
    const { links, parts } = await typeNamed('person')
    expect(links.map(({ name }) => name)).to.include('teams')
    expect(parts).to.deep.include({ name: 'contacts', label: 'Contacts', record: 'contact' })
  })

  it('speaks the language of the reader, with the words of the host, and English where there are none', async () => {
    const dutch = { 'X-SVC-Language': 'nl' }
    const type = await typeNamed('vehicle', dutch)
    expect(type.label).to.equal('Voertuig')
    expect(type.lists[0]?.label).to.equal('Mijn voertuigen')
    expect(fieldOf(type, 'chassis').label).to.equal('Chassisnummer')
    expect(fieldOf(type, 'created_at').label).to.equal('Aangemaakt op')
    const request = await typeNamed('request', dutch)
    expect([request.label, request.label_of_many]).to.deep.equal(['Verzoek', 'Verzoeken'])
    const answer = await mounted.ask('@lea', 'GET', '/catalog/request')
    expect(answer.headers['content-language']).to.equal('fr')
    expect((answer.json as CatalogAnswer).enumerations['request.category']?.find(({ id }) => id === 'other')?.label).to.match(
      /^Autre/,
    )
    const spanish = await mounted.ask('@ines', 'GET', '/catalog/vehicle', undefined, { 'X-SVC-Language': 'es' })
    expect((spanish.json as CatalogAnswer).types[0]?.label).to.equal('Vehículo')
    const japanese = await mounted.ask('@ines', 'GET', '/catalog/request', undefined, { 'X-SVC-Language': 'ja' })
    expect(japanese.headers['content-language']).to.equal('en-US')
  })

  it('labels every type, list and sub-record in each of our languages', async () => {
    const english = await read('/catalog', { 'X-SVC-Language': 'en' })
    for (const language of ['nl', 'de', 'fr']) {
      const { types } = await read('/catalog', { 'X-SVC-Language': language })
      const same = types.flatMap((type, index) => {
        const other = english.types[index] as DescribedType
        const own = [type.label, ...type.lists.map(({ label }) => label), ...type.parts.map(({ label }) => label)]
        const theirs = [other.label, ...other.lists.map(({ label }) => label), ...other.parts.map(({ label }) => label)]
        return ['vehicle', 'inspection'].includes(type.name)
          ? []
          : own.filter((label, at) => label === theirs[at] && /\s/.test(label))
      })
      expect(same, language).to.deep.equal([])
    }
  })

  it('is the same for everybody, small, and sent once', async () => {
    const answer = await mounted.ask('@ines', 'GET', '/catalog')
    expect((await mounted.ask('@owen', 'GET', '/catalog')).text).to.equal(answer.text)
    expect(gzipSync(answer.text).length).to.be.lessThan(200_000)
    const tag = String(answer.headers['etag'])
    const again = await mounted.ask('@owen', 'GET', '/catalog', undefined, { 'If-None-Match': tag })
    expect(again.status).to.equal(304)
    const french = await mounted.ask('@lea', 'GET', '/catalog', undefined, { 'If-None-Match': tag })
    expect(french.status).to.equal(200)
  })
})
