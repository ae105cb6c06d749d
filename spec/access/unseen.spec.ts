/**
 * Records that a person does not see: their contents change nothing of what the person gets, and their ids are like ids of no
 * record. Every record type of the catalog, and every path by which a record could be seen.
 */
import { expect } from 'chai'
import type { ScopeHook } from '../../plugin/access/sight/ask-scope.js'
import { ROLES } from '../../plugin/core/call.js'
import { allOf, createPlugin, not } from '../../plugin/index.js'
import type { RecordField, RecordType } from '../../plugin/schema/catalog.js'
import type { Visitor } from '../support/access-expectations.js'
import { recordFixtures, withHostType } from '../support/contract.js'
import { type ContractDeps, createMaker, type Made, placesOf } from '../support/contract-place.js'
import { pathsBelow, pathsToRead, pathsWithFilters, type StoredRow } from '../support/crawl.js'
import { withMounted } from '../support/mounted.js'
import { TEST_SECRET } from '../support/settings.js'
import { createVisitors } from '../support/visitors.js'

const { catalog } = createPlugin({
  baseUrl: 'https://desk.example/v1',
  secret: TEST_SECRET,
  database: { url: 'mysql://nobody@nowhere.example/none' },
  ...withHostType,
})
/** A script without the headers that differ from request to request. */
function ofNoRequest(text: string): string {
  return text.replaceAll(/"X-(?:Request-Id|RateLimit-\w+|Runtime)":"[^"]*",?/g, '').replaceAll(/"E[Tt]ag":"[^"]*",?/g, '')
}

/** An id of no record. */
const UNKNOWN = 987_654_321
const TYPES = [...catalog.types.values()]
const IN_ENGLISH = { 'X-SVC-Language': 'en-US' }

