/**
 * `GET /me/permissions` and what calls then do: for every record type, by somebody with each role, somebody without any, and people
 * whom the record names. And the table that hosts read, `itsm.permissions()`, of which `permissions.md` is made.
 */
import { expect } from 'chai'
import type { Reach } from '../../plugin/access/sight/in-general.js'
import { createPlugin, type Permission } from '../../plugin/index.js'
import type { GeneralAllowance } from '../../plugin/operations/people/allowances.js'
import type { RecordAllowance } from '../../plugin/operations/people/allowed-with.js'
import type { RecordType } from '../../plugin/schema/catalog.js'
import { inputNameOf, partChangesOf } from '../../plugin/schema/derive/input-names.js'
import { settableFields, settableLinks } from '../../plugin/schema/derive/settable-names.js'
import type { Who } from '../../plugin/schema/language/who.js'
import { isGranted, mayCome, type Visitor } from '../support/access-expectations.js'
import { recordFixtures, withHostType } from '../support/contract.js'
import { type ContractDeps, createMaker, type Made, type Place, placesOf, shownValue } from '../support/contract-place.js'
import { withMounted } from '../support/mounted.js'
import { TEST_SECRET } from '../support/settings.js'
import { createVisitors } from '../support/visitors.js'

type Allowance = GeneralAllowance & { readonly records: readonly RecordAllowance[] }
type Seen = Extract<RecordAllowance, { read: true }>

const plugin = createPlugin({
  baseUrl: 'https://desk.example/v1',
  secret: TEST_SECRET,
  database: { url: 'mysql://nobody@nowhere.example/none' },
  ...withHostType,
})
const { catalog } = plugin
const NOTHING = { update: false, remove: false, fields: [], unreadable: [] }

