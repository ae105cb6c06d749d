import { expect } from 'chai'
import type { ScopeHook } from '../../../plugin/access/sight/ask-scope.js'
import type { Authorize } from '../../../plugin/access/sight/decide.js'
import { withSubRecords } from '../../../plugin/access/tokens/token-limits.js'
import type { Call, Role } from '../../../plugin/core/call.js'
import { allOf } from '../../../plugin/index.js'
import type { RecordAllowance } from '../../../plugin/operations/people/allowed-with.js'
import { countStatements } from '../../support/count-statements.js'
import { errorOf, withHouse } from '../../support/house.js'
import { createVehicles, vehicle } from '../../support/vehicle.js'

type Seen = Extract<RecordAllowance, { read: true }>
const moving = {
  ...vehicle,
  moves: { status: { ordered: ['in_use', { to: 'sold', by: ['account_administrator' as const] }], in_use: ['sold'] } },
}

describe('what a caller is told it may do', () => {
  const house = withHouse({ records: [moving], migrations: [createVehicles] })
  const ids: Record<string, number> = {}
  const id = (name: string) => ids[name] ?? 0
  const by = (name: string, accountId?: string) => house.by(id(name), accountId === undefined ? {} : { accountId })
  const person = async (name: string, account: string, ...roles: Role[]) => {
    ids[name] = await house.add('person', { name, primary_email: `${name}@${account}.example` }, { account })
    if (roles.length > 0) await house.permissions.add(await house.system(account), id(name), account, roles)
  }
  const of = async (call: Call, type: string, ...some: readonly number[]) =>
    house.allowances.ofRecords(call, house.catalog.type(type), some)
  const general = async (call: Call, type: string) => house.allowances.inGeneral(call, house.catalog.type(type))

  before(async () => {
    await person('ada', 'acme', 'specialist')
    await person('end', 'acme')
    await person('adam', 'acme', 'account_administrator')
    await person('gil', 'globex', 'specialist')
    await person('gus', 'globex', 'specialist')
    await person('gina', 'globex')
    await person('uma', 'umbrella', 'specialist')
    ids['ours'] = await house.add('team', { name: 'Desk', member_ids: [id('ada')] })
    ids['theirs'] = await house.add('team', { name: 'Network', member_ids: [id('gil'), id('gina')] }, { account: 'globex' })
    const request = { category: 'other', requested_by_id: id('end') }
    ids['passed'] = await house.add('request', { ...request, subject: 'Passed', team_id: id('theirs') })
    ids['kept'] = await house.add('request', { ...request, subject: 'Kept', team_id: id('ours') })
  })

  it('is in the order of the ids, and says of others only that they cannot be read', async () => {
    const found = await of(await by('ada'), 'request', id('kept'), 999_999, id('passed'))
    expect(found.map((one) => [one.id, one.read])).to.deep.equal([
      [id('kept'), true],
      [999_999, false],
      [id('passed'), true],
    ])
    expect(found[1]).to.deep.equal({ id: 999_999, read: false })
    expect(await of(await by('ada'), 'request')).to.deep.equal([])
    expect(await of(await by('uma'), 'request', id('kept'))).to.deep.equal([{ id: id('kept'), read: false }])
  })

  it('covers records that were passed on, as calls for them do', async () => {
    for (const name of ['gil', 'gus', 'gina']) {
      const [passed, kept] = (await of(await by(name), 'request', id('passed'), id('kept'))) as [Seen, RecordAllowance]
      expect(kept.read).to.equal(false)
      expect(passed.read).to.equal(true)
      for (const field of ['subject', 'source', 'addressed', 'note', 'team']) {
        const item = { id: id('passed'), body: { [field]: null, nothing: 1 }, handling: 'strict' as const }
        const error = await errorOf(house.operations.submit(await by(name), 'request', item))
        const isRefused = error.name === 'Forbidden' || JSON.stringify(error).includes(`"${field}","cannot_be_set"`)
        expect(passed.fields.includes(field), `${name}: ${field}`).to.equal(!isRefused)
      }
      const change = house.operations.submit(await by(name), 'request', { id: id('passed'), body: {} })
      const isChanged = await change.then(
        () => true,
        () => false,
      )
      expect(passed.update, name).to.equal(isChanged)
    }
    const [passed] = (await of(await by('gus'), 'request', id('passed'))) as [Seen]
    expect(passed.update).to.equal(true)
    expect(passed.fields).not.to.include('source')
  })

  it('names the next values of fields with moves', async () => {
    const car = await house.add('vehicle', { name: 'Car', license_plate: 'A 1', driver_id: id('end') })
    const movesOf = async (name: string) => ((await of(await by(name), 'vehicle', car))[0] as Seen).moves
    expect(await movesOf('adam')).to.deep.equal({ status: ['in_use', 'sold'] })
    expect(await movesOf('end')).to.deep.equal({ status: ['in_use'] })
    expect(await movesOf('ada')).to.deep.equal({ status: [] })
    await house.operations.save(await by('end'), 'vehicle', car, { status: 'in_use' })
    expect(await movesOf('end')).to.deep.equal({ status: ['sold'] })
    await house.operations.save(await by('end'), 'vehicle', car, { status: 'sold' })
    expect(await movesOf('adam')).to.deep.equal({ status: [] })
  })

  it('takes as many statements for a hundred records as for one, also for passed ones', async () => {
    const team = await house.add('team', { name: 'Field', member_ids: [id('ada')] })
    const manager = await house.addPerson('Max', ['change_manager'])
    const service = await house.add('service', { name: 'Mail', provider_id: await house.add('organization', { name: 'IT' }) })
    const change = await house.add('change', {
      ...{ subject: 'Move', category: 'standard', change_type: 'infrastructure_change', justification: 'improvement' },
      ...{ manager_id: manager, service_id: service },
      template_id: await house.add('change_template', { subject: 'Any' }),
      release_id: await house.add('release', {
        subject: 'Spring',
        manager_id: await house.addPerson('R', ['release_manager']),
      }),
    })
    const bodies = (name: string, body: object) =>
      Array.from({ length: 100 }, (_, index) => ({ id: null, body: { subject: `${name} ${index}`, ...body } }))
    const add = async (type: string, name: string, body: object) => {
      const saved = await house.operations.saveAll(await house.system(), type, bodies(name, body))
      return saved.flatMap((one) => ('row' in one ? [Number(one.row['id'])] : []))
    }
    const template = { category: 'implementation', planned_duration: 8 }
    const template_id = await house.add('task_template', { subject: 'Any', ...template })
    const tasks = await add('task', 'Step', { ...template, template_id, change_id: change, team_id: team })
    const request = { category: 'other', requested_by_id: id('end') }
    const requests = await add('request', 'Passed', { ...request, team_id: id('theirs') })
    expect([tasks.length, requests.length]).to.deep.equal([100, 100])
    const counter = countStatements(house.storage.knex)
    const count = async (call: () => Promise<Call>, type: string, some: readonly number[]) => {
      const one = await call()
      return counter.during(async () => {
        const found = await of(one, type, ...some)
        expect(found.filter(({ read }) => read)).to.have.length(some.length)
      })
    }
    const cases: [() => Promise<Call>, string, readonly number[]][] = [
      [() => by('ada'), 'task', tasks],
      [() => house.by(manager), 'task', tasks],
      [() => by('gil'), 'request', requests],
      [() => by('gina'), 'request', requests],
    ]
    for (const [call, type, some] of cases) {
      await count(call, type, some.slice(0, 1))
      const forOne = await count(call, type, some.slice(0, 1))
      expect(await count(call, type, some)).to.equal(forOne)
      expect(forOne).to.be.at.most(8)
    }
  })

  it('is limited by the token', async () => {
    const call = async (readOnly: boolean, types: readonly string[] | null): Promise<Call> => ({
      ...(await by('ada')),
      token: {
        ...{ id: 1, kind: 'personal', clientId: null, name: 'spec', readOnly },
        recordTypes: types && withSubRecords(house.catalog, types),
      },
    })
    const readOnly = await call(true, null)
    expect(await general(readOnly, 'request')).to.include({ read: 'all', create: 'none', update: 'none', remove: 'none' })
    expect((await of(readOnly, 'request', id('kept')))[0]).to.deep.include({ read: true, update: false, fields: [] })
    const ofProblems = await call(false, ['problem'])
    const closed = await general(ofProblems, 'request')
    expect(closed).to.include({ read: 'none', create: 'none', update: 'none' })
    expect(await of(ofProblems, 'request', id('kept'))).to.deep.equal([{ id: id('kept'), read: false }])
    expect((await of(await call(false, ['request']), 'request', id('kept')))[0]).to.include({ update: true })
  })
})