describe('records that a person does not see', () => {
  /** Ids of hidden records by type. */
  const hidden = new Map<string, number[]>()
  let viewer = 0
  const scope: ScopeHook = ({ call, type }, decide) => {
    const ids = hidden.get(type) ?? []
    return call.actor?.id === viewer && ids.length > 0 ? allOf(decide(), { id: not(...ids) }) : decide()
  }
  const mounted = withMounted('bare', { ...withHostType, scope })
  const deps: ContractDeps = { mounted, catalog, fixtures: recordFixtures }
  const maker = createMaker(deps)
  const { ask, invite } = createVisitors(mounted)
  let allRoles: Visitor
  let noRole: Visitor

  const tableOf = (type: RecordType) => mounted.database.knex(mounted.database.storage.table(type.table))
  const rowsOf = async (type: RecordType): Promise<readonly StoredRow[]> => tableOf(type).select('*').orderBy('id')
  const idOf = (row: StoredRow) => Number(row['id'])
  const isHidden = (type: string, id: unknown) => hidden.get(type)?.includes(Number(id)) ?? false
  const rowsSeen = async (type: RecordType) => (await rowsOf(type)).filter((row) => !isHidden(type.name, row['id']))
  const rowsHidden = async (type: RecordType) => (await rowsOf(type)).filter((row) => isHidden(type.name, row['id']))

  before('makes records of every type, which refer to each other, and hides every second one', async function () {
    this.timeout(120_000)
    allRoles = await invite('account_owner')
    await mounted.itsm.grant(allRoles.id, 'widgets', ROLES)
    noRole = await invite()
    for (const type of TYPES) {
      const bodies = recordFixtures.get(type.name)?.bodies ?? {}
      const place = recordFixtures.has(type.name)
        ? placesOf(type, deps, maker).find(({ operations }) => operations.has('create'))
        : null
      if (!place || Object.keys(bodies).length === 0) continue
      const address = await place.address()
      for (const name of ['full', 'minimal']) {
        if (bodies[name]) await maker.create(type, address, maker.body(type, name))
      }
    }
    const people = [allRoles.id, noRole.id]
    for (const type of TYPES) {
      const ids = (await rowsOf(type)).map(idOf)
      hidden.set(
        type.name,
        ids.filter((id, place) => place % 2 === 1 && !(type.name === 'person' && people.includes(id))),
      )
    }
  })

  /** Changes texts, numbers and times of the hidden records, except what may be known of them. */
  let changes = 0
  async function changeHidden(): Promise<void> {
    changes += 1
    for (const type of TYPES) {
      for (const id of hidden.get(type.name) ?? []) {
        const changed = Object.fromEntries(
          [...type.columns].flatMap(([column, field]) => {
            const value = isKnown(type, field) ? undefined : otherValue(field, id)
            return value === undefined ? [] : [[column, value]]
          }),
        )
        if (Object.keys(changed).length > 0) await tableOf(type).where({ id }).update(changed)
      }
    }
    mounted.itsm.forget()
  }

  function otherValue({ format, kind, max = 255, values }: RecordField, id: number): string | number | undefined {
    if (values || (format !== undefined && ['locale', 'time_zone'].includes(format))) return undefined
    const text = `~${changes}~${id}`
    if (kind === 'string') return text.slice(0, max)
    if (kind === 'text') return `secret ${text}`
    if (kind === 'integer' || kind === 'decimal' || kind === 'float') return 60 + changes
    if (kind === 'date') return `203${changes % 10}-01-01`
    return kind === 'datetime' ? `203${changes % 10}-01-01 00:00:00` : undefined
  }

  /** Public titles, and values that are part of other records, such as the manager of a task from its change. */
  function isKnown(type: RecordType, { name }: RecordField): boolean {
    if (['id', 'owner_id', 'owner_type'].includes(name) || type.softDeleteField !== null) return true
    const translated = type.partOf.map((one) => catalog.type(one)).filter((one) => one.translations?.record === type.name)
    if ([type, ...translated].some(({ access, title }) => access.publicTitle && title === name)) return true
    // Texts in the language of a reader are those of the record that is translated.
    if (translated.length > 0) return true
    return TYPES.some((other) =>
      [...other.fields.values()].some(({ via }) => via !== null && endOf(other, via) === `${type.name}.${name}`),
    )
  }

  function endOf(type: RecordType, path: readonly string[]): string {
    const at = path.slice(0, -1).reduce((current, step) => catalog.type(current.fields.get(step)?.record ?? ''), type)
    return `${at.name}.${path.at(-1)}`
  }

  /** Paths, and what they answer, of everything that the person can ask for. */
  async function readAll(person: Visitor, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const answers = new Map<string, string>()
    for (const path of paths) {
      const { status, text, headers } = await ask(person, 'GET', path)
      expect(status, `${path}: ${text}`).to.be.lessThan(500)
      const { etag, link, 'x-pagination-total-entries': total } = headers
      answers.set(path, JSON.stringify([status, total, link, path.includes('callback=') || etag, ofNoRequest(text)]))
    }
    return answers
  }

  /** Everything stays the same while hidden records change. */
  async function expectSame(person: Visitor, paths: readonly string[]): Promise<void> {
    const before = await readAll(person, paths)
    await changeHidden()
    const after = await readAll(person, paths)
    const different = paths.filter((path) => before.get(path) !== after.get(path))
    expect(different.map((path) => `${path}\n${before.get(path)}\n${after.get(path)}`).join('\n')).to.equal('')
  }

  async function pathsFor(): Promise<readonly string[]> {
    const ids = new Map<string, number[]>()
    for (const type of TYPES) ids.set(type.name, (await rowsSeen(type)).map(idOf))
    return [...pathsToRead(catalog, ids), '/me', '/account', '/people?roles=specialist', '/openapi', '/enums']
  }

  /** With every filter, for the values of a hidden record. */
  async function filtersFor(): Promise<readonly string[]> {
    const filters: string[] = []
    for (const type of TYPES) {
      const [row] = await rowsHidden(type)
      if (row) filters.push(...pathsWithFilters(type, row))
    }
    return filters
  }

  /** Lists of a type have its other records, and count these. */
  async function expectListed(person: Visitor): Promise<void> {
    for (const type of TYPES.filter(({ operations }) => operations.has('list'))) {
      const { json, headers, status } = await ask(person, 'GET', `/${type.path}?per_page=100&fields=id`)
      if (status === 403) continue
      const ids = (json as Made[]).map(({ id }) => Number(id))
      expect(
        ids.filter((id) => isHidden(type.name, id)),
        type.name,
      ).to.deep.equal([])
      if (ids.length < 100) expect(headers['x-pagination-total-entries'], type.name).to.equal(String(ids.length))
    }
  }

  /** Compares responses for the id of a hidden record with those for an id of no record. */
  function comparing(person: Visitor) {
    const differences: string[] = []
    const answer = async (id: number, method: string, path: string, body?: (id: number) => object) => {
      const headers = { ...person.headers, ...IN_ENGLISH }
      const reply = await mounted.ask(null, method, path.replaceAll('#', String(id)), body?.(id), headers)
      if (reply.status < 300 && method !== 'GET') return `${reply.status} ${reply.headers['x-ignored-fields'] ?? ''}`
      return `${reply.status} ${ofNoRequest(reply.text).replaceAll(new RegExp(`\\b${id}\\b`, 'g'), '#')}`
    }
    return {
      differences,
      async compare(id: number, method: string, path: string, body?: (id: number) => object) {
        const [unknown, known] = [await answer(UNKNOWN, method, path, body), await answer(id, method, path, body)]
        if (unknown !== known)
          differences.push(`${method} ${path} ${id} ${JSON.stringify(body?.(id) ?? '')}: ${unknown} | ${known}`)
      },
    }
  }

  /** Requests at the address of a hidden record, below it, and with its id below other records. */
  async function compareAddresses(person: Visitor): Promise<string> {
    const { compare, differences } = comparing(person)
    for (const type of TYPES) {
      const [row] = await rowsHidden(type)
      if (!row) continue
      if (type.operations.size > 0) {
        const own = `/${type.path}/#`
        for (const method of ['GET', 'HEAD', 'DELETE']) await compare(idOf(row), method, own)
        await compare(idOf(row), 'GET', `${own}?callback=show`)
        await compare(idOf(row), 'PATCH', own, () => ({}))
        for (const path of pathsBelow(catalog, type)) {
          for (const method of ['GET', 'DELETE']) await compare(idOf(row), method, `${own}/${path}`)
          await compare(idOf(row), 'POST', `${own}/${path}`, () => ({}))
          await compare(idOf(row), 'POST', `${own}/${path}/1`)
          await compare(idOf(row), 'DELETE', `${own}/${path}/1`)
        }
      }
      for (const owner of TYPES.filter(({ operations }) => operations.size > 0)) {
        const [seen] = await rowsSeen(owner)
        const owned =
          row['owner_type'] === owner.name && !isHidden(owner.name, row['owner_id']) ? row['owner_id'] : seen?.['id']
        if (owned === undefined) continue
        for (const [path, { record }] of [...owner.links, ...owner.children]) {
          if (record !== type.name) continue
          for (const method of ['POST', 'DELETE']) await compare(idOf(row), method, `/${owner.path}/${owned}/${path}/#`)
        }
        for (const [path, part] of owner.parts) {
          if (part !== type.name) continue
          const at = `/${owner.path}/${owned}/${path}/#`
          for (const method of ['GET', 'DELETE']) await compare(idOf(row), method, at)
          await compare(idOf(row), 'PATCH', at, () => ({}))
        }
      }
    }
    return differences.join('\n')
  }

  /** References to a hidden record in bodies of other records. */
  async function compareReferences(person: Visitor): Promise<string> {
    const { compare, differences } = comparing(person)
    for (const type of TYPES) {
      const bodies = recordFixtures.get(type.name)?.bodies ?? {}
      const place = recordFixtures.has(type.name)
        ? placesOf(type, deps, maker).find(({ operations }) => operations.has('create'))
        : null
      const address = place && Object.keys(bodies).length > 0 ? await place.address() : null
      const targets = [
        ...[...type.fields.values()].flatMap((field) =>
          field.kind === 'ref' && field.column && !field.readOnly
            ? [
                {
                  record: field.record ?? '',
                  column: field.column,
                  input: `${field.inputAs ?? field.name}_id`,
                  names: [field.name, `${field.name}_id`],
                  one: true,
                },
              ]
            : [],
        ),
        ...[...type.links].flatMap(([name, link]) =>
          link.write === 'none'
            ? []
            : [
                {
                  record: link.record,
                  column: null,
                  input: `${link.singular ?? name.slice(0, -1)}_ids`,
                  names: [] as readonly string[],
                  one: false,
                },
              ],
        ),
      ]
      for (const { column, input, names, one, record } of targets) {
        const [id] = hidden.get(record) ?? []
        if (id === undefined) continue
        const value = (of: number) => ({ [input]: one ? of : [of] })
        // A reference that a record has already stays when it is sent again: its id is known.
        const seen = (await rowsSeen(type)).find((row) => column === null || Number(row[column]) !== id)
        if (seen && column !== null && type.operations.has('update'))
          await compare(id, 'PATCH', `/${type.path}/${seen['id']}`, value)
        if (address === null) continue
        for (const name of [bodies['full'] ? 'full' : 'minimal']) {
          await compare(id, 'POST', address, (of) => {
            const others = Object.entries(maker.body(type, name)).filter(([key]) => !names.includes(key))
            return { ...Object.fromEntries(others), ...value(of) }
          })
        }
      }
    }
    return differences.join('\n')
  }

  describe('because the scope of the host hides them', () => {
    before(() => {
      viewer = allRoles.id
    })

    it('are in no list, and no total counts them', () => expectListed(allRoles)).timeout(30_000)

    it('do not exist at any address', async () => {
      expect(await compareAddresses(allRoles)).to.equal('')
    }).timeout(60_000)

    it('are unknown ids in every reference of every body', async () => {
      expect(await compareReferences(allRoles)).to.equal('')
    }).timeout(60_000)

    it('are unknown to the endpoints that take ids', async () => {
      const { compare, differences } = comparing(allRoles)
      const one = (type: string) => hidden.get(type)?.[0] ?? 0
      await compare(one('person'), 'GET', '/people/#/permissions')
      await compare(one('person'), 'POST', '/people/#/permissions/widgets?roles=auditor')
      await compare(one('webhook'), 'POST', '/webhooks/#/test', () => ({}))
      await compare(one('request'), 'POST', '/requests/#/satisfied', () => ({}))
      const hours = 'start=2026-11-21T09:00:00Z&end=2026-11-22T09:00:00Z'
      await compare(one('calendar'), 'GET', `/calendars/#/duration?${hours}`)
      expect(differences).to.deep.equal([])
    })

    it('are not found by telephone or support ID', async () => {
      const [person] = await rowsHidden(catalog.type('person'))
      await tableOf(catalog.type('person'))
        .where({ id: idOf(person ?? {}) })
        .update({ supportID: 'S-HIDDEN' })
      expect((await ask(allRoles, 'GET', '/sd?telephone=S-HIDDEN')).json).to.deep.equal([])
      for (const contact of await rowsHidden(catalog.type('contact'))) {
        if (contact['protocol'] !== 'telephone') continue
        const found = await ask(allRoles, 'GET', `/sd?telephone=${encodeURIComponent(String(contact['uri']))}`)
        expect(
          (found.json as Made[]).map(({ id }) => id),
          String(contact['uri']),
        ).to.deep.equal([])
      }
    })

    it('are unknown names in events', async () => {
      const noteOf = async (parameters: Record<string, unknown>, name: unknown) => {
        const reply = await ask(allRoles, 'POST', '/events', { subject: `Event ${name}`, note: 'It', ...parameters })
        expect(reply.status, reply.text).to.equal(201)
        const notes = await ask(allRoles, 'GET', `/requests/${(reply.json as Made)['id']}/notes`)
        return JSON.stringify((notes.json as Made[]).map(({ text }) => text)).replaceAll(String(name), '#')
      }
      for (const [parameter, type, title] of [
        ['ci', 'ci', 'label'],
        ['team', 'team', 'name'],
        ['service_instance', 'service_instance', 'name'],
        ['member', 'person', 'primary_email'],
        ['requested_for', 'person', 'primary_email'],
      ] as const) {
        const [row = {}] = await rowsHidden(catalog.type(type))
        const known = await noteOf({ [parameter]: row[title] }, row[title])
        expect(known, parameter).to.equal(await noteOf({ [parameter]: `no@${parameter}.example` }, `no@${parameter}.example`))
      }
    })

    it('change nothing that the person gets', async () => {
      await expectSame(allRoles, [...(await pathsFor()), ...(await filtersFor())])
    }).timeout(60_000)
  })

  describe('because they are of another account', () => {
    before(async () => {
      viewer = 0
      await mounted.itsm.accounts.put({ id: 'apart', name: 'Apart' })
      // Sub-records are of the account of their owner.
      for (const type of TYPES.toSorted((one, other) => one.partOf.length - other.partOf.length)) {
        const isOfHidden = (row: StoredRow) => isHidden(String(row['owner_type']), row['owner_id'])
        if (type.partOf.length > 0) hidden.set(type.name, (await rowsOf(type)).filter(isOfHidden).map(idOf))
        const ids = hidden.get(type.name) ?? []
        if (ids.length > 0) await tableOf(type).whereIn('id', ids).update({ account_id: 'apart' })
      }
      mounted.itsm.forget()
    })

    it('are in no list, and do not exist at any address', async () => {
      await expectListed(allRoles)
      expect(await compareAddresses(allRoles)).to.equal('')
    }).timeout(60_000)

    it('change nothing that the person gets', async () => {
      // Records refer to accounts without trust only when the trust has ended: orders by titles are not checked. Filters work on
      // the same records as lists, whatever hides the others.
      const paths = (await pathsFor()).filter((path) => !path.includes('sort='))
      await expectSame(allRoles, paths)
    }).timeout(60_000)

    after(async () => {
      for (const type of TYPES) await tableOf(type).where({ account_id: 'apart' }).update({ account_id: 'widgets' })
      mounted.itsm.forget()
    })
  })

  describe('because the person has no role', () => {
    before(async () => {
      const seen = new Map<string, ReadonlySet<number>>()
      for (const type of TYPES.filter(({ operations }) => operations.has('list'))) {
        const { json, status } = await ask(noRole, 'GET', `/${type.path}?per_page=100&fields=id`)
        seen.set(type.name, new Set(status === 200 ? (json as Made[]).map(({ id }) => Number(id)) : []))
      }
      for (const type of TYPES) {
        const ofOwner = ({ owner_id, owner_type }: StoredRow) => seen.get(String(owner_type))?.has(Number(owner_id)) ?? false
        const isSeen = (row: StoredRow) => seen.get(type.name)?.has(idOf(row)) ?? ofOwner(row)
        hidden.set(type.name, (await rowsOf(type)).filter((row) => row['account_id'] === 'widgets' && !isSeen(row)).map(idOf))
      }
      expect(hidden.get('request')).to.not.have.length(0)
      expect(hidden.get('note')).to.not.have.length(0)
    })

    it('do not exist at any address', async () => {
      expect(await compareAddresses(noRole)).to.equal('')
    }).timeout(60_000)

    it('change nothing that the person gets', async () => {
      await expectSame(noRole, [...(await pathsFor()), ...(await filtersFor())])
    }).timeout(60_000)
  })

  // Last, because it starts the jobs.
  describe('in import files', () => {
    before(() => {
      viewer = allRoles.id
    })

    it('are unknown in import files: by ID, in cells, and in the log', async () => {
      await mounted.itsm.start()
      const [site = {}] = await rowsHidden(catalog.type('site'))
      const imported = async (id: number, name: string, cell: unknown) => {
        const file = `ID,Primary Email,Name,Site\r\n${id},${name}@import.example,${name},${cell}\r\n`
        const parts = ['type"\r\n\r\npeople', `file"; filename="p.csv"\r\nContent-Type: text/csv\r\n\r\n${file}`]
        const form = `${parts.map((part) => `--b\r\nContent-Disposition: form-data; name="${part}`).join('\r\n')}\r\n--b--\r\n`
        const headers = { ...allRoles.headers, 'Content-Type': 'multipart/form-data; boundary=b' }
        const sent = await mounted.ask(null, 'POST', '/import', Buffer.from(form), headers)
        expect(sent.status, sent.text).to.equal(200)
        const at = `/import/${(sent.json as { token: string }).token}`
        for (let tries = 0; tries < 200; tries += 1) {
          const { state, results, logfile } = (await ask(allRoles, 'GET', at)).json as Record<string, string>
          if (state === 'done' || state === 'error') {
            const log = await (await fetch(String(logfile))).text()
            return [
              state,
              results,
              log
                .replaceAll(String(cell) || '-', '$')
                .replaceAll(new RegExp(`\\bID ${id}\\b`, 'g'), '#')
                .replaceAll(name, '§'),
            ]
          }
          await new Promise((resolve) => setTimeout(resolve, 25))
        }
        throw new Error('The import does not end')
      }
      const person = hidden.get('person')?.[0] ?? 0
      expect(await imported(person, 'anna', '')).to.deep.equal(await imported(UNKNOWN, 'berta', ''))
      expect(await imported(UNKNOWN, 'carla', site['name'])).to.deep.equal(await imported(UNKNOWN, 'dora', 'No such site'))
    }).timeout(60_000)
  })
})
