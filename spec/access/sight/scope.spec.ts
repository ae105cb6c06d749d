import { expect } from 'chai'
import type { ScopeHook } from '../../../plugin/access/sight/ask-scope.js'
import { HookFailed, type Invalid, TimedOut } from '../../../plugin/core/errors.js'
import {
  allOf,
  anyOf,
  type Criterion,
  compared,
  criterionOf,
  internalOrganizations,
  me,
  myOrganization,
  myTeams,
  not,
  now,
  type Restriction,
  sixMonthsAgo,
  trustedAccounts,
} from '../../../plugin/schema/language/conditions.js'
import { errorOf, withHouse } from '../../support/house.js'

describe('what a call sees', () => {
  const house = withHouse()
  let agent = 0
  let user = 0
  let other = 0
  let member = 0
  let desk = 0
  const requests = new Map<string, number>()

  before(async () => {
    agent = await house.addPerson('Aart Agent', ['specialist'])
    user = await house.addPerson('Ulla User')
    other = await house.addPerson('Otto Other')
    member = await house.addPerson('Mia Member')
    desk = await house.add('team', { name: 'Desk', member_ids: [agent] })
    const users = await house.add('team', { name: 'Users', member_ids: [user] })
    const back = await house.add('team', { name: 'Back office', member_ids: [member] })
    const add = async (name: string, body: object) => {
      const call = await house.by(agent)
      const row = await house.operations.save(call, 'request', null, {
        subject: name,
        category: 'other',
        team_id: desk,
        ...body,
      })
      requests.set(name, Number(row['id']))
    }
    await add('by user', { requested_by_id: user, note: 'public', internal_note: 'internal' })
    await add('for user', { requested_by_id: other, requested_for_id: user })
    await add('of another', { requested_by_id: other })
    await add('in the back', { requested_by_id: other, team_id: back })
    await add('assigned', { requested_by_id: other, team_id: users, member_id: user })
  })

  const list = async (by: number, type: string, options: object = {}) =>
    (await house.operations.list(await house.by(by), type, { parameters: [['sort', 'id']], ...options })).items
  const subjects = async (by: number, options: object = {}) => (await list(by, 'request', options)).map((one) => one['subject'])

  it('is every request for staff, and only what concerns them for others', async () => {
    expect(await subjects(agent)).to.have.length(5)
    expect(await subjects(user)).to.deep.equal(['by user', 'for user', 'assigned'])
    expect(await subjects(member)).to.deep.equal(['in the back'])
    expect(await subjects(user, { list: 'requested_by_or_for_me' })).to.deep.equal(['by user', 'for user'])
  })

  it('is the same for single records and changes: the others are not there', async () => {
    const hidden = requests.get('of another') ?? 0
    const call = await house.by(user)
    expect((await errorOf(house.operations.read(call, 'request', hidden))).name).to.equal('NotFound')
    expect((await errorOf(house.operations.save(call, 'request', hidden, { note: 'hello' }))).name).to.equal('NotFound')
    expect(
      (
        await errorOf(
          house.operations.list(call, 'note', { parameters: [], within: { type: 'request', id: hidden, path: 'notes' } }),
        )
      ).name,
    ).to.equal('NotFound')
  })

  it('holds for the notes of requests, at their own address too', async () => {
    const texts = async (by: number, options: object = {}) => (await list(by, 'note', options)).map((one) => one['text'])
    const within = { within: { type: 'request', id: requests.get('by user') ?? 0, path: 'notes' } }
    expect(await texts(agent)).to.deep.equal(['public', 'internal'])
    expect(await texts(user)).to.deep.equal(['public'])
    expect(await texts(member)).to.deep.equal([])
    expect(await texts(agent, within)).to.deep.equal(['public', 'internal'])
    expect(await texts(user, within)).to.deep.equal(['public'])
    const internal = (await list(agent, 'note')).find((one) => one['text'] === 'internal')
    expect((await errorOf(house.operations.read(await house.by(user), 'note', Number(internal?.['id'])))).name).to.equal(
      'NotFound',
    )
    expect((await errorOf(house.operations.read(await house.by(member), 'note', Number(internal?.['id']) - 1))).name).to.equal(
      'NotFound',
    )
  })

  it('includes people of the directory account, but not its other records', async () => {
    const shared = await house.add('person', { name: 'Dora', primary_email: 'dora@globex.example' }, { account: 'globex' })
    await house.add('site', { name: 'Directory site' }, { account: 'globex' })
    const names = async (type: string, options: object = {}) => (await list(user, type, options)).map((one) => one['name'])
    expect(await names('person')).to.not.include('Dora')
    await house.accounts.put({ id: 'acme', name: 'ACME', directoryAccountId: 'globex' })
    expect(await names('person')).to.include('Dora')
    expect(await names('person', { list: 'directory' })).to.deep.equal(['Dora'])
    expect(await names('person', { list: 'support_domain' })).to.not.include('Dora')
    expect(await names('site')).to.not.include('Directory site')
    const dora = (await list(user, 'person')).find((one) => one['id'] === shared)
    expect(dora?.['account']).to.deep.equal({ id: 'globex', name: 'GLOBEX' })
    await house.accounts.put({ id: 'acme', name: 'ACME', directoryAccountId: null })
  })

  it('shows audit lines to those who may see them, of records that are gone too', async () => {
    expect((await errorOf(list(user, 'audit_line'))).name).to.equal('Forbidden')
    const hook = await house.add('webhook', { event: 'request.create', uri: 'https://hooks.example/' })
    const admin = await house.addPerson('Ada Admin', ['account_administrator'])
    await house.operations.remove(await house.by(admin), 'webhook', hook)
    const actions = async (by: number) =>
      (await list(by, 'audit_line', { parameters: [['per_page', '100']] })).flatMap((one) =>
        one['audited'] === 'webhook' ? [one['action']] : [],
      )
    expect(await actions(admin)).to.deep.equal(['destroy', 'create'])
    // Webhooks are no business of other staff, nor is what happened to them.
    expect(await actions(agent)).to.deep.equal([])
  })

  it('gives the words of conditions their meaning', async () => {
    const own = await house.add('organization', { name: 'Own' })
    const below = await house.add('organization', { name: 'Below', parent_id: own })
    const bottom = await house.add('organization', { name: 'Bottom', parent_id: below })
    await house.add('organization', { name: 'Outside' })
    await house.accounts.put({ id: 'acme', name: 'ACME', organizationId: own })
    const staff = await house.addPerson('Sia Staff', [], { organization_id: below })
    await house.operations.save(await house.system(), 'team', desk, { member_ids: [agent, staff] })
    const call = await house.by(staff)
    const meaning = async (condition: Parameters<typeof criterionOf>[0]) => house.scope.resolve(call, criterionOf(condition))
    const is = (path: string, ...values: unknown[]) => ({ path: [path], op: 'in', values })
    expect(await meaning({ keeper: me })).to.deep.equal(is('keeper', staff))
    expect(await meaning({ team: myTeams })).to.deep.equal(is('team', desk))
    expect(await meaning({ organization: myOrganization })).to.deep.equal(is('organization', below))
    expect(await meaning({ id: internalOrganizations })).to.deep.equal(is('id', own, below, bottom))
    expect(await meaning({ account: trustedAccounts })).to.deep.equal(is('account', 'globex'))
    expect(await meaning({ at: compared('<', now) })).to.deep.equal({ path: ['at'], op: '<', values: ['2026-11-21T09:30:00Z'] })
    expect(await meaning({ at: compared('>', sixMonthsAgo) })).to.deep.equal({
      path: ['at'],
      op: '>',
      values: ['2026-05-21T09:30:00Z'],
    })
    expect(await meaning({ keeper: not(me, null) })).to.deep.equal({ path: ['keeper'], op: 'not in', values: [staff, null] })
    expect(await meaning(anyOf({ keeper: me }, { name: 'x' }))).to.deep.equal({ any: [is('keeper', staff), is('name', 'x')] })
    const nobody = await house.system()
    expect(await house.scope.resolve(nobody, criterionOf({ keeper: me }))).to.deep.equal(is('keeper'))
    await house.accounts.put({ id: 'acme', name: 'ACME', organizationId: null })
  })

  it('comes back from half a year ago by the calendar', async () => {
    const monthsAgo = async (at: string) => {
      house.clock.set(at)
      const criterion = await house.scope.resolve(await house.by(user), criterionOf({ at: compared('>', sixMonthsAgo) }))
      return 'values' in criterion ? criterion.values[0] : null
    }
    expect(await monthsAgo('2026-01-15T00:00:00Z')).to.equal('2025-07-15T00:00:00Z')
    expect(await monthsAgo('2026-08-31T12:00:00Z')).to.equal('2026-02-28T12:00:00Z')
    house.clock.set('2026-11-21T09:30:00Z')
  })
})