describe('what callers are told they may do', () => {
  const mounted = withMounted('bare', withHostType)
  const deps: ContractDeps = { mounted, catalog, fixtures: recordFixtures }
  const maker = createMaker(deps)
  const { ask, find, invite, inviteForEachRole } = createVisitors(mounted)
  const visitors: Visitor[] = []

  before('invites somebody for each role, and somebody without any', async function () {
    this.timeout(60_000)
    visitors.push(...(await inviteForEachRole()))
  })

  const told = async (visitor: Visitor, type: RecordType, id?: unknown): Promise<Allowance> => {
    const answer = await ask(visitor, 'GET', `/me/permissions?type=${type.name}${id === undefined ? '' : `&id=${id}`}`)
    expect(answer.status, answer.text).to.equal(200)
    return answer.json as Allowance
  }

  const placesIn = (type: RecordType): readonly Place[] => {
    if (!recordFixtures.has(type.name)) return []
    return placesOf(type, deps, maker).filter(({ isBelow, isNested, operations }) => {
      return operations.size > 0 && (isNested || !isBelow || operations.has('create'))
    })
  }
  const canBeMade = ({ operations, type }: Place) =>
    operations.has('create') && Object.keys(recordFixtures.get(type.name)?.bodies ?? {}).length > 0

  /** A record at the address; null where none can be made and the world has none. */
  const someAt = async (place: Place, address: string): Promise<Made | null> => {
    if (canBeMade(place)) return maker.create(place.type, address, maker.body(place.type, 'minimal'))
    if (!place.operations.has('list')) return null
    await maker.fill(place, address)
    return (await maker.list(place.type, address))[0] ?? null
  }

  /** The name of each field and link in bodies. */
  const inputsOf = (type: RecordType): ReadonlyMap<string, string> => {
    const nested = [...partChangesOf(type, catalog)].map(([input, { name }]) => [name, input] as const)
    const fields = settableFields(type, catalog).map(
      (field) => [field.name, field.kind === 'ref' ? `${field.name}_id` : field.name] as const,
    )
    return new Map([...fields, ...nested, ...settableLinks(type).map((link) => [link, inputNameOf(type, link)] as const)])
  }

  /** The fields that a change with all of them can set: a name that is unknown keeps it from being made. */
  const settableBy = async (visitor: Visitor, type: RecordType, at: string): Promise<readonly string[]> => {
    const inputs = inputsOf(type)
    const body = { ...Object.fromEntries([...inputs.values()].map((input) => [input, null])), there_is_no_such_field: 1 }
    const headers = { ...visitor.headers, Accept: 'application/problem+json', Prefer: 'handling=strict' }
    const answer = await mounted.ask(null, 'PATCH', at, body, headers)
    if (answer.status === 403 || answer.status === 404) return []
    expect(answer.status, answer.text).to.equal(422)
    const { errors } = answer.json as { errors: readonly { pointer: string | null; code: string }[] }
    const refused = new Set(errors.flatMap(({ code, pointer }) => (code === 'cannot_be_set' ? [String(pointer).slice(1)] : [])))
    return [...inputs].flatMap(([name, input]) => (refused.has(input) ? [] : [name]))
  }

  for (const type of catalog.types.values()) {
    for (const place of placesIn(type)) {
      it(`at ${place.title} is what they may do`, async function () {
        this.timeout(60_000)
        const address = await place.address()
        const record = await someAt(place, address)
        if (record) for (const visitor of visitors) await compare(visitor, place, address, record)
      })
    }
  }

  it('for all types at once is what it is for each, without the fields', async function () {
    this.timeout(60_000)
    for (const visitor of visitors) {
      const answer = await ask(visitor, 'GET', '/me/permissions/types')
      const each = await Promise.all([...catalog.types.values()].map((type) => told(visitor, type)))
      expect(answer.json, visitor.name).to.deep.equal({ types: each.map(({ fields: _, ...general }) => general) })
    }
  })

  async function compare(visitor: Visitor, place: Place, address: string, record: Made): Promise<void> {
    const { operations, type } = place
    const at = place.single(address, record['id'])
    const isOwnAddress = place.isNested || !place.isBelow
    const about = (what: string) => `${visitor.name}, ${what} at ${place.title}`
    const status = async (method: string, path: string, body?: object) => (await ask(visitor, method, path, body)).status
    const { records, ...general } = await told(visitor, type, record['id'])
    const [one] = records as [RecordAllowance]
    const seen: Seen | typeof NOTHING = one.read ? one : NOTHING

    if (operations.has('list')) {
      const answer = await ask(visitor, 'GET', `${address}?id=${record['id']}&fields=id`)
      const isListed = answer.status === 200 && (answer.json as Made[]).length === 1
      expect(one.read, about('list')).to.equal(isListed)
      if (!place.isBelow) expect(general.read === 'none', about('type')).to.equal(answer.status === 403)
    }
    if (general.read === 'all' && !place.isBelow) expect(one.read, about('all')).to.equal(true)
    if (operations.has('single') && isOwnAddress) {
      const answer = await ask(visitor, 'GET', at)
      expect(answer.status === 200, about('single')).to.equal(one.read)
      const shown = answer.json as Made
      for (const name of seen.unreadable)
        expect(shownValue(type, type.fields.get(name) as never, shown) ?? null, name).to.equal(null)
    }
    if (canBeMade(place)) {
      const created = await status('POST', address, maker.body(type, 'minimal'))
      const isRefused = [403, 404].includes(created)
      if (general.create === 'all' && !place.isBelow) expect(isRefused, about('create')).to.equal(false)
      // Nobody's own record is concerned, and no record names the visitor.
      if (general.create === 'none') expect(isRefused, about('create')).to.equal(true)
      if (general.create === 'some' && !place.isBelow) expect(isRefused, about('create')).to.equal(true)
    }
    if (operations.has('update') && isOwnAddress) {
      expect((await status('PATCH', at, {})) === 200, about('update')).to.equal(seen.update)
      expect([...seen.fields].sort(), about('fields')).to.deep.equal([...(await settableBy(visitor, type, at))].sort())
      if (general.update === 'none') expect(seen.update, about('update in general')).to.equal(false)
      if (general.update === 'all') expect(seen.update, about('update in general')).to.equal(one.read)
      for (const [name, { update }] of Object.entries(general.fields)) {
        if (update === 'none') expect(seen.fields, about('fields in general')).not.to.include(name)
        if (update === 'all' && seen.update) expect(seen.fields, about('fields in general')).to.include(name)
      }
    }
    if (operations.has('remove') && canBeMade(place)) {
      const from = seen.remove ? await place.address() : address
      const doomed = seen.remove ? await maker.create(type, from, maker.body(type, 'minimal')) : record
      expect((await status('DELETE', place.single(from, doomed['id']))) === 204, about('remove')).to.equal(seen.remove)
      if (general.remove === 'none') expect(seen.remove, about('remove in general')).to.equal(false)
    }
  }

  it('in general is what the table of permissions says, in every cell', async function () {
    this.timeout(60_000)
    const wrong: string[] = []
    for (const row of plugin.permissions()) {
      const type = catalog.type(row.type)
      const settable = new Set(settableFields(type, catalog).map(({ name }) => name))
      const inParts = new Set([...partChangesOf(type, catalog).values()].map(({ name }) => name))
      for (const visitor of visitors) {
        const general = await told(visitor, type)
        const differs = (what: string, is: string, wanted: string) => {
          if (is !== wanted) wrong.push(`${visitor.name}, ${what} of ${type.name}: ${is} and not ${wanted}`)
        }
        const isOpen = mayCome(type, visitor)
        const reach = (grants: readonly Permission[] | null): Reach => {
          const people = grants?.map(({ who }) => who) ?? []
          return isOpen ? reachOfWho(people, visitor) : 'none'
        }
        differs('create', general.create, reach(row.create))
        differs('update', general.update, reach(row.update))
        differs('remove', general.remove, reach(row.remove))
        for (const field of row.fields) {
          const told = general.fields[field.name]
          if (!told) continue
          const isSent = settable.has(field.name)
          const within = (grants: readonly Permission[] | null, who: readonly Who[] | null) => {
            const covering =
              grants?.filter(({ fields }) => fields === null || fields.includes(pairsOf(type, field.name))) ?? null
            return isSent ? least(reach(covering), reachOfWho(who, visitor)) : 'none'
          }
          const guarded = field.guardedBy ? 'some' : 'all'
          differs(`reading ${field.name}`, told.read, reachOfWho(field.read, visitor))
          // For the table the system sets these: bodies have links, or changes of their sub-records.
          if (inParts.has(field.name) || type.links.has(field.name)) continue
          differs(`create with ${field.name}`, told.create, within(row.create, field.create))
          differs(`change of ${field.name}`, told.update, least(within(row.update, field.update), guarded))
        }
      }
    }
    expect(wrong).to.deep.equal([])
  })

  /** @param who null for everybody */
  const reachOfWho = (who: readonly Who[] | null, visitor: Visitor): Reach => {
    if (who === null || isGranted(who, visitor)) return 'all'
    return who.some((one) => one === 'self' || typeof one === 'object') ? 'some' : 'none'
  }
  const least = (...reaches: readonly Reach[]): Reach => {
    return reaches.includes('none') ? 'none' : reaches.includes('some') ? 'some' : 'all'
  }
  const pairsOf = (type: RecordType, name: string) => type.fields.get(name)?.pairsOf ?? name

  it('includes what they may do because a record names them', async () => {
    const type = catalog.type('vehicle')
    const driver = await invite()
    const inspector = await invite()
    const others = await invite()
    const body = { ...maker.body(type, 'full'), driver_id: driver.id, inspector_id: inspector.id, price: '10.0' }
    const { id } = await maker.create(type, '/vehicles', body)
    const of = async (visitor: Visitor) => (await told(visitor, type, id)).records[0] as Seen
    const all = await of(driver)
    expect(all).to.include({ update: true, remove: false })
    expect(all.unreadable).to.deep.equal([])
    expect(await of(inspector)).to.deep.include({ update: true, fields: ['color'], unreadable: ['price'] })
    expect(await of(others)).to.deep.include({ update: false, fields: [], unreadable: ['price'] })
    expect([...all.fields].sort()).to.deep.equal([...(await settableBy(driver, type, `/vehicles/${id}`))].sort())
    expect(await settableBy(inspector, type, `/vehicles/${id}`)).to.deep.equal(['color'])
    expect((await told(inspector, type)).fields['color']).to.deep.equal({ read: 'all', create: 'some', update: 'some' })
    expect((await told(inspector, type)).fields['price']).to.deep.equal({ read: 'some', create: 'some', update: 'some' })
    expect(await find(`/vehicles/${id}`)).to.include({ price: '10.0' })
  })

  it('includes the own person, and fields of people with a protected role', async () => {
    const type = catalog.type('person')
    const me = visitors.at(-1) as Visitor
    const administrator = visitors[1] as Visitor
    const owner = mounted.world.id('@owen')
    const own = (await told(me, type, me.id)).records[0] as Seen
    expect([...own.fields].sort()).to.deep.equal([...(await settableBy(me, type, `/people/${me.id}`))].sort())
    expect(own.fields).to.include('information')
    const ofOwner = (await told(administrator, type, owner)).records[0] as Seen
    const ofOther = (await told(administrator, type, me.id)).records[0] as Seen
    expect(ofOther.fields.filter((name) => !ofOwner.fields.includes(name)).sort()).to.include.members([
      'disabled',
      'primary_email',
    ])
    expect([...ofOwner.fields].sort()).to.deep.equal([...(await settableBy(administrator, type, `/people/${owner}`))].sort())
  })
})
