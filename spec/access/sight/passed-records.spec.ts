import { expect } from 'chai'
import { errorOf, refusalOf, withHouse } from '../../support/house.js'

/** Acme has passed a request to a team of globex, which it trusts; umbrella is a stranger. */
describe('records that are passed to a provider', () => {
  const house = withHouse()
  const ids: Record<string, number> = {}
  const id = (name: string) => ids[name] ?? 0
  const by = (name: string, accountId?: string) => house.by(id(name), accountId === undefined ? {} : { accountId })
  const person = async (name: string, account: string, ...roles: Parameters<typeof house.permissions.add>[3][]) => {
    ids[name] = await house.add('person', { name, primary_email: `${name}@${account}.example` }, { account })
    if (roles[0]) await house.permissions.add(await house.system(account), id(name), account, roles[0])
  }
  const outcome = async (work: Promise<unknown>) =>
    work.then(
      () => 'ok',
      (error: Error) => error.name,
    )

  before(async () => {
    await person('ada', 'acme', ['specialist'])
    await person('audrey', 'acme', ['auditor'])
    await person('end', 'acme')
    await person('gil', 'globex', ['specialist'])
    await person('gus', 'globex', ['specialist'])
    await person('gwen', 'globex', ['auditor'])
    await person('gina', 'globex')
    await person('gary', 'globex')
    await person('uma', 'umbrella', ['specialist'])
    ids['ours'] = await house.add('team', { name: 'Desk', member_ids: [id('ada')] })
    ids['theirs'] = await house.add('team', { name: 'Network', member_ids: [id('gil'), id('gina')] }, { account: 'globex' })
    const request = { category: 'other', requested_by_id: id('end') }
    ids['passed'] = await house.add('request', { ...request, subject: 'Passed', team_id: id('theirs') })
    ids['kept'] = await house.add('request', { ...request, subject: 'Kept', team_id: id('ours') })
    ids['asked'] = await house.add('request', {
      ...request,
      subject: 'Asked',
      team_id: id('ours'),
      requested_for_id: id('gary'),
    })
  })
  afterEach(() => house.accounts.trust('acme', 'globex'))

  it('are seen by people of its team, and by its people who see all requests of their own account', async () => {
    const seen = async (name: string) => {
      const found: string[] = []
      for (const record of ['passed', 'kept', 'asked']) {
        if ((await outcome(house.operations.read(await by(name), 'request', id(record)))) === 'ok') found.push(record)
      }
      return found
    }
    expect(await seen('gil')).to.deep.equal(['passed', 'asked'])
    expect(await seen('gus')).to.deep.equal(['passed', 'asked'])
    expect(await seen('gwen')).to.deep.equal(['passed', 'asked'])
    expect(await seen('gina')).to.deep.equal(['passed'])
    expect(await seen('gary')).to.deep.equal(['asked'])
    expect(await seen('uma')).to.deep.equal([])
    expect(await seen('ada')).to.deep.equal(['passed', 'kept', 'asked'])
  })

  it('carry their account, and refer to records with theirs', async () => {
    const shown = await house.operations.read(await by('gus'), 'request', id('passed'))
    expect(shown).to.deep.include({
      subject: 'Passed',
      account: { id: 'acme', name: 'ACME' },
      team: { id: id('theirs'), name: 'Network' },
    })
    expect(shown['requested_by']).to.deep.equal({ id: id('end'), name: 'end', account: { id: 'acme', name: 'ACME' } })
    const atHome = await house.operations.read(await by('ada'), 'request', id('passed'))
    expect(atHome).to.not.have.property('account')
    expect(atHome['team']).to.deep.equal({ id: id('theirs'), name: 'Network', account: { id: 'globex', name: 'GLOBEX' } })
  })

  it('are not in the collections of the provider, except in lists about the caller', async () => {
    const listed = async (name: string, list?: string, parameters: [string, string][] = []) => {
      const page = await house.operations.list(await by(name), 'request', { parameters, ...(list ? { list } : {}) })
      expect(page.totalEntries).to.equal(page.items.length)
      return page.items.map((one) => `${one['subject']} ${(one['account'] as { id: string } | undefined)?.id ?? 'own'}`)
    }
    expect(await listed('gil')).to.deep.equal([])
    expect(await listed('gil', 'open')).to.deep.equal([])
    expect(await listed('gil', 'assigned_to_my_team')).to.deep.equal(['Passed acme'])
    expect(await listed('gil', undefined, [['state', 'assigned_to_my_team']])).to.deep.equal(['Passed acme'])
    expect(await listed('gil', 'open', [['state', 'assigned_to_my_team']])).to.deep.equal(['Passed acme'])
    expect(await listed('gil', 'completed', [['state', 'assigned_to_my_team']])).to.deep.equal([])
    expect(await listed('gus', 'assigned_to_my_team')).to.deep.equal([])
    expect(await listed('gary', 'requested_by_or_for_me')).to.deep.equal(['Asked acme'])
    expect(await listed('ada', 'assigned_to_my_team')).to.deep.equal(['Asked own', 'Kept own'])
  })

  it('are worked on by specialists there, as far as they were assigned, by the rules of their account', async () => {
    const change = async (name: string, record: string, body: object, accountId?: string) =>
      outcome(house.operations.submit(await by(name, accountId), 'request', { id: id(record), body }))
    expect(await change('gus', 'passed', { member_id: id('gil'), status: 'accepted' })).to.equal('ok')
    expect(await change('gus', 'asked', { status: 'accepted' })).to.equal('Forbidden')
    expect(await change('gus', 'kept', { status: 'accepted' })).to.equal('NotFound')
    expect(await change('gwen', 'passed', { subject: 'Audited' })).to.equal('Forbidden')
    expect(await change('gina', 'passed', { subject: 'Mine' })).to.equal('Forbidden')
    expect(await change('gary', 'asked', { note: 'Any news?' })).to.equal('ok')
    expect(await change('gary', 'asked', { subject: 'More news' })).to.equal('Forbidden')
    expect(await change('uma', 'passed', { note: 'Me too' })).to.equal('NotFound')
    const saved = await house.operations.submit(await by('gus'), 'request', {
      id: id('passed'),
      body: { subject: 'Passed on', source: 'mine', addressed: true },
    })
    expect([...saved.ignored].sort()).to.deep.equal(['addressed', 'source'])
    expect(saved.row).to.include({ account_id: 'acme', status: 'accepted', member_id: id('gil'), subject: 'Passed on' })
    const lines = (await house.table('audit_lines')).filter((one) => one['owner_type'] === 'request')
    expect([...new Set(lines.map((one) => one['account_id']))]).to.deep.equal(['acme'])
    // A person with roles in that account has them only with the header.
    await house.permissions.add(await house.system(), id('gwen'), 'acme', ['specialist'])
    expect(await change('gwen', 'kept', { subject: 'Kept on' })).to.equal('NotFound')
    expect(await change('gwen', 'passed', { subject: 'Audited' })).to.equal('Forbidden')
    expect(await change('gwen', 'kept', { subject: 'Kept' }, 'acme')).to.equal('ok')
    expect(await change('gwen', 'passed', { subject: 'Passed' }, 'acme')).to.equal('ok')
    await house.permissions.revoke(await house.system(), id('gwen'), 'acme', null)
  })

  it('do not lead to further accounts that their account trusts', async () => {
    const change = async (name: string, body: object) =>
      refusalOf(house.operations.submit(await by(name), 'request', { id: id('passed'), body }))
    const team = await house.add('team', { name: 'Strangers', member_ids: [id('uma')] }, { account: 'umbrella' })
    await house.accounts.trust('acme', 'umbrella')
    expect(await change('gus', { team_id: team, member_id: id('uma') })).to.deep.equal([
      ['team', 'cannot_be_found'],
      ['member', 'cannot_be_found'],
    ])
    expect(await change('gus', { requested_for_id: id('uma') })).to.deep.equal([['requested_for', 'cannot_be_found']])
    const both = { requested_for_id: id('end'), member_id: id('gil') }
    await house.operations.submit(await by('gus'), 'request', { id: id('passed'), body: both })
    await house.accounts.trust('globex', 'umbrella')
    await house.operations.submit(await by('gus'), 'request', { id: id('passed'), body: { requested_for_id: id('uma') } })
    await house.operations.submit(await by('gus'), 'request', { id: id('passed'), body: both })
    await house.accounts.distrust('globex', 'umbrella')
    await house.accounts.distrust('acme', 'umbrella')
  })

  it('have internal notes of each account that the other one does not see', async () => {
    const add = async (name: string, body: object) =>
      house.operations.submit(await by(name), 'note', { id: null, body, owner: { type: 'request', id: id('passed') } })
    await add('ada', { text: 'Acme, public' })
    await add('ada', { text: 'Acme, internal', internal: true })
    await add('gus', { text: 'Globex, public' })
    await add('gus', { text: 'Globex, internal', internal: true })
    const ignored = await add('gina', { text: 'Gina', internal: true })
    expect(ignored.ignored).to.deep.equal(['internal'])
    await house.operations.submit(await by('gil'), 'request', { id: id('passed'), body: { internal_note: 'Globex, by field' } })
    const notes = async (name: string, list?: string, accountId?: string) => {
      const within = { type: 'request', id: id('passed'), path: 'notes' }
      const call = await by(name, accountId)
      const page = await house.operations.list(call, 'note', { parameters: [], within, ...(list ? { list } : {}) })
      expect(page.totalEntries).to.equal(page.items.length)
      for (const { id: note } of page.items)
        await house.operations.read(call, 'note', Number(note), { type: 'request', id: id('passed') })
      return page.items.map((one) => one['text'])
    }
    const open = ['Acme, public', 'Globex, public', 'Gina']
    expect(await notes('ada')).to.deep.equal(['Acme, public', 'Acme, internal', 'Globex, public', 'Gina'])
    expect(await notes('audrey', 'internal')).to.deep.equal(['Acme, internal'])
    expect(await notes('end')).to.deep.equal(open)
    expect(await notes('gus')).to.deep.equal(['Acme, public', 'Globex, public', 'Globex, internal', 'Gina', 'Globex, by field'])
    expect(await notes('gwen', 'internal')).to.deep.equal(['Globex, internal', 'Globex, by field'])
    expect(await notes('gwen', 'public')).to.deep.equal(open)
    expect(await notes('gina')).to.deep.equal(open)
    expect(await outcome(notes('uma'))).to.equal('NotFound')
    // The account of the request has its own; who acts there sees those, and not those of the other account.
    await house.permissions.add(await house.system(), id('gus'), 'acme', ['auditor'])
    expect(await notes('gus', 'internal', 'acme')).to.deep.equal(['Acme, internal'])
    await house.permissions.revoke(await house.system(), id('gus'), 'acme', null)
    const all = async (name: string) =>
      (await house.operations.list(await by(name), 'note', { parameters: [] })).items.map((one) => one['text'])
    expect(await all('ada')).to.not.include('Globex, internal')
    expect(await all('gary')).to.deep.equal([])
  })

  it('have an internal note that names its account on both sides', async () => {
    const call = await by('gus')
    const within = { type: 'request', id: id('passed'), path: 'notes' }
    const { items } = await house.operations.list(call, 'note', { parameters: [], within, list: 'internal' })
    const globex = { id: 'globex', name: 'GLOBEX' }
    expect(items.map((one) => one['account'])).to.deep.equal([globex, globex])
  })

  it('show no audit lines there, and nothing that was not passed', async () => {
    const within = (path: string) => ({ parameters: [], within: { type: 'request', id: id('passed'), path } })
    const call = await by('gus')
    expect((await errorOf(house.operations.list(call, 'audit_line', within('audit')))).name).to.equal('Forbidden')
    await house.operations.save(await house.system(), 'request', id('kept'), {}, undefined)
    await house.storage
      .knex(house.storage.table('requests'))
      .where({ id: id('kept') })
      .update({ grouped_into_id: id('passed') })
    expect((await house.operations.list(call, 'request', within('grouped_requests'))).items).to.deep.equal([])
    await house.storage
      .knex(house.storage.table('requests'))
      .where({ id: id('kept') })
      .update({ grouped_into_id: null })
    expect(await outcome(house.operations.link(call, { type: 'request', id: id('kept') }, 'cis', 1))).to.equal('NotFound')
  })

  it('move what they are part of: tasks and approvals of a provider complete the change', async () => {
    const { storage, operations } = house
    // As they are stored: what changes and tasks need besides is no matter here.
    const insert = async (table: string, row: object): Promise<number> => {
      const [made] = await storage.knex(storage.table(table)).insert({ account_id: 'acme', ...row })
      return Number(made)
    }
    const change = await insert('changes', {
      subject: 'C',
      category: 'emergency',
      status: 'implementation',
      manager_id: id('ada'),
    })
    const of = { change_id: change, status: 'assigned', planned_duration: 1 }
    const work = { subject: 'Do', category: 'implementation', team_id: id('theirs'), member_id: id('gil') }
    const task = await insert('tasks', { ...of, ...work })
    const agree = await insert('tasks', { ...of, subject: 'Agree', category: 'approval', required_approvals: 1 })
    const owner = { type: 'task', id: agree }
    const approver = { owner_type: 'task', owner_id: agree, approver_id: id('gary'), status: 'assigned' }
    const approval = await insert('task_approvals', approver)
    const listed = await operations.list(await by('gary'), 'task', { parameters: [], list: 'approval_by_me' })
    expect(listed.items.map((one) => one['subject'])).to.deep.equal(['Agree'])
    expect(await outcome(operations.read(await by('gary'), 'task', task))).to.equal('NotFound')
    expect(await outcome(operations.read(await by('gil'), 'change', change))).to.equal('NotFound')
    const approve = async (name: string) =>
      outcome(operations.submit(await by(name), 'task_approval', { id: approval, owner, body: { status: 'approved' } }))
    expect(await approve('gina')).to.equal('NotFound')
    expect(await approve('gary')).to.equal('ok')
    await operations.submit(await by('gil'), 'task', { id: task, body: { status: 'completed' } })
    expect([(await house.row('task', agree))?.['status'], (await house.row('change', change))?.['status']]).to.deep.equal([
      'approved',
      'completed',
    ])
  })

  it('keep the links to records that were not passed', async () => {
    const { storage, operations } = house
    const of = { account_id: 'acme', change_id: 1, status: 'registered', planned_duration: 1, category: 'implementation' }
    const insert = async (subject: string, team: string): Promise<number> => {
      const [made] = await storage.knex(storage.table('tasks')).insert({ ...of, subject, team_id: id(team) })
      return Number(made)
    }
    const [task, seen, unseen] = [await insert('T', 'theirs'), await insert('Seen', 'theirs'), await insert('Unseen', 'ours')]
    const links = () => storage.knex(storage.table('task_predecessors')).where({ task_id: task })
    const add = async () => {
      await links().delete()
      for (const predecessor_id of [seen, unseen])
        await storage.knex(storage.table('task_predecessors')).insert({ task_id: task, predecessor_id })
    }
    const left = async () => (await links()).map((one: { predecessor_id: unknown }) => Number(one.predecessor_id))
    const call = await by('gina')
    await add()
    await operations.submit(call, 'task', { id: task, body: { predecessor_ids: [] } })
    expect(await left()).to.deep.equal([unseen])
    await add()
    await operations.unlinkAll(call, { type: 'task', id: task }, 'predecessors')
    expect(await left()).to.deep.equal([unseen])
    expect(await outcome(operations.unlink(call, { type: 'task', id: task }, 'predecessors', unseen))).to.equal('NotFound')
  })

  it('are unknown once trust has ended, or once they were taken back', async () => {
    const read = async (name: string) => outcome(house.operations.read(await by(name), 'request', id('passed')))
    expect(await read('gil')).to.equal('ok')
    await house.accounts.distrust('globex', 'acme')
    expect(await read('gil')).to.equal('NotFound')
    const { items } = await house.operations.list(await by('gil'), 'request', { parameters: [], list: 'assigned_to_my_team' })
    expect(items).to.deep.equal([])
    // Acme still has its request, which can be changed, and passed to nobody else there.
    const change = async (body: object) =>
      outcome(house.operations.submit(await by('ada'), 'request', { id: id('passed'), body }))
    expect(await change({ subject: 'Alone' })).to.equal('ok')
    expect(await change({ member_id: id('gus') })).to.equal('Invalid')
    await house.accounts.trust('globex', 'acme')
    expect(await read('gil')).to.equal('ok')
    expect(await change({ team_id: id('ours'), member_id: null })).to.equal('ok')
    expect([await read('gil'), await read('gus')]).to.deep.equal(['NotFound', 'NotFound'])
  })

  it('are unknown in the same way as ids that do not exist', async () => {
    const counts: number[] = []
    for (const wanted of [999_999, id('kept')]) {
      const call = await by('gus')
      let statements = 0
      const count = () => {
        statements += 1
      }
      house.storage.knex.on('query', count)
      const error = await errorOf(house.operations.read(call, 'request', wanted))
      house.storage.knex.removeListener('query', count)
      expect(error.name).to.equal('NotFound')
      counts.push(statements)
    }
    expect(counts[0]).to.equal(counts[1])
    expect(counts[0]).to.be.at.most(3)
  })
})
