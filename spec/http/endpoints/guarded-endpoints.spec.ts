/** Endpoints of a host and what callers must not do or know through them: limited tokens, hidden records, the system. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { defineEndpoint, type EndpointContext, integer, ref } from '../../../plugin/index.js'
import { type TestDesk, testDesk } from '../../../plugin/testing/index.js'
import { silent } from '../../support/settings.js'

describe('endpoints of a host, guarded', function () {
  this.timeout(60_000)
  let desk: TestDesk
  let seen: EndpointContext['token'] | undefined
  const UNKNOWN = 99_999_999

  const note = ({ api, params }: Pick<EndpointContext, 'api' | 'params'>) =>
    api.update('request', params.id, { note: 'Done by the system' })
  const system = { system: 'tries its limits' }
  const endpoints = [
    defineEndpoint({ path: '/requests/:id/touch', summary: 'No type', as: system, run: note }),
    defineEndpoint({ path: '/requests/:id/touch-as-caller', summary: 'No type', run: note }),
    defineEndpoint({ path: '/requests/:id/touch-typed', summary: 'Of a type', type: 'request', as: system, run: note }),
    defineEndpoint({
      path: '/requests/:id/touch-any',
      summary: 'Any token',
      as: system,
      tokens: 'any',
      run(context) {
        seen = context.token
        return note(context)
      },
    }),
    defineEndpoint({
      path: '/problem-of',
      summary: 'Names a record',
      as: system,
      body: { problem: ref('problem') },
      run: async ({ api, body }) => (body.problem_id ? api.read('problem', body.problem_id) : null),
    }),
    defineEndpoint({
      path: '/problem-of-anybody',
      summary: 'Names a record, and checks nothing',
      as: system,
      references: 'unchecked',
      body: { problem: ref('problem') },
      run: ({ body }) => ({ id: body.problem_id }),
    }),
    defineEndpoint({
      method: 'GET',
      path: '/asked',
      summary: 'Names a record in the query',
      query: { problem: ref('problem'), much: integer() },
      run: ({ query }) => ({ id: query.problem_id }),
    }),
    defineEndpoint({
      method: 'GET',
      path: '/problems/:id/subject-of',
      summary: 'By id',
      as: system,
      run: ({ params }) => params,
    }),
  ]

  before(async () => {
    desk = await testDesk({ endpoints, log: silent })
  })
  after(() => desk.close())

  async function tokenFor(limits: object): Promise<Record<string, string>> {
    const { email, password } = desk.world.signIn('@sam')
    const basic = { Authorization: `Basic ${btoa(`${email}:${password}`)}` }
    const { body } = await desk.ask(null, 'POST', '/me/tokens', { name: 'limited', ...limits }, basic)
    return { Authorization: `Bearer ${(body as { token: string }).token}` }
  }

  it('are closed to tokens that are limited to other types', async () => {
    for (const types of [['view'], ['person', 'team'], ['feed']]) {
      const headers = await tokenFor({ record_types: types })
      for (const path of ['touch', 'touch-as-caller', 'touch-typed'])
        expect((await desk.ask(null, 'POST', `/requests/@mail-is-slow/${path}`, {}, headers)).status, path).to.equal(403)
    }
  })

  it('are open to tokens of their type, and to those that they ask for', async () => {
    const request = await tokenFor({ record_types: ['request'] })
    expect((await desk.ask(null, 'POST', '/requests/@mail-is-slow/touch', {}, request)).status).to.equal(403)
    expect((await desk.ask(null, 'POST', '/requests/@mail-is-slow/touch-typed', {}, request)).status).to.equal(200)
    const view = await tokenFor({ record_types: ['view'], name: 'views' })
    expect((await desk.ask(null, 'POST', '/requests/@mail-is-slow/touch-any', {}, view)).status).to.equal(200)
    expect(seen).to.deep.include({ kind: 'personal', name: 'views', readOnly: false })
    expect(seen?.recordTypes).to.include('view').and.not.include('request')
    const reads = await tokenFor({ read_only: true })
    expect((await desk.ask(null, 'POST', '/requests/@mail-is-slow/touch-any', {}, reads)).status).to.equal(403)
    expect((await desk.ask('@sam', 'POST', '/requests/@mail-is-slow/touch-any', {})).status).to.equal(200)
    expect(seen).to.equal(null)
  })

  it('do not tell hidden records from unknown ones', async () => {
    const hidden = desk.world.id('@full-disk')
    const asked: readonly [method: string, path: (id: number) => string, body?: (id: number) => object][] = [
      ['POST', () => '/problem-of', (id) => ({ problem_id: id })],
      ['POST', () => '/problem-of', (id) => ({ problem: { id } })],
      ['GET', (id) => `/asked?problem_id=${id}`],
      ['GET', (id) => `/problems/${id}/subject-of`],
    ]
    for (const [method, path, body] of asked) {
      const [known, unknown] = [hidden, UNKNOWN].map((id) => desk.ask('@stan', method as 'GET', path(id), body?.(id)))
      expect([(await known)?.status, (await known)?.body], path(0)).to.deep.equal([
        (await unknown)?.status,
        (await unknown)?.body,
      ])
      expect((await known)?.status).to.be.oneOf([404, 422])
      expect((await desk.ask('@sam', method as 'GET', path(hidden), body?.(hidden))).status, path(0)).to.equal(200)
    }
    const { body } = await desk.ask('@stan', 'POST', '/problem-of', { problem_id: hidden })
    expect(body).to.have.deep.property('errors', [['problem', 'Problem cannot be found']])
    expect((await desk.ask('@stan', 'POST', '/problem-of-anybody', { problem_id: hidden })).body).to.deep.equal({ id: hidden })
  })

  it('leave audit lines that name the caller, and the system as the cause', async () => {
    const path = '/requests/@mail-is-slow'
    await desk.ask('@sam', 'PATCH', path, { impact: 'low' })
    const change = defineEndpoint({
      path: '/requests/:id/top',
      summary: 'Of the system',
      as: system,
      run: ({ api, params }) => api.update('request', params.id, { impact: 'top' }),
    })
    const other = await testDesk({ endpoints: [change], log: silent })
    try {
      expect((await other.ask('@sam', 'POST', `${path}/top`, {})).status).to.equal(200)
      const lines = (await other.ask('@audrey', 'GET', `${path}/audit?per_page=100`)).body as Record<string, unknown>[]
      const line = lines.find(({ cause }) => String(cause).includes('tries its limits'))
      expect(line).to.include({ cause: 'host: tries its limits', origin: 'host' })
      expect(line).to.have.nested.property('created_by.id', other.world.id('@sam'))
    } finally {
      await other.close()
    }
  })
})
