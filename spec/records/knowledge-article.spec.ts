import { expect } from 'chai'
import type { Role } from '../../plugin/core/call.js'
import { NotFound } from '../../plugin/core/errors.js'
import { errorOf, withHouse } from '../support/house.js'

describe('a knowledge article', () => {
  const house = withHouse()
  /** Ids of the articles by account, status and service: `acme public`, `acme public of mail`. */
  const articles = new Map<string, number>()
  const people = new Map<string, number>()
  let organization = 0
  let agreement = 0

  before(async () => {
    const add = house.add
    organization = await add('organization', { name: 'Covered' })
    for (const account of ['acme', 'globex']) {
      const own = { account }
      const provider = await add('organization', { name: `Provider ${account}` }, own)
      const team = await add('team', { name: 'Desk' }, own)
      const service = await add('service', { name: 'Mail', provider_id: provider, support_team_id: team }, own)
      const offering = await add('service_offering', { name: 'Mail', service_id: service, status: 'available' }, own)
      const instance = { name: 'Mail 1', service_id: service, status: 'in_production', support_team_id: team }
      const manager = await add('person', { name: 'Lev', primary_email: `lev@${account}.example` }, own)
      await house.permissions.add(await house.system(account), manager, account, ['service_level_manager'])
      agreement = await add(
        'sla',
        {
          ...{ name: 'Mail', service_offering_id: offering, status: 'active', start_date: '2026-01-01' },
          ...{ service_level_manager_id: manager, service_instance_id: await add('service_instance', instance, own) },
          ...{ customer_id: organization, coverage: 'organizations', organization_ids: [organization] },
        },
        own,
      )
      for (const status of ['new', 'internal', 'public', 'archived']) {
        for (const [name, service_id] of [
          ['', null],
          [' of mail', service],
        ] as const) {
          const body = { subject: status, description: 'd', instructions: 'i', status, service_id }
          articles.set(`${account} ${status}${name}`, await add('knowledge_article', body, own))
        }
      }
    }
    const kinds: readonly (readonly [string, readonly Role[], object])[] = [
      ['covered', [], { organization_id: organization }],
      ['covered specialist', ['specialist'], { organization_id: organization }],
      ['anybody', [], {}],
      ['key contact', ['key_contact'], {}],
      ['specialist', ['specialist'], {}],
      ['knowledge manager', ['knowledge_manager'], {}],
      ['auditor', ['auditor'], {}],
    ]
    for (const [name, roles, more] of kinds) people.set(name, await house.addPerson(name, roles, more))
  })

  const seenBy = async (name: string) => {
    const call = await house.by(people.get(name) ?? 0)
    const listed = await house.operations.list(call, 'knowledge_article', { parameters: [] })
    const seen = new Set(listed.items.map((item) => (item as { id: number }).id))
    for (const id of articles.values()) {
      const read = house.operations.read(call, 'knowledge_article', id)
      if (seen.has(id)) expect(await read).to.include({ id })
      else expect(await errorOf(read)).to.be.instanceOf(NotFound)
    }
    return [...articles].flatMap(([article, id]) => (seen.has(id) ? [article] : []))
  }
  const of = (...statuses: readonly string[]) => statuses.flatMap((status) => [`acme ${status}`, `acme ${status} of mail`])

  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['anybody', ['acme public']],
    ['key contact', ['acme public']],
    ['covered', of('public')],
    ['covered specialist', of('internal', 'public', 'archived')],
    ['specialist', of('internal', 'public', 'archived')],
    ['knowledge manager', of('new', 'internal', 'public', 'archived')],
    ['auditor', of('new', 'internal', 'public', 'archived')],
  ]
  for (const [name, statuses] of cases)
    it(`shows by its status what ${name} may know`, async () => {
      expect(await seenBy(name)).to.have.members(statuses)
    })

  it('of a provider in another account is known to covered people, if their agreement says so', async () => {
    const share = async (use_knowledge_from_service_provider: boolean) =>
      house.operations.save(await house.system('globex'), 'sla', agreement, { use_knowledge_from_service_provider })
    await share(true)
    expect(await seenBy('covered')).to.have.members([...of('public'), 'globex public of mail'])
    expect(await seenBy('covered specialist'))
      .to.include('globex public of mail')
      .and.not.include('globex internal of mail')
    for (const name of ['anybody', 'specialist', 'auditor', 'knowledge manager'])
      expect(
        (await seenBy(name)).filter((article) => article.startsWith('globex')),
        name,
      ).to.deep.equal([])
    await share(false)
    expect(await seenBy('covered')).to.have.members(of('public'))
  })

  it('counts the requests that it was applied to last, whoever applies it at the same time', async () => {
    const agent = people.get('specialist') ?? 0
    const team = await house.add('team', { name: 'Counting' })
    const body = { subject: 's', category: 'other', requested_by_id: agent, team_id: team }
    const requests = await Promise.all(Array.from({ length: 6 }, () => house.add('request', body)))
    const [one, other] = [articles.get('acme public') ?? 0, articles.get('acme internal') ?? 0]
    const apply = async (id: number, knowledge_article_id: number | null) =>
      house.operations.save(await house.by(agent), 'request', id, { knowledge_article_id })
    const counts = async () =>
      Promise.all([one, other].map(async (id) => (await house.row('knowledge_article', id))?.['times_applied']))
    await Promise.all(requests.map((id) => apply(id, one)))
    expect(await counts()).to.deep.equal([6, 0])
    await Promise.all(requests.flatMap((id, index) => [apply(id, index % 2 ? null : other), apply(id, other)]))
    const applied = await Promise.all(requests.map(async (id) => (await house.row('request', id))?.['knowledge_article_id']))
    expect(await counts()).to.deep.equal([0, applied.filter((id) => id === other).length])
    await Promise.all(requests.map((id) => apply(id, null)))
    expect(await counts()).to.deep.equal([0, 0])
  })
})
