/** Endpoints of a host: what comes with them, and what is refused. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import {
  datetime,
  defineEndpoint,
  Forbidden,
  InvalidOptions,
  integer,
  oneOf,
  ref,
  refs,
  string,
} from '../../../plugin/index.js'
import { type TestDesk, testDesk } from '../../../plugin/testing/index.js'
import { silent } from '../../support/settings.js'

describe('endpoints of a host', function () {
  this.timeout(60_000)
  let desk: TestDesk
  let runs = 0

  const hurry = defineEndpoint({
    path: '/requests/:id/hurry',
    summary: 'Make a request urgent',
    type: 'request',
    body: {
      member: ref('person', { required: true }),
      level: oneOf(['low', 'medium', 'high', 'top'], { default: 'top' }),
      minutes: integer({ minimum: 1, maximum: 600 }),
      until: datetime(),
      why: string(20),
    },
    async run({ api, body, params, person }) {
      runs += 1
      await api.update('request', params.id, { note: `${person.name}: ${body.why ?? 'now'} until ${body.until}` })
      const { id, impact } = await api.update('request', params.id, { impact: body.level, member_id: body.member_id })
      if (body.why === 'fail') throw new Error('A mistake of the host')
      if (body.why === 'refuse') throw new Forbidden('Not today')
      return { id, impact, minutes: body.minutes, at: new Date(0) }
    },
  })
  const count = defineEndpoint({
    method: 'GET',
    path: '/reports/:name/count',
    summary: 'Count requests',
    query: { at_least: integer({ minimum: 0, default: 0 }) },
    as: { system: 'counts for a report' },
    async run({ accountId, api, params, query }) {
      const { totalEntries } = await api.list('request', { per_page: 1 })
      return { name: params['name'], account: accountId, isEnough: totalEntries >= (query.at_least ?? 0) }
    },
  })
  const silence = defineEndpoint({ method: 'DELETE', path: '/alarm', summary: 'Silence the alarm', run: () => undefined })

  const shorten = defineEndpoint({
    path: '/requests/:id/shorten',
    summary: 'Shorten the subject of a request',
    body: { subject: string(20), supplier_request: string(20) },
    async run({ api, body, params }) {
      const { subject } = await api.update('request', params.id, {
        subject: body.subject,
        supplier_requestID: body.supplier_request,
      })
      return { subject, sent: body }
    },
  })

  before(async () => {
    desk = await testDesk({ endpoints: [hurry, count, silence, shorten], log: silent })
  })
  after(() => desk.close())

  const path = '/requests/@mail-is-slow/hurry'

  it('act as the caller, with values in the form of rows', async () => {
    const sent = { member_id: '@eva', minutes: '15', until: '2030-01-07T10:00:00+01:00', why: 'VIP' }
    const { body, status } = await desk.ask('@sam', 'POST', path, sent)
    const at = '1970-01-01T00:00:00.000Z'
    expect([status, body]).to.deep.equal([200, { id: desk.world.id('@mail-is-slow'), impact: 'top', minutes: 15, at }])
    const notes = (await desk.ask('@sam', 'GET', '/requests/@mail-is-slow/notes')).body as { text: string }[]
    expect(notes.map(({ text }) => text).join()).to.match(/: VIP until 2030-01-07T09:00:00Z/)
  })

  it('tell what was not sent from what is empty', async () => {
    const to = (body: object) => desk.ask('@sam', 'POST', '/requests/@mail-is-slow/shorten', body)
    const first = await to({ subject: 'Slow', supplier_request: 'S-1' })
    expect(first.body).to.deep.equal({ subject: 'Slow', sent: { subject: 'Slow', supplier_request: 'S-1' } })
    const left = await to({ supplier_request: '' })
    expect([left.status, left.body]).to.deep.equal([200, { subject: 'Slow', sent: { supplier_request: null } }])
    const { body } = await desk.ask('@sam', 'GET', '/requests/@mail-is-slow?fields=supplier_requestID')
    expect(body).to.have.property('supplier_requestID', null)
  })

  it('refuse what does not fit, in the form of all errors', async () => {
    const sent = { level: 'extreme', minutes: 601, until: 'tomorrow', why: 'x'.repeat(21), more: 1 }
    const { body, status } = await desk.ask('@sam', 'POST', path, sent)
    expect(status).to.equal(422)
    const { errors, message } = body as { errors: [string, string][]; message: string }
    expect(message).to.equal('Validation Failed')
    expect(errors.map(([field]) => field)).to.deep.equal(['member', 'level', 'minutes', 'until', 'why'])
    const strict = await desk.ask('@sam', 'POST', path, { member_id: '@eva', more: 1 }, { Prefer: 'handling=strict' })
    expect([strict.status, (strict.body as { errors: [string][] }).errors.map(([field]) => field)]).to.deep.equal([
      422,
      ['more'],
    ])
  })

  it('need sign-in, and have the permissions of the caller', async () => {
    expect((await desk.ask(null, 'POST', path, { member_id: '@eva' })).status).to.equal(401)
    expect((await desk.ask('@stan', 'POST', path, { member_id: '@eva' })).status).to.equal(404)
    expect((await desk.ask('@sam', 'POST', '/requests/999999/hurry', { member_id: '@eva' })).status).to.equal(404)
    expect((await desk.ask('@sam', 'POST', '/requests/next/hurry', { member_id: '@eva' })).status).to.equal(404)
    expect((await desk.ask('@sam', 'GET', path)).status).to.equal(404)
  })

  it('store all or nothing', async () => {
    await desk.restore()
    const failed = await desk.ask('@sam', 'POST', path, { member_id: '@eva', why: 'fail' })
    expect([failed.status, failed.body]).to.deep.equal([500, { message: 'Internal Server Error' }])
    const refused = await desk.ask('@sam', 'POST', path, { member_id: '@eva', why: 'refuse' })
    expect([refused.status, refused.body]).to.deep.equal([403, { message: 'Not today' }])
    const notes = (await desk.ask('@sam', 'GET', '/requests/@mail-is-slow/notes')).body as { text: string }[]
    expect(notes.filter(({ text }) => /fail|refuse/.test(text))).to.deep.equal([])
  })

  it('run once for a key', async () => {
    runs = 0
    const headers = { 'Idempotency-Key': 'hurry-1' }
    const answers = []
    for (const _ of [1, 2]) answers.push(await desk.ask('@sam', 'POST', path, { member_id: '@eva' }, headers))
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200])
    expect(answers[1]?.body).to.deep.equal(answers[0]?.body)
    expect(runs).to.equal(1)
  })

  it('act as the system where they say so, read the query, and may have no answer', async () => {
    const counted = await desk.ask('@ines', 'GET', '/reports/weekly/count?at_least=1')
    expect([counted.status, counted.body]).to.deep.equal([200, { name: 'weekly', account: 'widgets', isEnough: true }])
    expect((await desk.ask('@ines', 'GET', '/reports/weekly/count?at_least=-1')).status).to.equal(422)
    expect((await desk.ask('@ines', 'DELETE', '/alarm')).status).to.equal(204)
  })

  it('honor tokens that may only read', async () => {
    const { email, password } = desk.world.signIn('@sam')
    const basic = { Authorization: `Basic ${btoa(`${email}:${password}`)}` }
    const { body } = await desk.ask(null, 'POST', '/me/tokens', { name: 'reads', read_only: true }, basic)
    const headers = { Authorization: `Bearer ${(body as { token: string }).token}` }
    expect((await desk.ask(null, 'POST', path, { member_id: '@eva' }, headers)).status).to.equal(403)
    expect((await desk.ask(null, 'GET', '/reports/weekly/count', undefined, headers)).status).to.equal(200)
  })

  it('are in the OpenAPI document', async () => {
    const { body } = await desk.ask(null, 'GET', '/openapi.json')
    const { paths } = body as { paths: Record<string, Record<string, Record<string, unknown>>> }
    const operation = paths['/requests/{id}/hurry']?.['post']
    expect(operation).to.deep.include({ operationId: 'post_requests_hurry', summary: 'Make a request urgent' })
    expect(operation)
      .to.have.nested.property('requestBody.content.application/json.schema.required')
      .that.deep.equals(['member_id'])
    expect(paths['/reports/{name}/count']).to.have.nested.property('get.parameters[0].name', 'at_least')
  })

  const run = () => undefined
  const WRONG: readonly [endpoint: object, message: RegExp][] = [
    [{ path: 'vehicles', summary: 'x', run }, /endpoints\[0\]\.path: must look like/],
    [{ path: '/requests', summary: 'x', run }, /'\/requests' is a path of the plugin/],
    [{ path: '/requests/:id', summary: 'x', run }, /is a path of the plugin/],
    [{ path: '/requests/open', summary: 'x', run }, /is a path of the plugin/],
    [{ path: '/requests/:id/notes', summary: 'x', run }, /is a path of the plugin/],
    [{ path: '/me/tokens/:token', summary: 'x', run }, /is a path of the plugin/],
    [{ path: '/fleet', run }, /endpoints\[0\]\.summary: must be a text/],
    [{ path: '/fleet', summary: 'x' }, /endpoints\[0\]\.run: must be a function/],
    [{ path: '/fleet', summary: 'x', run, method: 'PUT' }, /endpoints\[0\]\.method: must be one of GET, POST/],
    [{ path: '/fleet', summary: 'x', run, type: 'ship' }, /there is no record type 'ship'/],
    [{ path: '/fleet', summary: 'x', run, as: 'system' }, /endpoints\[0\]\.as: must be 'caller' or/],
    [{ path: '/fleet', summary: 'x', run, body: { teams: refs('team') } }, /endpoints\[0\]\.body\.teams: only records/],
    [{ path: '/fleet', summary: 'x', run, body: { teams: 'team' } }, /endpoints\[0\]\.body\.teams: must be a field/],
    [{ path: '/fleet', summary: 'x', run, method: 'GET', body: { at: datetime() } }, /a GET has none/],
  ]
  for (const [endpoint, message] of WRONG) {
    it(`refuse ${JSON.stringify(endpoint)}`, async () => {
      const error = await testDesk({ endpoints: [defineEndpoint(endpoint as never)] }).catch((thrown: unknown) => thrown)
      expect(error).to.be.instanceOf(InvalidOptions)
      expect((error as Error).message).to.match(message)
    })
  }

  it('refuse two with the same path', async () => {
    const error = await testDesk({ endpoints: [silence, silence] }).catch((thrown: unknown) => thrown)
    expect((error as Error).message).to.match(/endpoints\[1\]\.path: DELETE \/alarm is there twice/)
  })
})
