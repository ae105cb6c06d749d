/**
 * Who may do what, by the access part of every definition: `permissions.md` shows it, and each cell of it is tried over HTTP by
 * somebody with each role, and by the people and teams that records name. Types are covered as they are registered.
 */
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { createPlugin, type FieldPermissions, type RecordPermissions } from '../../plugin/index.js'
import type { RecordType } from '../../plugin/schema/catalog.js'
import { isGranted, isGrantedTo, mayCome, namedBy, pathsOfOwn, sees, type Visitor } from '../support/access-expectations.js'
import { accessTable } from '../support/access-table.js'
import { recordFixtures, withHostType } from '../support/contract.js'
import { type ContractDeps, createMaker, type Made, type Place, placesOf, shownValue } from '../support/contract-place.js'
import { withMounted } from '../support/mounted.js'
import { TEST_SECRET } from '../support/settings.js'
import { createVisitors, tryAll } from '../support/visitors.js'

const nowhere = {
  baseUrl: 'https://desk.example/v1',
  secret: TEST_SECRET,
  database: { url: 'mysql://nobody@nowhere.example/none' },
} as const
/** Only for their catalogs; they are never started. */
const plugin = createPlugin({ ...nowhere, ...withHostType })
const { catalog } = plugin
/** As a host reads them. */
const permissions = new Map(plugin.permissions().map((one) => [one.type, one]))
const ours = createPlugin(nowhere)

const [BEGIN, END] = ['<!-- who may do what: begin -->', '<!-- who may do what: end -->']
/** Nobody without a role comes to stand in these fields. */
const REFUSED: ReadonlySet<string> = new Set(['change.manager', 'problem.manager', 'project.manager', 'release.manager'])

function permissionsOf({ name }: RecordType): RecordPermissions {
  const found = permissions.get(name)
  if (!found) throw new Error(`Nothing is said about ${name}`)
  return found
}

function limitsOf(type: RecordType, { name }: { readonly name: string }): FieldPermissions {
  const found = permissionsOf(type).fields.find((field) => field.name === name)
  if (!found) throw new Error(`Nothing is said about ${name} of ${type.name}`)
  return found
}