describe('what a caller is told it may do where the host decides', () => {
  const open = { authorize: ((_, decide) => decide()) as Authorize, scope: ((_, decide) => decide()) as ScopeHook }
  let host = open
  const house = withHouse({
    authorize: (question, decide) => host.authorize(question, decide),
    scope: (question, decide) => host.scope(question, decide),
  })
  let agent = 0
  let user = 0
  let site = 0
  let secret = 0
  beforeEach(() => {
    host = open
  })
  before(async () => {
    agent = await house.addPerson('Aart Agent', ['specialist', 'account_administrator'])
    user = await house.addPerson('Ulla User')
    site = await house.add('site', { name: 'Here' })
    secret = await house.add('site', { name: 'Secret' })
  })
  const of = async (who: number, type: string, ...some: readonly number[]) =>
    house.allowances.ofRecords(await house.by(who), house.catalog.type(type), some)
  const general = async (who: number, type: string) => house.allowances.inGeneral(await house.by(who), house.catalog.type(type))

  it('follows its decision for each record', async () => {
    const authorize: Authorize = ({ action, row, type }, decide) => {
      if (type !== 'site' || row === null) return decide()
      if (row['name'] === 'Secret') return action === 'read' ? false : decide()
      return action === 'update' || decide()
    }
    host = { ...open, authorize }
    const [here, hidden] = (await of(user, 'site', site, secret)) as [Seen, RecordAllowance]
    expect(hidden).to.deep.equal({ id: secret, read: false })
    expect(here).to.include({ read: true, update: true })
    expect(here.fields).to.include.members(['name', 'address'])
    await house.operations.save(await house.by(user), 'site', site, { address: 'Herengracht 1' })
    expect((await errorOf(house.operations.read(await house.by(user), 'site', secret))).name).to.equal('Forbidden')
  })

  it('in general says that it depends, and asks for new records', async () => {
    expect(await general(agent, 'site')).to.include({ read: 'some', create: 'all', update: 'some', remove: 'none' })
    expect(await general(user, 'site')).to.include({ create: 'none', update: 'some' })
    expect((await general(user, 'site')).fields['name']).to.deep.equal({ read: 'all', create: 'none', update: 'some' })
    host = { ...open, authorize: ({ action, type }, decide) => (type === 'site' && action === 'create') || decide() }
    const widened = await general(user, 'site')
    expect(widened).to.include({ create: 'all' })
    expect(widened.fields['name']).to.deep.equal({ read: 'all', create: 'all', update: 'some' })
    host = { ...open, authorize: ({ action, type }, decide) => !(type === 'site' && action === 'create') && decide() }
    expect(await general(agent, 'site')).to.include({ create: 'none' })
    expect(await general(agent, 'note')).to.include({ create: 'some' })
  })

  it('follows types that it opens and closes', async () => {
    expect(await general(user, 'webhook')).to.include({ read: 'none', create: 'none', update: 'none' })
    host = { ...open, authorize: ({ type }, decide) => type === 'webhook' || decide() }
    expect(await general(user, 'webhook')).to.include({ read: 'some', create: 'all', update: 'some' })
    host = { ...open, authorize: ({ type }, decide) => type !== 'site' && decide() }
    expect(await general(agent, 'site')).to.include({ read: 'none', create: 'none', update: 'none' })
    expect(await of(agent, 'site', site)).to.deep.equal([{ id: site, read: false }])
  })

  it('follows its scope', async () => {
    host = { ...open, scope: ({ type }, decide) => (type === 'site' ? allOf(decide(), { name: 'Here' }) : decide()) }
    const found = await of(agent, 'site', site, secret)
    expect(found.map(({ read }) => read)).to.deep.equal([true, false])
    expect(await general(agent, 'site')).to.include({ read: 'some' })
  })
})
