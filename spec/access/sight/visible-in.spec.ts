import { expect } from 'chai'
import { recordTable } from '../../../migrations/tools.js'
import type { ScopeHook } from '../../../plugin/access/sight/ask-scope.js'
import { createVisibleIn, type RecordOfAccount, recordKey } from '../../../plugin/access/sight/visible-in.js'
import { waysToSee } from '../../../plugin/access/sight/ways-to-see.js'
import {
  ADMINISTRATORS,
  anyOf,
  common,
  compared,
  defineRecord,
  type Migration,
  me,
  not,
  now,
  ref,
  string,
} from '../../../plugin/index.js'
import { accountsWithMyRole, criterionOf, myOrganization, myTeams } from '../../../plugin/schema/language/conditions.js'
import { inOwnTransaction } from '../../../plugin/storage/database/own-transaction.js'
import { countStatements } from '../../support/count-statements.js'
import { withHouse } from '../../support/house.js'
import { keptLog } from '../../support/webhooks.js'

/** Offered to all trusted accounts while it is open; to those of its buyer when it is agreed. */
const offer = defineRecord('offer', {
  path: 'offers',
  fields: { ...common, name: string(80), state: string(20), buyer: ref('person'), closes_at: string(20) },
  title: 'name',
  collection: { fields: 'id', sort: 'id', sortable: 'id', filterable: 'id' },
  access: {
    create: ADMINISTRATORS,
    update: ADMINISTRATORS,
    fromTrusted: { state: 'open' },
    see: { roles: ['account_administrator'], otherwise: anyOf({ state: 'public' }, { state: 'agreed', buyer: me }) },
  },
  events: ['create', 'update'],
})
const offers: Migration = {
  name: 'host_0001_offers',
  up: (schema) =>
    recordTable(schema, 'offers', (table) => {
      table.string('source', 30)
      table.string('sourceID', 128)
      table.string('name', 80)
      table.string('state', 20)
      table.ref('buyer_id')
      table.string('closes_at', 20)
      table.datetime('created_at')
      table.datetime('updated_at')
    }),
  down: async () => {},
}

