import { expect } from 'chai'
import type { ScopeHook } from '../../../plugin/access/sight/ask-scope.js'
import { AMBIGUOUS } from '../../../plugin/operations/contract.js'
import { refusalOf, withHouse } from '../../support/house.js'

describe('references to other records', () => {
  /** The host hides the people of one site. */
  const scope: ScopeHook = ({ type }, decide) =>
    type === 'person' ? { all: [decide(), { path: ['location'], op: 'not in', values: ['cellar'] }] } : decide()
  const house = withHouse({ scope })
  let admin = 0
  let team = 0
  let counter = 0

  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator', 'specialist'])
    team = await house.add('team', { name: 'Desk' })
  })
  const site = async (more: object) => house.add('person', { name: 'P', primary_email: `p${++counter}@acme.example`, ...more })
  const request = async (by: number, more: object) =>
    house.operations.save(await house.by(by), 'request', null, { subject: 's', category: 'other', team_id: team, ...more })

  it('are taken as id, as text of digits, and as object with an id', async () => {
    const id = await house.add('site', { name: 'Here' })
    for (const body of [{ site_id: id }, { site_id: String(id) }, { site: { id } }, { site: { id: String(id), name: 'x' } }]) {
      expect(await house.row('person', await site(body))).to.include({ site_id: id })
    }
    for (const bare of [id, String(id), { id, name: 'Elsewhere', colour: 'red', owner: { id: 4 } }])
      expect(await house.row('person', await site({ site: bare }))).to.include({ site_id: id })
    // The form with _id wins.
    expect(await house.row('person', await site({ site_id: null, site: { id } }))).to.include({ site_id: null })
    for (const nothing of [{ site: null }, { site: '' }, { site_id: ' ' }, { site: undefined }])
      expect(await house.row('person', await site(nothing))).to.include({ site_id: null })
  })

  it('that are undefined in a body of the host stay as they are', async () => {
    const here = await house.add('site', { name: 'Undefined' })
    const id = await site({ site_id: here })
    await house.operations.save(await house.system(), 'person', id, { site: undefined, location: 'x' })
    expect(await house.row('person', id)).to.include({ site_id: here, location: 'x' })
  })

  it('to records that are not there are refused under the name of the field', async () => {
    for (const wrong of [
      99_999,
      '99999',
      0,
      -4,
      1.5,
      'Here',
      'h@a.example',
      true,
      false,
      {},
      [],
      [1],
      { id: null },
      { id: {} },
      2 ** 53,
      '9007199254740993',
      1e300,
    ]) {
      expect(await refusalOf(site({ site_id: wrong })), JSON.stringify(wrong)).to.deep.equal([['site', 'cannot_be_found']])
      expect(await refusalOf(site({ site: wrong })), JSON.stringify(wrong)).to.deep.equal([['site', 'cannot_be_found']])
    }
  })

  it('to another type of record with such an id are refused too', async () => {
    const only = await house.add('calendar', { name: 'Only a calendar' })
    const gone = await refusalOf(house.add('team', { name: 'T', work_hours_id: only + 1_000 }))
    expect(gone).to.deep.equal([['work_hours', 'cannot_be_found']])
  })

  it('reach into accounts with a trust relation and no further', async () => {
    const trusted = await house.add('site', { name: 'Trusted' }, { account: 'globex' })
    const foreign = await house.add('site', { name: 'Foreign' }, { account: 'umbrella' })
    expect(await house.row('person', await site({ site_id: trusted }))).to.include({ site_id: trusted })
    expect(await refusalOf(site({ site_id: foreign }))).to.deep.equal([['site', 'cannot_be_found']])
  })

  it('reach what roles open only in the accounts that the roles were given in', async () => {
    const theirs = 'globex'
    const team_id = await house.add('team', { name: 'Their desk' }, { account: theirs })
    const gil = await house.add('person', { name: 'Gil', primary_email: 'gil@globex.example' }, { account: theirs })
    const secret = Number((await request(gil, { team_id }))['id'])
    expect(await refusalOf(request(admin, { grouped_into_id: secret }))).to.deep.equal([['grouped_into', 'cannot_be_found']])

    const category = { name: 'Box', group: 'All', rule_set: 'physical_asset' }
    const category_id = await house.add('product_category', category, { account: theirs })
    const product_id = await house.add('product', { name: 'Box', brand: 'B', model: 'M', category_id }, { account: theirs })
    const box = { product_id, label: 'Box 1', status: 'in_stock', support_team_id: team_id }
    const ci = await house.add('ci', box, { account: theirs })
    const id = Number((await request(admin, {}))['id'])
    await house.operations.link(await house.system(), { type: 'request', id }, 'cis', ci)
    const listed = async () => {
      const page = await house.operations.list(await house.by(admin), 'ci', {
        parameters: [],
        within: { type: 'request', id, path: 'cis' },
      })
      return [page.totalEntries, page.items.map((item) => item['id'])]
    }
    expect(await listed()).to.deep.equal([0, []])

    await house.permissions.add(await house.system(theirs), admin, theirs, ['auditor'])
    // It is found now, and refused because groups belong to one account.
    expect(await refusalOf(request(admin, { grouped_into_id: secret }))).to.deep.equal([['grouped_into', 'not_a_group']])
    expect(await listed()).to.deep.equal([1, [ci]])
  })

  it('to disabled records are refused, unless they are there already', async () => {
    const id = await house.add('site', { name: 'Closing' })
    const person = await site({ site_id: id })
    await house.operations.save(await house.system(), 'site', id, { disabled: true })
    expect(await refusalOf(site({ site_id: id }))).to.deep.equal([['site', 'disabled_reference']])
    await house.operations.save(await house.system(), 'person', person, { site_id: id, job_title: 'Porter' })
    expect(await house.row('person', person)).to.include({ site_id: id, job_title: 'Porter' })
  })

  it('to the caller itself are always possible', async () => {
    const call = { ...(await house.by(admin, { accountId: 'acme' })), trusted: [] }
    const row = await house.operations.save(call, 'request', null, { subject: 's', category: 'other', team_id: team })
    expect(row).to.include({ created_by_id: admin, requested_by_id: admin, requested_for_id: admin })
  })

  it('to what the caller does not see are refused as if it were not there', async () => {
    const hidden = await house.addPerson('Hidden Henk', [], { location: 'cellar' })
    expect(await refusalOf(request(admin, { member_id: hidden }))).to.deep.equal([['member', 'cannot_be_found']])
    const user = await house.addPerson('Ulla User')
    const other = Number((await request(admin, {}))['id'])
    expect(await refusalOf(request(user, { grouped_into_id: other }))).to.deep.equal([['grouped_into', 'cannot_be_found']])
    expect(await request(admin, { grouped_into_id: other })).to.include({ grouping: 'grouped' })
    // Nor is anything else said of it: an archived article is not for her to know.
    const archived = { subject: 'Old', description: 'd', instructions: 'i', status: 'archived' }
    const knowledge_article_id = await house.add('knowledge_article', archived)
    const told = async (by: number) => refusalOf(request(by, { knowledge_article_id }))
    expect(await told(user)).to.deep.equal([['knowledge_article', 'cannot_be_found']])
    expect(await told(admin)).to.deep.equal([['knowledge_article', 'archived_reference']])
  })

  it('are found by a text without regard to case, and a text that several have names none', async () => {
    const template = (subject: string) =>
      house.add('project_task_template', { subject, category: 'activity', planned_duration: 1 })
    const [alone] = [await template('Paint the café'), await template('Hang the lamps'), await template('hang the LAMPS')]
    const texts = ['PAINT THE CAFÉ', 'Hang the lamps', 'Sweep']
    const found = await house.operations.findIds(await house.by(admin), 'project_task_template', 'subject', texts)
    expect([...found]).to.deep.equal([
      ['paint the café', alone],
      ['hang the lamps', AMBIGUOUS],
    ])
  })

  it('cost the same number of queries for two records and for fifty', async () => {
    const id = await house.add('site', { name: 'Counted' })
    const count = async (prefix: string, number: number) => {
      let queries = 0
      const counted = () => {
        queries += 1
      }
      const call = await house.system()
      const listened = house.storage.knex.client
      listened.on('query', counted)
      const items = Array.from({ length: number }, (_, index) => ({
        id: null,
        body: { name: 'N', primary_email: `${prefix}${index}@acme.example`, site_id: id, manager_id: admin },
      }))
      await house.operations.saveAll(call, 'person', items)
      listened.off('query', counted)
      return queries
    }
    const few = await count('two', 2)
    expect(few).to.be.greaterThan(3)
    expect(await count('fifty', 50)).to.equal(few)
  })
})
