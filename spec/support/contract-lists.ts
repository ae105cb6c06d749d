/** The part of the generated suite about collections: fields, order, filters. */
import { expect } from 'chai'
import { before, it } from 'mocha'
import type { RecordField } from '../../plugin/schema/catalog.js'
import { RESERVED_PARAMETERS } from '../../plugin/schema/check/check-collection.js'
import { type ContractDeps, fieldShownAs, isShownAt, type Made, type Maker, type Place, tried } from './contract-place.js'

const ORDERED = new Set(['integer', 'float', 'decimal', 'date', 'datetime', 'localDatetime', 'timeOfDay'])

export function describeList(deps: ContractDeps, maker: Maker, place: Place): void {
  const { mounted } = deps
  const { type } = place
  const { collection } = type
  const defaultFields = place.isBelow ? collection.below.fields : collection.fields
  let address = ''
  /** All lists are sorted and filtered by a person who may see all records. */
  const list = (query?: string) => maker.list(type, address, query)
  const get = (query: string) => mounted.ask(maker.maker(type), 'GET', `${address}?${query}`)
  const shown = (name: string) => {
    const field = type.fields.get(name)
    return field !== undefined && isShownAt(place, field)
  }

  let known: Promise<{ readonly all: number; readonly records: readonly Made[] }> | null = null
  /** All records, with the fields that can be filtered by, and their number: the same for each filter. */
  const everything = () => {
    const names = [...collection.filterable].filter(shown)
    known ??= Promise.all([total(get, ''), list(`fields=${names.join(',')}`)]).then(([all, records]) => ({ all, records }))
    return known
  }

  before('fills the list', async () => {
    address = await place.address()
    await maker.fill(place, address)
  })

  it('lists the default fields in their order', async () => {
    const records = await list()
    expect(records.length).to.be.greaterThan(1)
    const all = defaultFields.filter(shown)
    for (const record of records) {
      const names = all.filter((name) => !(type.fields.get(name)?.onlyWhenSet && !(name in record)))
      const found = Object.keys(record).filter((name) => names.includes(name) || !['account', 'disabled'].includes(name))
      expect(found.map((name) => fieldShownAs(type, name))).to.deep.equal(names)
    }
  })

  it('lists the fields that are asked for, the id first, and nothing of unknown ones', async () => {
    const isChosen = (name: string) => !type.fields.get(name)?.shownWith && !type.fields.get(name)?.onlyWhenSet
    const names = [...type.fields.keys()].filter((name) => name !== 'id' && shown(name) && isChosen(name)).reverse()
    const [record] = await list(`fields=${names.join(',')},nonsense`)
    const found = Object.keys(record ?? {}).filter((name) => names.includes(name) || name !== 'account')
    expect(found.map((name) => fieldShownAs(type, name))).to.deep.equal(['id', ...names])
  })

  for (const name of collection.sortable) {
    it(`sorts by ${name} both ways`, async () => {
      const field = fieldOf(type.fields, name)
      const up = await list(`sort=${name}&fields=${name}`)
      const down = await list(`sort=-${name}&fields=${name}`)
      expect(down.map((record) => record['id'])).to.deep.equal(up.map((record) => record['id']).reverse())
      if (!isShownAt(place, field)) return
      for (const [index, record] of up.slice(1).entries()) {
        const [one, other] = [rankOf(field, up[index]), rankOf(field, record)]
        expect(compare(one, other), `${JSON.stringify(one)} before ${JSON.stringify(other)}`).to.be.at.most(0)
      }
    })
  }

  it('sorts by updated_at, and by id where records have no such time', async () => {
    const [up, down] = [await list('sort=updated_at'), await list('sort=-updated_at')]
    const ids = up.map((record) => Number(record['id']))
    expect(down.map((record) => record['id'])).to.deep.equal(ids.toReversed())
    if (!type.fields.has('updated_at')) expect(ids).to.deep.equal(ids.toSorted((one, other) => one - other))
  })

  it('does not sort by other fields', async () => {
    const others = [...type.fields.keys(), 'no_such_field'].filter((name) => !collection.sortable.has(name))
    const answer = await get(`sort=${others.join(',')}`)
    expect(answer.status).to.equal(400)
    expect(answer.json).to.deep.equal({ message: `Sorting not allowed on fields: ${others.join(', ')}` })
  })

  for (const { name } of tried([...collection.filterable].flatMap((one) => type.fields.get(one) ?? []))) {
    it(`filters by ${name}`, async () => {
      const field = fieldOf(type.fields, name)
      const { all, records } = await everything()
      const [empty, filled] = [await total(get, `${name}=`), await total(get, `${name}!=`)]
      expect(empty + filled).to.equal(all)
      if (!isShownAt(place, field)) return
      const found = records.find((record) => filterValue(field, record) !== null)
      if (!found) {
        expect(filled).to.equal(0)
        return
      }
      const value = filterValue(field, found) ?? ''
      const text = encodeURIComponent(value.replaceAll(',', '\\,'))
      const same = await list(`${name}=${text}&fields=${name}`)
      expect(same.map((record) => record['id'])).to.contain(found['id'])
      for (const record of same) expect(filterValue(field, record)?.toLowerCase()).to.equal(value.toLowerCase())
      expect((await total(get, `${name}!=${text}`)) + same.length).to.equal(all)
      if (field.kind === 'ref' && !field.shownAs) expect(await total(get, `${name}_id=${text}`)).to.equal(same.length)
      // Keywords in place of a time come neither before nor after others.
      if (!ORDERED.has(field.kind) || field.keywords?.includes(value)) return
      const [below, above] = [await total(get, `${name}=<${text}`), await total(get, `${name}=>${text}`)]
      let words = 0
      for (const keyword of field.keywords ?? []) words += await total(get, `${name}=${keyword}`)
      expect(below + same.length + above + words).to.equal(filled)
      expect(await total(get, `${name}=>=${text}<=${text}`)).to.equal(same.length)
    })
  }

  it('does not filter by other fields', async () => {
    // Some names have another meaning in every list: state, locale.
    const others = [...type.fields.keys()].filter((name) => !collection.filterable.has(name) && !RESERVED_PARAMETERS.has(name))
    const answer = await get(others.map((name) => `${name}=1`).join('&'))
    expect(answer.status).to.equal(others.length > 0 ? 400 : 200)
    if (others.length > 0)
      expect(answer.json).to.deep.equal({ message: `Filtering not allowed on fields: ${others.join(', ')}` })
    const unknown = await get('no_such_field=1')
    expect(unknown.json).to.deep.equal({ message: 'Unknown fields: no_such_field' })
  })

  for (const name of type.lists.keys()) {
    it(`has the same records under /${name} and under state=${name}`, async () => {
      const asPath = await mounted.ask(maker.maker(type), 'GET', `${address}/${name}?per_page=100`)
      const asState = await get(`state=${name}&per_page=100`)
      expect(asPath.status, asPath.text).to.equal(200)
      expect(asState.json).to.deep.equal(asPath.json)
    })
  }

  it('tells pages by headers and by links', async () => {
    const answer = await get('per_page=1')
    const entries = Number(answer.headers['x-pagination-total-entries'])
    expect(entries).to.be.greaterThan(1)
    expect(answer.headers['x-pagination-total-pages']).to.equal(String(entries))
    expect(answer.headers['link']).to.contain('rel="next"').and.to.contain(`${mounted.baseUrl}${address}?page=2&per_page=1`)
    expect((answer.json as Made[]).length).to.equal(1)
  })

  it('answers 304 to whoever has the list already', async () => {
    const first = await get('')
    const tag = String(first.headers['etag'])
    expect(tag).to.match(/^W\/"[0-9a-f]{32}"$/)
    const again = await mounted.ask(maker.maker(type), 'GET', address, undefined, { 'If-None-Match': tag })
    expect([again.status, again.text]).to.deep.equal([304, ''])
    const other = await mounted.ask(maker.maker(type), 'GET', address, undefined, { Etag: tag })
    expect(other.status).to.equal(304)
  })

  it('is shown to nobody without credentials', async () => {
    expect((await mounted.ask(null, 'GET', address)).status).to.equal(401)
  })

  if (place.isBelow) {
    it('is not there for people of other accounts', async () => {
      expect((await mounted.ask('@stan', 'GET', address)).status).to.equal(404)
    })
  }
}

