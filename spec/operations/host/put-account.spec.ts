import { expect } from 'chai'
import { createPlugin, type Plugin } from '../../../plugin/index.js'
import { withDatabase } from '../../support/database.js'
import { errorOf } from '../../support/house.js'
import { silent, TEST_SECRET } from '../../support/settings.js'

describe('accounts.put with a service desk', () => {
  const database = withDatabase()
  const plugins: Plugin[] = []

  const plugin = (before = {}): Plugin => {
    const common = { baseUrl: 'http://127.0.0.1:9/v1', allowInsecure: true, secret: TEST_SECRET, log: silent }
    const itsm = createPlugin({ ...common, database: { knex: database.lent }, before })
    plugins.push(itsm)
    return itsm
  }
  after(() => Promise.all(plugins.map((itsm) => itsm.stop())))

  const teamsOf = (account: string): Promise<string[]> =>
    database.knex('itsm_teams').where({ account_id: account }).orderBy('id').pluck('name')
  const put = (itsm: Plugin, id: string, name = 'Service Desk') => itsm.accounts.put({ id, name: id, serviceDesk: { name } })

  it('makes one team, however often and wherever it is called at once', async () => {
    const [one, other] = [plugin(), plugin()]
    const stored = await Promise.all(Array.from({ length: 10 }, (_, index) => put(index % 2 ? one : other, 'busy')))
    expect(await teamsOf('busy')).to.deep.equal(['Service Desk'])
    const [team] = await database.knex('itsm_teams').where({ account_id: 'busy' }).pluck('id')
    expect(new Set(stored.map(({ serviceDeskTeamId }) => serviceDeskTeamId))).to.deep.equal(new Set([Number(team)]))
    expect((await put(one, 'busy')).serviceDeskTeamId).to.equal(Number(team))
  })

  it('takes a team of this name, and keeps one that was renamed', async () => {
    const itsm = plugin()
    await itsm.accounts.put({ id: 'found', name: 'Found' })
    const system = itsm.asSystem('the spec', 'found')
    const { id } = await system.create('team', { name: 'Service desk' })
    expect((await put(itsm, 'found')).serviceDeskTeamId).to.equal(id)
    await system.update('team', Number(id), { name: 'Helpdesk' })
    expect((await put(itsm, 'found')).serviceDeskTeamId).to.equal(id)
    const second = await system.create('team', { name: 'Second' })
    expect((await put(itsm, 'found', ' second ')).serviceDeskTeamId).to.equal(second['id'])
    expect((await itsm.accounts.put({ id: 'found', name: 'Found' })).serviceDeskTeamId).to.equal(second['id'])
    expect(await teamsOf('found')).to.deep.equal(['Helpdesk', 'Second'])
  })

  it('gives a team to the requests of everybody, unless it is disabled', async () => {
    const itsm = plugin()
    const { serviceDeskTeamId } = await put(itsm, 'asking')
    const system = itsm.asSystem('the spec', 'asking')
    const ines = await system.create('person', { name: 'Ines', primary_email: 'ines@asking.example' })
    const body = { subject: 'The printer is on fire', category: 'incident', impact: 'high' }
    const made = await itsm.as(Number(ines['id'])).create('request', body)
    expect((made['team'] as { readonly id: number }).id).to.equal(serviceDeskTeamId)
    await system.update('team', Number(serviceDeskTeamId), { disabled: true })
    const error = await errorOf(itsm.as(Number(ines['id'])).create('request', body))
    expect(error.message).to.include("'team' can't be blank")
  })

  it('says why its team is refused', async () => {
    const refusing = plugin({ 'team.save': [({ fail }: { fail(field: string, code: string): void }) => fail('name', 'taken')] })
    const error = await errorOf(put(refusing, 'refused'))
    expect(error.message).to.include("'name' has already been taken")
    expect(await teamsOf('refused')).to.deep.equal([])
  })
})