describe('access/elsewhere', () => {
  const house = withHouse({ records: [offer], migrations: [offers] })
  let hidden: ScopeHook | undefined
  const log = keptLog()
  const ids: Record<string, number> = {}

  /** Which of the accounts see the records, by what they are called here. */
  async function seen(records: Readonly<Record<string, readonly [type: string, id: number, account?: string]>>) {
    const { storage, catalog, clock } = house
    const visibleIn = createVisibleIn({ storage, catalog, queries: house.queries, clock, log, hook: hidden })
    const asked = Object.values(records).map(([type, id, accountId = 'acme']): RecordOfAccount => ({ type, id, accountId }))
    const found = await inOwnTransaction(storage, (db) => visibleIn(db, asked, ['globex', 'umbrella', 'acme', 'branch']))
    return Object.fromEntries(
      Object.entries(records).map(([name, [type, id]]) => [name, [...(found.get(recordKey(type, id)) ?? [])].sort()]),
    )
  }

  before(async () => {
    await house.accounts.put({ id: 'branch', name: 'Branch', directoryAccountId: 'acme' })
    const inGlobex = { account: 'globex' }
    ids['ada'] = await house.addPerson('Ada', ['specialist'])
    ids['gil'] = await house.add('person', { name: 'Gil', primary_email: 'gil@globex.example' }, inGlobex)
    ids['uma'] = await house.add('person', { name: 'Uma', primary_email: 'uma@umbrella.example' }, { account: 'umbrella' })
    ids['ours'] = await house.add('team', { name: 'Ours' })
    ids['theirs'] = await house.add('team', { name: 'Theirs' }, inGlobex)
  })
  beforeEach(() => {
    hidden = undefined
  })

  /** Rows as they are stored: what records of these types need besides is no matter here. */
  const insert = async (table: string, row: object): Promise<number> => {
    const { storage } = house
    const [id] = await storage.knex(storage.table(table)).insert({ account_id: 'acme', ...row })
    return Number(id)
  }
  const request = (more: object) => insert('requests', { subject: 'It', requested_by_id: ids['ada'], ...more })

  it('is where the team or a person of a record is, in an account with a trust relation', async () => {
    const passed = await request({ team_id: ids['theirs'], status: 'assigned' })
    const kept = await request({ team_id: ids['ours'] })
    const asked = await request({ requested_for_id: ids['gil'] })
    expect(await seen({ passed: ['request', passed], kept: ['request', kept], asked: ['request', asked] })).to.deep.equal({
      passed: ['globex'],
      kept: [],
      asked: ['globex'],
    })
  })

  it('is nowhere without a trust relation, whoever is named', async () => {
    const id = await request({ member_id: ids['uma'] })
    expect(await seen({ id: ['request', id] })).to.deep.equal({ id: [] })
  })

  it('follows links and parts', async () => {
    const change = await insert('changes', { subject: 'Move', manager_id: ids['ada'] })
    const task = await insert('tasks', { subject: 'Agree', change_id: change })
    await insert('task_approvals', { owner_type: 'task', owner_id: task, approver_id: ids['gil'] })
    const ci = await insert('cis', { name: 'Phone' })
    await house.storage.knex(house.storage.table('ci_users')).insert({ ci_id: ci, person_id: ids['gil'] })
    expect(await seen({ task: ['task', task], ci: ['ci', ci], change: ['change', change] })).to.deep.equal({
      task: ['globex'],
      ci: ['globex'],
      change: [],
    })
  })

  it('is everywhere with a trust relation when the type offers it, and where it ties it under a condition', async () => {
    const add = (state: string, buyer?: number) => house.add('offer', { name: state, state, ...(buyer && { buyer_id: buyer }) })
    const [open, closed, general] = [await add('open'), await add('closed', ids['gil']), await add('public')]
    const [agreed, ours] = [await add('agreed', ids['gil']), await add('agreed', ids['ada'])]
    expect(
      await seen({
        open: ['offer', open],
        closed: ['offer', closed],
        general: ['offer', general],
        agreed: ['offer', agreed],
        ours: ['offer', ours],
      }),
    ).to.deep.equal({ open: ['globex'], closed: [], general: [], agreed: ['globex'], ours: [] })
  })

  it('is in the accounts whose directory holds it, for types that belong to the directory', async () => {
    const site = await house.add('site', { name: 'Delft' })
    expect(
      await seen({ person: ['person', ids['ada'] ?? 0], other: ['person', ids['gil'] ?? 0, 'globex'], site: ['site', site] }),
    ).to.deep.equal({ person: ['branch'], other: [], site: [] })
  })

  it('is nowhere for records that are gone', async () => {
    expect(await seen({ gone: ['request', 999_999], none: ['nonsense', 1] })).to.deep.equal({ gone: [], none: [] })
  })

  it('is not where the host hides it; a restriction that fails hides everything', async () => {
    const secret = await request({ subject: 'Secret', team_id: ids['theirs'] })
    const open = await request({ subject: 'Open', team_id: ids['theirs'] })
    const asked: unknown[] = []
    hidden = ({ call, type }, decide) => {
      asked.push([call.account.id, type, call.actor, [...call.trusted]])
      return { all: [decide(), criterionOf({ subject: not('Secret') })] }
    }
    expect(await seen({ secret: ['request', secret], open: ['request', open] })).to.deep.equal({ secret: [], open: ['globex'] })
    expect(asked).to.deep.equal([['globex', 'request', null, ['acme']]])
    hidden = () => {
      throw new Error('no')
    }
    expect(await seen({ open: ['request', open] })).to.deep.equal({ open: [] })
    expect(log.lines.map(({ level }) => level)).to.deep.equal(['error'])
  })

  it('costs the same number of queries for one record and for many', async () => {
    const counter = countStatements(house.storage.knex)
    const many: Record<string, readonly [string, number]> = {}
    for (let index = 0; index < 20; index += 1) many[`r${index}`] = ['request', await request({ team_id: ids['theirs'] })]
    const [[name, one] = ['', ['request', 0] as const]] = Object.entries(many)
    const few = await counter.during(() => seen({ [name]: one }))
    expect(await counter.during(() => seen(many))).to.equal(few)
    expect(few).to.be.at.most(8)
  })

  it('knows no way that depends on the role or the agreement of one person', () => {
    const type = house.catalog.type('request')
    const ways = (condition: Parameters<typeof criterionOf>[0]) =>
      waysToSee(house.catalog, type, criterionOf(condition)).map(({ ties, rest }) => [ties, rest.length])
    expect(ways({ account: accountsWithMyRole('specialist') })).to.deep.equal([])
    expect(ways({ organization: myOrganization, account: accountsWithMyRole('key_contact') })).to.deep.equal([])
    expect(ways({ member: not(me) })).to.deep.equal([])
    expect(ways(anyOf({ team: myTeams, status: 'assigned' }, { member: me }))).to.deep.equal([
      [[{ path: ['team'] }], 1],
      [[{ path: ['member'] }], 0],
    ])
    expect(ways({ completed_at: compared('<=', now), 'service_instance.support_team': myTeams })).to.deep.equal([
      [[{ path: ['service_instance', 'support_team'] }], 1],
    ])
  })
})
