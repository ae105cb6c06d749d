/** Hooks by step and by record type, what listeners get of a change, and who calls a route of the host. */
import { expect } from 'chai'
import Koa from 'koa'
import { after, before, describe, it } from 'mocha'
import { type HostEvent, InvalidOptions, listener, myTeams } from '../plugin/index.js'
import { type TestDesk, testDesk } from '../plugin/testing/index.js'

describe('hooks of a host', function () {
  this.timeout(60_000)
  const events: HostEvent[] = []
  const asked = new Set<string>()
  const removed: unknown[] = []
  let desk: TestDesk
  let hidesTeams = false

  before(async () => {
    desk = await testDesk({
      before: {
        'webhook.remove': [
          ({ before, fail, next }) => {
            removed.push([before?.['name'], next['name'], Object.isFrozen(next)])
            if (next['name'] === 'Keep me') fail('base', 'This one is needed')
          },
        ],
      },
      on: { 'request.update': [listener('hears', async (event) => void events.push(event))] },
      authorize: {
        site: ({ action, type }, decide) => {
          asked.add(type)
          return action === 'create' ? false : decide()
        },
      },
      scope: {
        request: ({ type }, decide) => {
          asked.add(`scope of ${type}`)
          return decide()
        },
        team: (_question, decide) => (hidesTeams ? { id: myTeams } : decide()),
      },
      // A route of the host, before the API.
      app: (itsm) =>
        Object.assign(new Koa(), { silent: true })
          .use(async (ctx, next) => {
            if (ctx.path !== '/dashboard') return next()
            const caller = await itsm.signedIn(ctx)
            ctx.status = caller ? 200 : 401
            if (!caller) return
            const { by, limits, person } = caller
            const mine = await caller.as().list('request', { per_page: 1 })
            const write = await caller.as().create('request', { subject: 'From a dashboard', category: 'rfi' }).catch(String)
            ctx.body = { by, limits, person, mine: mine.items.length, write: typeof write === 'string' ? write : 'created' }
          })
          .use(itsm.middleware),
    })
  })
  after(() => desk.close())

  const dashboard = (authorization?: string) =>
    fetch(desk.baseUrl.replace(/\/v1$/, '/dashboard'), authorization === undefined ? {} : { headers: { authorization } })

  it('are called before a removal, may refuse it, and change nothing', async () => {
    const made = async (name: string) => {
      const body = { event: 'request.create', uri: desk.receiver.url, name }
      return ((await desk.ask('@owen', 'POST', '/webhooks', body)).body as { id: number }).id
    }
    const [kept, gone] = [await made('Keep me'), await made('Remove me')]
    const refused = await desk.ask('@owen', 'DELETE', `/webhooks/${kept}`)
    expect([refused.status, (refused.body as { errors: unknown }).errors]).to.deep.equal([
      422,
      [['base', 'This one is needed']],
    ])
    expect((await desk.ask('@owen', 'DELETE', `/webhooks/${gone}`)).status).to.equal(204)
    expect(removed).to.deep.equal([
      ['Keep me', 'Keep me', true],
      ['Remove me', 'Remove me', true],
    ])
    expect((await desk.ask('@owen', 'GET', `/webhooks/${kept}`)).status).to.equal(200)
    expect((await desk.ask('@owen', 'GET', `/webhooks/${gone}`)).status).to.equal(404)
  })

  it('get what has changed, as of that moment, with its cause', async () => {
    await desk.restore()
    await desk.ask('@sam', 'PATCH', '/requests/@mail-is-slow', { subject: 'First' })
    await desk.ask('@sam', 'PATCH', '/requests/@mail-is-slow', { subject: 'Second' })
    await desk.settle()
    expect(events.map(({ changes }) => changes['subject'])).to.deep.equal([
      ['Mail is slow', 'First'],
      ['First', 'Second'],
    ])
    expect(events.map(({ cause }) => cause)).to.deep.equal([null, null])
  })

  it('may be given by record type', async () => {
    expect((await desk.ask('@owen', 'POST', '/sites', { name: 'Nowhere' })).status).to.equal(403)
    expect((await desk.ask('@owen', 'POST', '/organizations', { name: 'Somewhere' })).status).to.equal(201)
    await desk.ask('@sam', 'GET', '/requests')
    expect([...asked]).to.have.members(['site', 'scope of request'])
    hidesTeams = true
    const teams = (await desk.ask('@sam', 'GET', '/teams')).body as { id: number }[]
    const all = desk.world.names.filter((name) => desk.world.record(name).type === 'team')
    expect(teams.length).to.be.within(1, all.length - 1)
    hidesTeams = false
  })

  const WRONG: readonly [options: object, message: RegExp][] = [
    [
      { before: { 'site.remove': [() => {}] } },
      /before\.site\.remove: must be '<record type>\.save' or '<record type>\.remove'/,
    ],
    [{ before: { 'webhook.removed': [() => {}] } }, /before\.webhook\.removed: .*did you mean 'webhook\.remove'/],
    [{ authorize: { sites: () => true } }, /authorize\.sites: there is no record type 'sites'; did you mean 'site'/],
    [{ scope: { site: true } }, /scope\.site: must be a function/],
    [{ authorize: [] }, /authorize: must be a function or group|authorize: must be/],
  ]
  for (const [options, message] of WRONG) {
    it(`are refused: ${JSON.stringify(Object.entries(options))}`, async () => {
      const error = await testDesk(options).catch((thrown: unknown) => thrown)
      expect(error).to.be.instanceOf(InvalidOptions)
      expect(String((error as Error).message)).to.match(message)
    })
  }

  describe('who calls a route of the host', () => {
    const basic = (name: string, password: string) => `Basic ${btoa(`${name}:${password}`)}`

    it('is nobody without credentials, and an error with wrong ones', async () => {
      expect((await dashboard()).status).to.equal(401)
      expect((await dashboard(basic('sam@widgets.example', 'a guess'))).status).to.equal(401)
    })

    it('is the person of a password or a token', async () => {
      const { email, password } = desk.world.signIn('@sam')
      const person = { id: desk.world.id('@sam'), name: 'Sam Okafor', email, accountId: 'widgets' }
      const first = (await (await dashboard(basic(email, password))).json()) as Record<string, unknown>
      expect(first).to.deep.include({ by: 'password', limits: null, write: 'created' })
      expect(first['person']).to.deep.equal({ ...person, name: (first['person'] as { name: string }).name })
      const second = await (await dashboard(basic(desk.world.token('@sam'), 'x'))).json()
      expect(second).to.deep.include({ by: 'token', mine: 1 })
    })

    it('has no more than its token allows', async () => {
      const { email, password } = desk.world.signIn('@sam')
      const headers = { Authorization: basic(email, password) }
      const { body } = await desk.ask(null, 'POST', '/me/tokens', { name: 'reads', read_only: true }, headers)
      const token = (body as { token: string }).token
      const found = await (await dashboard(`Bearer ${token}`)).json()
      expect(found).to.deep.include({ by: 'token', limits: { readOnly: true, recordTypes: null } })
      expect((found as { write: string }).write).to.match(/Forbidden/)
    })
  })
})