describe('who may do what', () => {
  const mounted = withMounted('bare', withHostType)
  const deps: ContractDeps = { mounted, catalog, fixtures: recordFixtures }
  const maker = createMaker(deps)
  const { ask, find, invite, inviteForEachRole } = createVisitors(mounted)
  const visitors: Visitor[] = []

  before('invites somebody for each role, and somebody without any', async function () {
    this.timeout(60_000)
    visitors.push(...(await inviteForEachRole()))
  })

  it('is what permissions.md shows', () => {
    const page = readFileSync('plugin/docs/permissions.md', 'utf8')
    const shown = page.includes(BEGIN) ? page.slice(page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)).trim() : ''
    const wanted = accessTable(ours.permissions())
    // Not left to the difference that mocha shows, which is cut: this is to be put between the two marks.
    if (shown !== wanted) throw new Error(`permissions.md has to show, between ${BEGIN} and ${END}:\n\n${wanted}\n`)
  })

  for (const type of catalog.types.values()) {
    for (const place of placesWithRecords(type)) describePlace(place)
  }

  function placesWithRecords(type: RecordType): readonly Place[] {
    return recordFixtures.has(type.name) ? placesOf(type, deps, maker).filter(({ operations }) => operations.size > 0) : []
  }

  /** Where records of the type can be made with the bodies of the fixtures. */
  function makingPlace(type: RecordType): Place | undefined {
    return placesWithRecords(type).find(canBeMade)
  }

  function canBeMade({ type, operations }: Place): boolean {
    return operations.has('create') && Object.keys(recordFixtures.get(type.name)?.bodies ?? {}).length > 0
  }

  function describePlace(place: Place): void {
    const { type, operations } = place
    // Single records that are no parts have the same address wherever they are listed.
    const isOwnAddress = place.isNested || !place.isBelow
    let address = ''
    let record: Made = {}
    let owner: { readonly type: RecordType; readonly record: Made } | null = null

    describe(place.title, () => {
      before('looks for a record', async function () {
        this.timeout(30_000)
        address = await place.address()
        for (const one of await someAt(place, address)) {
          record = operations.has('single') ? ((await find(place.single(address, one['id']))) ?? {}) : one
          owner = await ownerOf(place, address, record)
          // Of records that are gone, lines of their history stay.
          if (owner || type.partOf.length === 0) break
        }
      })

      if (operations.has('list')) {
        it('is listed to those who see it', async () => {
          await tryAll(visitors, async (visitor, report) => {
            const answer = await ask(visitor, 'GET', `${address}?id=${record['id'] ?? 0}&fields=id`)
            report('list', answer.status, refusal(visitor, 'list') ?? [200])
            const isSeen = seesIt(visitor)
            if (answer.status === 200 && isSeen !== null) {
              report('records listed', (answer.json as Made[]).length, [isSeen ? 1 : 0])
            }
          })
        })
      }

      if (operations.has('single') && isOwnAddress) {
        it('is shown to those who see it', async () => {
          await tryAll(visitors, async (visitor, report) => {
            const isSeen = seesIt(visitor)
            if (isSeen === null) return
            const { status } = await ask(visitor, 'GET', place.single(address, record['id']))
            report('single', status, refusal(visitor, 'single') ?? [isSeen ? 200 : 404])
          })
        })
      }

      if (canBeMade(place)) {
        it('is created by those who may', async () => {
          await tryAll(visitors, async (visitor, report) => {
            const { status } = await ask(visitor, 'POST', address, maker.body(type, 'minimal'))
            // Whoever gets as far as being told what is wrong with the record may create one.
            const wanted = isGranted(permissionsOf(type).create, visitor) ? [201, 422] : [403]
            report('create', status, refusal(visitor, 'create') ?? wanted)
          })
        })
      }

      if (operations.has('update') && isOwnAddress) {
        it('is changed by those who may', async () => {
          await tryAll(visitors, async (visitor, report) => {
            const isSeen = seesIt(visitor)
            if (isSeen === null) return
            const { status } = await ask(visitor, 'PATCH', place.single(address, record['id']), {})
            const wanted = !isSeen ? 404 : isGranted(permissionsOf(type).update, visitor) ? 200 : 403
            report('update', status, refusal(visitor, 'update') ?? [wanted])
          })
        })
      }

      if (operations.has('remove') && canBeMade(place)) {
        it('is removed by those who may', async () => {
          await tryAll(visitors, async (visitor, report) => {
            const isSeen = seesIt(visitor)
            if (isSeen === null) return
            const isAllowed = isSeen && isGranted(permissionsOf(type).remove, visitor) && refusal(visitor, 'remove') === null
            const { status } = await ask(visitor, 'DELETE', isAllowed ? await another() : place.single(address, record['id']))
            report('remove', status, refusal(visitor, 'remove') ?? [!isSeen ? 404 : isAllowed ? 204 : 403])
          })
        })
      }
    })

    const another = async () => {
      const at = await place.address()
      return place.single(at, (await maker.create(type, at, maker.body(type, 'minimal')))['id'])
    }

    /** True when the visitor sees the record, as a part with its owner; null when that cannot be said from here. */
    const seesIt = (visitor: Visitor): boolean | null => {
      if (record['id'] === undefined) return null
      const own = sees(type, record, visitor)
      if (!owner || type.partOf.length === 0) return own
      const ofOwner = mayCome(owner.type, visitor) && sees(owner.type, owner.record, visitor)
      return own === false || ofOwner === false ? false : own === null || ofOwner === null ? null : true
    }

    /** What the visitor is told before the record itself matters; null when nothing. */
    const refusal = (visitor: Visitor, action: string): readonly number[] | null => {
      const above = place.isNested || (place.isBelow && ['list', 'create'].includes(action)) ? owner : null
      const statuses = [
        ...(mayCome(type, visitor) && (!above || mayCome(above.type, visitor)) ? [] : [403]),
        ...(above && sees(above.type, above.record, visitor) === false ? [404] : []),
      ]
      return statuses.length > 0 ? statuses : null
    }
  }

  /** A record to try things with; several where records cannot be made at will. */
  async function someAt(place: Place, address: string): Promise<readonly Made[]> {
    const { type, operations } = place
    if (canBeMade(place)) return [await maker.create(type, address, maker.body(type, 'minimal'))]
    if (!operations.has('list')) return []
    await maker.fill(place, address)
    return maker.list(type, address)
  }

  /** The record that a part belongs to, or below which the place is; null when there is none, or none any more. */
  async function ownerOf({ type, isBelow }: Place, address: string, record: Made) {
    const [, path = '', id] = address.split('/')
    const name = isBelow ? catalog.byPath.get(path)?.name : type.partOf.find((one) => record[one])
    if (name === undefined) return null
    const owner = catalog.type(name)
    const found = await find(`/${owner.path}/${isBelow ? id : (record[name] as Made)['id']}`)
    return found && { type: owner, record: found }
  }

  describe('as a person or a team that the record names', () => {
    for (const type of catalog.types.values()) {
      const place = makingPlace(type)
      for (const field of place ? namedBy(type) : []) {
        if (place) it(`${field} of ${type.name}`, () => tryNamed(place, field))
      }
    }
  })

  async function tryNamed(place: Place, field: string): Promise<void> {
    const { type } = place
    const visitor = await invite()
    const address = await place.address()
    const body = { ...maker.body(type, 'minimal'), ...(await naming(type, field, visitor)) }
    const made = await maker.post(type, address, body)
    if (REFUSED.has(`${type.name}.${field}`)) {
      expect(made.status, made.text).to.equal(422)
      return
    }
    expect(made.status, made.text).to.equal(201)
    const at = place.single(address, (made.json as Made)['id'])
    const { sees: seen, update } = permissionsOf(type)
    const isSeen =
      (seen.otherwise && pathsOfOwn(seen.otherwise).includes(field)) || sees(type, (await find(at)) ?? {}, visitor) === true
    expect((await ask(visitor, 'GET', at)).status, 'single').to.equal(isSeen ? 200 : 404)
    const wanted = !isSeen ? 404 : isGrantedTo(update ?? [], field) ? 200 : 403
    expect((await ask(visitor, 'PATCH', at, {})).status, 'update').to.equal(wanted)
  }

  /** What makes the visitor, or a team of the visitor, stand in the field. */
  async function naming(type: RecordType, name: string, visitor: Visitor): Promise<object> {
    const link = type.links.get(name)
    const teams = mounted.itsm.asSystem('visitors', 'widgets')
    const isPerson = (link?.record ?? type.fields.get(name)?.record) === 'person'
    const id = isPerson
      ? visitor.id
      : (await teams.create('team', { name: `Team of ${visitor.name}`, member_ids: [visitor.id] }))['id']
    if (link) return { [`${link.singular ?? name.slice(0, -1)}_ids`]: [id] }
    // Who coordinates a team is a member of it, and so is who works on a request.
    const ownTeam = async () =>
      (await teams.create('team', { name: `Team of ${visitor.name}`, member_ids: [visitor.id] }))['id']
    const more =
      type.name === 'team'
        ? { member_ids: [id] }
        : `${type.name}.${name}` === 'request.member'
          ? { team_id: await ownTeam() }
          : {}
    return { [`${name}_id`]: id, ...more }
  }

  it('lets people maintain their own details, and nobody else’s', async () => {
    const [one, other] = [await invite(), await invite()]
    const contact = { label: 'home', telephone: '+31 20 555 0000' }
    expect((await ask(one, 'PATCH', `/people/${one.id}`, { information: 'On leave' })).status).to.equal(200)
    expect((await ask(one, 'POST', `/people/${one.id}/contacts`, contact)).status).to.equal(201)
    expect((await ask(other, 'PATCH', `/people/${one.id}`, { information: 'x' })).status).to.equal(403)
    expect((await ask(other, 'POST', `/people/${one.id}/contacts`, contact)).status).to.equal(403)
    await ask(one, 'PATCH', `/people/${one.id}`, { job_title: 'King', information: 'Back' })
    expect(await find(`/people/${one.id}`)).to.include({ job_title: null, information: 'Back' })
  })

  describe('with fields that not everybody may set', () => {
    for (const type of catalog.types.values()) {
      const place = makingPlace(type)
      for (const field of type.fields.values()) {
        const value = field.kind === 'boolean' ? true : field.values?.find((one) => one !== field.default)
        // Those without a default depend on others, and so does this one: only a dissatisfied requester can be addressed.
        const isFree = field.default !== undefined && field.name !== 'addressed'
        if (!place || !field.write?.length || value === undefined || !isFree) continue
        it(`sets ${field.name} of ${type.name} for those who may, and ignores the others`, async () => {
          const address = await place.address()
          await tryAll(visitors, async (visitor, report) => {
            const answer = await ask(visitor, 'POST', address, { ...maker.body(type, 'minimal'), [field.name]: value })
            if (answer.status !== 201) return
            const stored = (await find(place.single(address, (answer.json as Made)['id']))) ?? {}
            report('is set', Number(shownValue(type, field, stored) === value), [
              isGranted(limitsOf(type, field).create ?? ['anyone'], visitor) ? 1 : 0,
            ])
          })
        })
      }
    }
  })

  describe('with fields that not everybody may read', () => {
    for (const type of catalog.types.values()) {
      const { filterable, sortable } = type.collection
      const address = `/${type.path}`
      for (const field of type.fields.values()) {
        if (!field.read || !type.operations.has('list')) continue
        const { name } = field

        it(`shows ${name} of ${type.name} to those who may read it`, async () => {
          const { id } = await maker.create(type, address, maker.body(type, 'full'))
          expect(shownValue(type, field, (await find(`${address}/${id}`)) ?? {})).to.not.equal(null)
          await tryAll(visitors, async (visitor, report) => {
            const mayRead = isGranted(limitsOf(type, field).read ?? [], visitor)
            const single = (await ask(visitor, 'GET', `${address}/${id}`)).json as Made
            const [listed = {}] = (await ask(visitor, 'GET', `${address}?id=${id}&fields=${name}`)).json as Made[]
            report('shown', Number(shownValue(type, field, single) !== null), [mayRead ? 1 : 0])
            report('shown in lists', Number(shownValue(type, field, listed) !== null), [mayRead ? 1 : 0])
          })
        })

        it(`lets nobody else filter or sort by ${name} of ${type.name}`, async () => {
          await tryAll(visitors, async (visitor, report) => {
            const mayRead = isGranted(limitsOf(type, field).read ?? [], visitor)
            const tryQuery = async (query: string, isOffered: boolean, what: string) => {
              const answer = await ask(visitor, 'GET', `${address}?${query}`)
              report(query, answer.status, [mayRead && isOffered ? 200 : 400])
              if (answer.status === 400)
                expect(answer.json).to.deep.equal({ message: `${what} not allowed on fields: ${name}` })
            }
            for (const test of ['1', '!', '>0']) await tryQuery(`${name}=${test}`, filterable.has(name), 'Filtering')
            for (const sort of [name, `-id,-${name}`]) await tryQuery(`sort=${sort}`, sortable.has(name), 'Sorting')
          })
        })
      }
    }
  })
})