async function total(get: (query: string) => Promise<{ status: number; text: string; headers: object }>, query: string) {
  const answer = await get(query)
  expect(answer.status, `${query}: ${answer.text}`).to.equal(200)
  return Number((answer.headers as Record<string, string>)['x-pagination-total-entries'])
}

function fieldOf(fields: ReadonlyMap<string, RecordField>, name: string): RecordField {
  const field = fields.get(name)
  if (!field) throw new Error(`There is no field '${name}'`)
  return field
}

/** The value for a filter; null for nothing. */
function filterValue(field: RecordField, record: Made): string | null {
  const value = record[field.name]
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? String((value as { id: unknown }).id) : String(value)
}

/** The position of a record by a field: null first, enumerations in their order, references by their label. */
function rankOf(field: RecordField, record: Made | undefined): string | number | null {
  const value = record?.[field.name]
  if (value === null || value === undefined) return null
  if (field.kind === 'enum') return field.values?.indexOf(String(value)) ?? 0
  if (field.kind === 'ref' && !field.shownAs) {
    const { name, subject } = value as { name?: string; subject?: string }
    return name ?? subject ?? null
  }
  if (field.kind === 'decimal') return Number(value)
  if (field.kind === 'datetime' && typeof value === 'string' && !Number.isNaN(Date.parse(value))) return Date.parse(value)
  return typeof value === 'number' ? value : String(value)
}

const collator = new Intl.Collator('en', { sensitivity: 'base' })

function compare(one: string | number | null, other: string | number | null): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? -1 : 1
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return collator.compare(String(one), String(other))
}