describe('what a call sees with the say of the host', () => {
  let answer: ScopeHook = (_, decide) => decide()
  const house = withHouse({ scope: (question, decide) => answer(question, decide), hookMs: 200 })
  let agent = 0
  before(async () => {
    agent = await house.addPerson('Aart Agent', ['specialist'])
    for (const name of ['North', 'South']) await house.add('site', { name, city: name })
  })
  const sites = async () =>
    (await house.operations.list(await house.by(agent), 'site', { parameters: [] })).items.map((one) => one['name'])

  it('is what the host adds to, or puts in the place of, our own answer', async () => {
    answer = ({ type, call }, decide) =>
      type === 'site' && call.actor?.id === agent
        ? { all: [decide(), { path: ['city'], op: 'in', values: ['North'] }] }
        : decide()
    expect(await sites()).to.deep.equal(['North'])
    expect((await errorOf(house.operations.read(await house.by(agent), 'site', 2))).name).to.equal('NotFound')
    answer = (_, decide) => decide()
    expect(await sites()).to.deep.equal(['North', 'South'])
  })

  it('does not bind the service itself', async () => {
    answer = () => ({ any: [] })
    expect(await sites()).to.deep.equal([])
    expect((await house.operations.list(await house.system(), 'site', { parameters: [] })).items).to.have.length(2)
  })

  it('is a condition as lists have it, which may come later', async () => {
    const wanted: readonly (readonly [answer: (decide: () => Criterion) => Restriction, names: readonly string[]])[] = [
      [() => ({ city: 'North' }), ['North']],
      [(decide) => allOf(decide(), { city: not('North') }), ['South']],
      [(decide) => ({ allOf: [decide(), anyOf({ city: 'North' }, { name: 'South' })] }), ['North', 'South']],
      [(decide) => ({ all: [decide(), { city: ['North', 'West'] }] }), ['North']],
      [() => ({ any: [{ city: 'East' }, { path: ['city'], op: 'in', values: ['South'] }] }), ['South']],
      [() => anyOf(), []],
    ]
    for (const [make, names] of wanted) {
      answer = (_, decide) => make(decide)
      expect(await sites()).to.deep.equal(names)
      answer = async (_, decide) => {
        await new Promise((resolve) => setTimeout(resolve, 1))
        return make(decide)
      }
      expect(await sites()).to.deep.equal(names)
    }
  })

  it('knows the words and the paths of lists', async () => {
    const team = await house.add('team', { name: 'Desk', member_ids: [agent] })
    const other = await house.add('team', { name: 'Others' })
    const service = await house.add('service', { name: 'Email', provider_id: await house.add('organization', { name: 'Own' }) })
    const person = { requested_by_id: agent, requested_for_id: agent, category: 'rfi' }
    const ours = await house.add('request', { ...person, subject: 'ours', team_id: team })
    const instance = await house.add('service_instance', { name: 'Email', service_id: service, support_team_id: team })
    const theirs = await house.add('request', { ...person, subject: 'theirs', team_id: other, service_instance_id: instance })
    const ids = async (condition: Restriction) => {
      answer = async ({ type }, decide) => (type === 'request' ? allOf(decide(), condition) : decide())
      const { items } = await house.operations.list(await house.by(agent), 'request', { parameters: [['sort', 'id']] })
      return items.map(({ id }) => id)
    }
    expect(await ids({ team: myTeams })).to.deep.equal([ours])
    expect(await ids({ requested_by: me })).to.deep.equal([ours, theirs])
    expect(await ids({ requested_by: not(me) })).to.deep.equal([])
    expect(await ids({ 'team.members': me })).to.deep.equal([ours])
    expect(await ids({ 'service_instance.service.name': 'Email' })).to.deep.equal([theirs])
    expect(await ids({ created_at: compared('<', now), status: not('completed', 'declined') })).to.deep.equal([])
    expect(await ids({ account: 'acme', service_instance: null })).to.deep.equal([ours])
  })

  it('is an error when the host changes our own answer in place, which other calls have, too', async () => {
    answer = (_, decide) => {
      const ours = decide() as { all: Criterion[] }
      ours.all.push({ path: ['city'], op: 'in', values: ['North'] })
      return ours
    }
    const error = await errorOf(sites())
    expect(error).to.be.instanceOf(HookFailed)
    expect(error.message).to.match(/^The host's scope for site failed: .* not extensible/)
    answer = (_, decide) => decide()
    expect(await sites()).to.deep.equal(['North', 'South'])
  })

  it('is an error when it is no condition, or when the host fails', async () => {
    for (const wrong of [undefined, null, true, 'city = North', [], [{ city: 'North' }], {}, { allOf: [] }, { all: [] }]) {
      for (const hook of [() => wrong as never, async () => wrong as never]) {
        answer = hook
        const error = await errorOf(sites())
        expect(error).to.be.instanceOf(HookFailed)
        expect(error.message).to.match(/^The host's scope for site failed: it must return a condition, not /)
      }
    }
    answer = () => {
      throw new Error('no directory')
    }
    expect((await errorOf(sites())).message).to.equal("The host's scope for site failed: no directory")
    answer = () => new Promise(() => {})
    const late = await errorOf(sites())
    expect(late).to.be.instanceOf(TimedOut)
    expect((late.cause as Error).message).to.equal("The host's scope for site failed: no answer within 200 ms")
  })

  it('is an error that names the path or the value which the type does not have', async () => {
    const said = async (type: string, wrong: object) => {
      answer = (question, decide) => (question.type === type ? { allOf: [decide(), wrong as Restriction] } : decide())
      const error = await errorOf(house.operations.list(await house.by(agent), type, { parameters: [] }))
      expect(error).to.be.instanceOf(HookFailed)
      return error.message.replace(`The host's scope for ${type} failed: `, '')
    }
    expect(await said('site', { ciyt: 'North' })).to.equal("'ciyt': site has no field 'ciyt'; did you mean 'city'?")
    expect(await said('request', { 'team.nme': 'x' })).to.equal("'team.nme': team has no field 'nme'; did you mean 'name'?")
    expect(await said('request', { 'status.name': 'x' })).to.equal("'status.name': 'status' is not a reference")
    expect(await said('request', { status: 'opne' })).to.equal("'status': 'opne' is not among the values")
    expect(await said('request', { status: not('complete') })).to.equal(
      "'status': 'complete' is not among the values; did you mean 'completed'?",
    )
    expect(await said('request', { note: 'x' })).to.equal("'note': 'note' is not stored")
    expect(await said('request', { team: 'Desk' })).to.equal("'team': 'Desk' is not a number")
    expect(await said('request', { team: me })).to.equal("'team': me must be compared with a person, not with a team")
    expect(await said('request', { team: undefined })).to.equal("'team': undefined is not a number")
    expect(await said('request', { team: { in: [1] } })).to.equal("'team': an object is not a value")
    expect(await said('request', { urgent: 'yes' })).to.equal("'urgent': 'yes' is not true or false")
    expect(await said('request', { created_at: compared('<', 'soon') })).to.include("'created_at': 'soon' is not a time in UTC")
    expect(await said('request', { 'team.members': 'Ada' })).to.equal("'team.members': 'Ada' is not a number")
    expect(await said('request', { team: not(undefined as never), urgent: 1 })).to.equal(
      "'team': undefined is not a number, 'urgent': 1 is not true or false",
    )
    expect(await said('site', { path: ['city'], op: 'like', values: ['N%'] })).to.equal("'city': there is no comparison 'like'")
    expect(await said('site', { path: ['1 = 1 or city'], op: 'in', values: [] })).to.include(
      "site has no field '1 = 1 or city'",
    )
    expect(await said('site', { path: ['city'], op: 'in', values: 'North' })).to.equal(
      "'city': 'North' is not a list of values",
    )
    expect(await said('site', { owner: 'person', where: { city: 'x' } })).to.equal("site is not a sub-record of 'person'")
    expect(await said('site', { linkedBy: { table: 'itsm_accounts', from: 'id', to: 'id' }, id: 1 })).to.equal(
      'linkedBy: no such link leads to site',
    )
  })

  it('shows more within the account of the call, and in trusted ones where it names accounts', async () => {
    const user = await house.addPerson('Uri User')
    // As they are stored: what changes need besides is no matter here.
    const change = async (subject: string, account_id: string) => {
      const { knex } = house.storage
      const [id] = await knex(house.storage.table('changes')).insert({ account_id, subject, category: 'emergency' })
      return Number(id)
    }
    const [ours, theirs] = [await change('ours', 'acme'), await change('theirs', 'globex')]
    const shown = async (given: () => Criterion | Restriction) => {
      answer = ({ type }, decide) => (type === 'change' ? anyOf(decide(), given()) : decide())
      const call = await house.by(user)
      const { items } = await house.operations.list(call, 'change', { parameters: [['fields', 'subject']] })
      const references = await house.operations.refer(call, 'change', [ours, theirs])
      return [items.map((one) => one['subject']), references.map((one) => one['subject'] ?? null)]
    }
    expect(await shown(() => anyOf())).to.deep.equal([[], [null, null]])
    expect(await shown(() => ({ category: 'emergency' }))).to.deep.equal([['ours'], ['ours', null]])
    expect(await shown(() => ({ category: 'emergency', account: trustedAccounts }))).to.deep.equal([[], [null, 'theirs']])
    // Without our own restriction, the answer narrows it for other accounts.
    answer = ({ type }, decide) => (type === 'change' ? { category: 'emergency' } : decide())
    const call = await house.by(user)
    const references = await house.operations.refer(call, 'change', [ours, theirs])
    expect(references.map((one) => one['subject'] ?? null)).to.deep.equal(['ours', null])
  })

  it('makes ids of hidden records unknown ones, before rules look at what they lead to', async () => {
    const manager = await house.addPerson('Pia Problems', ['problem_manager', 'specialist'])
    const team = await house.add('team', { name: 'Fixers', member_ids: [manager] })
    const provider = await house.add('organization', { name: 'Provider' })
    const hidden = await house.add('service', { name: 'Hidden', provider_id: provider, support_team_id: team })
    const person = await house.addPerson('Ona', [], { organization_id: provider })
    answer = ({ type }, decide) => {
      if (type === 'service') return allOf(decide(), { name: not('Hidden') })
      return type === 'organization' ? allOf(decide(), { name: not('Provider') }) : decide()
    }
    const refused = async (id: number, more: object = {}) => {
      const body = { subject: 'It', impact: 'low', category: 'reactive', manager_id: manager, service_id: id, ...more }
      const error = await errorOf(house.operations.save(await house.by(manager), 'problem', null, body))
      return (error as Invalid).violations
    }
    // The team of a service that is found would have been filled in.
    expect(await refused(987_654)).to.deep.equal([
      ['service', 'cannot_be_found'],
      ['team', 'blank'],
    ])
    expect(await refused(hidden)).to.deep.equal(await refused(987_654))
    expect(await refused(hidden, { team_id: team })).to.deep.equal([['service', 'cannot_be_found']])
    // What the plugin itself takes over may be hidden: the organization of the person, and the team that the request had.
    const body = { subject: 'It', category: 'other', team_id: team, requested_by_id: person, requested_for_id: person }
    const request = await house.operations.save(await house.by(manager), 'request', null, body)
    expect(request['organization_id']).to.equal(provider)
  })

  it('hides texts that stand for hidden records: they are not shown, not found and no order', async () => {
    const add = (name: string) => house.add('product_category', { group: 'Hardware', name, rule_set: 'physical_asset' })
    const [laptop, phone] = [await add('Laptop'), await add('Phone')]
    for (const [category_id, model] of [[laptop, 'L'] as const, [phone, 'P'] as const])
      await house.add('product', { brand: 'Lumen', model, category_id })
    answer = ({ type }, decide) => (type === 'product_category' ? allOf(decide(), { id: not(phone) }) : decide())
    const products = async (...parameters: (readonly [string, string])[]) => {
      const { items } = await house.operations.list(await house.by(agent), 'product', {
        parameters: [['fields', 'model,category'], ['sort', 'id'], ...parameters],
      })
      return items.map(({ model, category }) => `${model} ${category}`)
    }
    expect(await products()).to.deep.equal(['L hardware/laptop', 'P null'])
    expect(await products(['category', 'hardware/phone'])).to.deep.equal([])
    expect(await products(['category', 'hardware/laptop'])).to.deep.equal(['L hardware/laptop'])
    expect(await products(['category', '!hardware/phone'])).to.deep.equal(['L hardware/laptop', 'P null'])
    expect(await products(['category_id', String(phone)])).to.deep.equal(['P null'])
  })

  it('hides sub-records in the record that shows them, too', async () => {
    const body = {
      name: 'Cleo',
      primary_email: 'cleo@acme.example',
      contacts_attributes: [{ label: 'home', telephone: '5551234' }],
    }
    const person = await house.add('person', body)
    const contacts = async () => {
      const record = await house.operations.read(await house.by(agent), 'person', person)
      return (record['contacts'] as readonly { readonly label: string }[]).map(({ label }) => label)
    }
    answer = (_, decide) => decide()
    expect(await contacts()).to.deep.equal(['home'])
    await house.operations.save(await house.system(), 'person', person, {
      job_title: 'Clerk',
      contacts_attributes: [{ label: 'work', telephone: '5559876' }],
    })
    const changed = async () => {
      const within = { type: 'person', id: person, path: 'audit' }
      const { items } = await house.operations.list(await house.by(agent), 'audit_line', { parameters: [], within })
      return Object.keys(items[0]?.['changes'] ?? {})
    }
    expect(await changed()).to.have.members(['job_title', 'contacts'])
    answer = ({ type }, decide) => (type === 'contact' ? allOf(decide(), { label: not('home') }) : decide())
    expect(await contacts()).to.deep.equal(['work'])
    // Lines hold copies, of which it is unknown which records they are of.
    expect(await changed()).to.deep.equal(['job_title'])
  })

  it('makes a hidden record that is linked one that is not: it cannot be unlinked', async () => {
    const [shown, hidden] = [await house.addPerson('Sue Shown'), await house.addPerson('Hal Hidden')]
    const admin = await house.addPerson('Ali Admin', ['account_administrator'])
    const team = await house.add('team', { name: 'Half seen', member_ids: [shown, hidden] })
    answer = ({ type }, decide) => (type === 'person' ? allOf(decide(), { name: not('Hal Hidden') }) : decide())
    const unlink = async (id: number) =>
      house.operations.unlink(await house.by(admin), { type: 'team', id: team }, 'members', id)
    expect((await errorOf(unlink(hidden))).name).to.equal('NotFound')
    await unlink(shown)
    await house.operations.unlinkAll(await house.by(admin), { type: 'team', id: team }, 'members')
  })

  it('is asked once for each type in a call, however much the call reads', async () => {
    const asked: string[] = []
    answer = async ({ type }, decide) => {
      asked.push(type)
      return decide()
    }
    const call = await house.by(agent)
    const list = async () => house.operations.list(call, 'request', { parameters: [['sort', 'team']] })
    await list()
    const once = asked.length
    expect(new Set(asked).has('request')).to.equal(true)
    await list()
    expect(asked.length).to.equal(once)
    expect(Math.max(...[...new Set(asked)].map((type) => asked.filter((one) => one === type).length))).to.be.at.most(3)
  })
})
