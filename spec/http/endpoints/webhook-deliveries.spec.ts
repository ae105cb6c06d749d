import { expect } from 'chai'
import { afterEach, before, beforeEach } from 'mocha'
import { withMounted } from '../../support/mounted.js'
import { type Answer, type Receiver, startReceiver } from '../../support/receiver.js'

interface Shown {
  readonly id: number
  readonly channel: string
  readonly state: string
  readonly attempts: number
  readonly object_id: number
  readonly test: boolean
  readonly next_at: string | null
  readonly finished_at: string | null
  readonly last_error: string | null
  readonly webhook?: { readonly id: number; readonly name: string }
  readonly request: { readonly uri: string; readonly headers: Record<string, string>; readonly body: string }
  readonly log: readonly { readonly status: number | null; readonly reason: string | null; readonly answer: string | null }[]
}

const HOUR = 3600_000

describe('the log of deliveries of a webhook', () => {
  const mounted = withMounted('mounted under a prefix', { webhooks: { allowPrivateAddresses: true } })
  const ask = (method: string, path: string, body?: object, as: string | null = '@owen', headers = {}) =>
    mounted.ask(as, method, path, body, headers)
  const waits = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
  let answers: Answer[] = []
  let otherwise: Answer = 200
  let receiver: Receiver
  let hook = 0

  before(() => mounted.itsm.start())
  beforeEach(async () => {
    answers = []
    otherwise = 200
    // A replay of everything has what happened before the webhook was there.
    const { knex, storage } = mounted.database
    for (const table of ['channel_deliveries', 'delivery_attempts', 'messages']) await knex(storage.table(table)).delete()
    receiver = await startReceiver({ answer: () => answers.shift() ?? otherwise })
    const uri = `${receiver.url.replace('//', '//ops:pa55word@')}/hook?token=s3cr3t-value`
    const made = await ask('POST', '/webhooks', { event: 'team.create', uri, name: 'Told', secret: true })
    hook = (made.json as { id: number }).id
  })
  afterEach(async () => {
    await ask('DELETE', `/webhooks/${hook}`)
    await receiver.close()
  })

  const teams = async (...names: readonly string[]): Promise<readonly number[]> => {
    const ids: number[] = []
    for (const name of names) {
      const made = await ask('POST', '/teams', { name: `${name} ${hook}` })
      ids.push((made.json as { id: number }).id)
    }
    return ids
  }
  const list = async (query = '') => (await ask('GET', `/webhooks/${hook}/deliveries${query}`)).json as readonly Shown[]
  const until = async (isSo: (all: readonly Shown[]) => boolean): Promise<readonly Shown[]> => {
    for (let tries = 0; tries < 400; tries += 1) {
      const all = await list()
      if (isSo(all)) return all
      await waits()
    }
    throw new Error(`It never came to that: ${JSON.stringify(await list())}`)
  }
  const read = async (id: number) => (await ask('GET', `/webhooks/${hook}/deliveries/${id}`)).json as Shown
  const retry = (id: number) => ask('POST', `/webhooks/${hook}/deliveries/${id}/retry`)
  const replay = (body: object) => ask('POST', `/webhooks/${hook}/replay`, body)
  const since = (ms = HOUR) => new Date(Date.now() - ms).toISOString()

  it('shows what was sent, with its headers, its body and its attempts, and no secret', async () => {
    answers = [{ status: 500, body: 'pa55word s3cr3t-value broken' }]
    const [team] = await teams('Seen')
    const [listed] = await until(([one]) => one?.attempts === 1)
    expect(listed).to.include({ channel: 'webhook', target: String(hook), event: 'team.create', object_id: team, test: false })
    expect(listed).to.include({ state: 'waiting', finished_at: null, last_error: '500 Internal Server Error' })
    expect(listed).to.deep.include({ webhook: { id: hook, name: 'Told' } })
    expect(listed?.next_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    const shown = await read(listed?.id ?? 0)
    expect(shown.log).to.have.length(1)
    expect(shown.log[0]).to.include({ status: 500, reason: '500 Internal Server Error', answer: '*** *** broken' })
    expect(shown.request.uri).to.equal(`${receiver.url.replace('//', '//***@')}/hook?token=***`)
    const { headers = {}, raw = '' } = receiver.received[0] ?? {}
    expect(shown.request.body).to.equal(raw)
    for (const name of ['link', 'content-type', 'user-agent', 'webhook-id', 'webhook-timestamp'])
      expect(shown.request.headers[name], name).to.equal(headers[name])
    expect(shown.request.headers).to.include({ authorization: '***', 'webhook-signature': '***' })
    expect(JSON.stringify(shown)).to.not.match(/pa55|s3cr3t|whsec|v1,/)
  })

  it('is listed in pages, with filters like other lists', async () => {
    const [first = 0, second = 0] = await teams('One', 'Two', 'Three')
    await until((all) => all.length === 3 && all.every(({ state }) => state === 'sent'))
    const ids = async (query: string) => (await list(query)).map(({ object_id }) => object_id)
    expect(await ids(`?object_id=${first},${second}&sort=id`)).to.deep.equal([first, second])
    expect(await ids(`?object_id=!${first}`)).to.have.length(2)
    expect(await ids('?state=sent,failed&event=team.create')).to.have.length(3)
    expect(await ids('?state=waiting')).to.deep.equal([])
    expect(await ids('?state=!waiting')).to.have.length(3)
    expect(await ids('?event=team.update')).to.deep.equal([])
    expect(await ids(`?created_at=>${since()}`)).to.have.length(3)
    expect(await ids(`?created_at=<${since()}`)).to.deep.equal([])
    const page = await ask('GET', `/webhooks/${hook}/deliveries?page=2&per_page=2`)
    expect(page.json).to.have.length(1)
    expect(page.headers).to.include({ 'x-pagination-total-entries': '3', 'x-pagination-total-pages': '2' })
    for (const query of ['state=lost', 'object_id=x', 'created_at=soon', 'colour=red', 'page=0', 'sort=state', 'state=>sent'])
      expect((await ask('GET', `/webhooks/${hook}/deliveries?${query}`)).status, query).to.equal(400)
    for (const id of ['0', '99999999999999', 'x', '-1'])
      expect((await ask('GET', `/webhooks/${hook}/deliveries/${id}`)).status, id).to.equal(404)
  })

  it('sends a delivery again: what was given up, what waits for its time, what was sent, each with the same id', async () => {
    answers = [410, 500]
    await teams('Gone', 'Broken', 'Good')
    const all = await until((some) => some.length === 3 && some.every(({ attempts }) => attempts === 1))
    expect(all.map(({ state }) => state)).to.deep.equal(['sent', 'waiting', 'failed'])
    const before = receiver.received.map(({ headers }) => headers['webhook-id'])
    for (const { id } of all) {
      const answer = await retry(id)
      expect(answer.status, answer.text).to.equal(200)
      expect(answer.json).to.include({ id, state: 'waiting', finished_at: null })
      await until((some) => some.find((one) => one.id === id)?.state === 'sent')
    }
    expect(receiver.received.slice(3).map(({ headers }) => headers['webhook-id'])).to.deep.equal(before.toReversed())
    expect((await list()).map(({ attempts }) => attempts)).to.deep.equal([2, 2, 2])
    const trail = (await ask('GET', `/webhooks/${hook}/audit`)).json as { changes: object }[]
    const retried = trail.filter(({ changes }) => 'retried' in changes)
    expect(retried.map(({ changes }) => changes)).to.deep.equal(all.toReversed().map(({ id }) => ({ retried: [null, id] })))
  })

  it('refuses a retry of what is being sent, of tests, and of disabled webhooks', async () => {
    otherwise = 'hang'
    await teams('Slow')
    await receiver.gets(1)
    const [slow] = await list()
    expect((await retry(slow?.id ?? 0)).status).to.equal(409)
    await ask('PATCH', `/webhooks/${hook}`, { disabled: true })
    expect((await list())[0]).to.include({ state: 'dropped', next_at: null })
    expect((await retry(slow?.id ?? 0)).status).to.equal(409)
    expect((await replay({ from: since() })).status).to.equal(409)
    otherwise = 200
    const test = await ask('POST', `/webhooks/${hook}/test`)
    const [made] = await until(([one]) => one?.object_id === 12345 && one.state === 'sent')
    expect(test.headers['location']).to.equal(`${mounted.baseUrl}/webhooks/${hook}/deliveries/${made?.id}`)
    await ask('PATCH', `/webhooks/${hook}`, { disabled: false })
    expect((await retry(made?.id ?? 0)).status).to.equal(409)
    expect((await retry(0)).status).to.equal(404)
  })

  it('shows tests, which are kept with their attempt and never replayed', async () => {
    answers = [503]
    const key = { 'Idempotency-Key': `test-${hook}` }
    const test = await ask('POST', `/webhooks/${hook}/test`, undefined, '@owen', key)
    expect(test.status).to.equal(204)
    const path = String(test.headers['location']).replace(mounted.baseUrl, '')
    const [made] = await until(([one]) => one?.state === 'failed')
    const shown = (await ask('GET', path)).json as Shown
    expect(shown).to.include({ id: made?.id, attempts: 1, last_error: '503 Service Unavailable', object_id: 12345, test: true })
    expect(shown.log[0]).to.include({ status: 503 })
    expect(shown.request.headers['webhook-id']).to.equal(receiver.received[0]?.headers['webhook-id'])
    const again = await ask('POST', `/webhooks/${hook}/test`, undefined, '@owen', key)
    expect([again.status, again.headers['location']]).to.deep.equal([204, test.headers['location']])
    expect((await replay({ from: since(), state: 'all' })).json).to.deep.equal({ count: 0 })
    expect(receiver.received).to.have.length(1)
  })

  it('replays what was given up, and with `all` also what was sent or never queued, in order', async () => {
    otherwise = 410
    const failed = await teams('A', 'B')
    await until((all) => all.length === 2 && all.every(({ state }) => state === 'failed'))
    await ask('PATCH', `/webhooks/${hook}`, { disabled: true })
    const unheard = await teams('C')
    await ask('PATCH', `/webhooks/${hook}`, { disabled: false })
    otherwise = 200
    const sent = await teams('D')
    await until(([one]) => one?.state === 'sent')
    const told = () => receiver.received.map(({ body }) => Number(body['object_id']))
    const before = told().length
    const answer = await replay({ from: since() })
    expect([answer.status, answer.json]).to.deep.equal([202, { count: 2 }])
    await until((all) => all.every(({ state }) => state === 'sent'))
    expect(told().slice(before)).to.deep.equal(failed)
    expect((await replay({ from: since(), state: 'all', event: 'team.update' })).json).to.deep.equal({ count: 0 })
    const all = await replay({ from: since(60_000), to: new Date().toISOString(), state: 'all', event: 'team.create' })
    const later = told().length
    const replayed = all.json as { count: number }
    await receiver.gets(before + 2 + replayed.count)
    expect(told().slice(-4)).to.have.members([...failed, ...unheard, ...sent])
    expect(later).to.be.greaterThan(before)
    const trail = (await ask('GET', `/webhooks/${hook}/audit`)).json as { changes: { replayed?: [null, object] } }[]
    const lines = trail.flatMap(({ changes }) => changes.replayed?.[1] ?? [])
    expect(lines).to.have.length(2)
    expect(lines[1]).to.include({ state: 'failed', event: null, count: 2 })
  })

  it('refuses replays that cannot be meant', async () => {
    const odd = [
      {},
      { from: 5 },
      { from: 'yesterday' },
      { from: since(), to: since(2 * HOUR) },
      { from: since(), state: 'waiting' },
      { from: since(), state: ['all'] },
      { from: since(), event: 7 },
      { from: since(), event: 'x'.repeat(200) },
      { from: since(), until: since() },
      { from: `${'2026'.repeat(300)}` },
    ]
    for (const body of odd) expect((await replay(body)).status, JSON.stringify(body).slice(0, 80)).to.equal(422)
    expect((await ask('POST', `/webhooks/${hook}/replay`)).status).to.equal(422)
  })

  it('says how the webhook is doing', async () => {
    const health = async () => (await ask('GET', `/webhooks/${hook}/health`)).json as Record<string, unknown>
    const none = { sent: 0, failed: 0 }
    const well = { failing_since: null, failed_in_row: 0, waiting: 0, oldest_waiting_at: null }
    expect(await health()).to.deep.equal({ ...well, last_hour: none, last_day: none })
    answers = [200, 500]
    await teams('Good', 'Bad')
    await until((all) => all.length === 2 && all.every(({ attempts }) => attempts === 1))
    const figures = await health()
    expect(figures).to.deep.include({ failed_in_row: 1, waiting: 1, last_hour: { sent: 1, failed: 1 } })
    expect(figures).to.deep.include({ last_day: { sent: 1, failed: 1 } })
    for (const name of ['failing_since', 'oldest_waiting_at']) expect(figures[name], name).to.match(/Z$/)
  })

  it('explains why an event is told or not', async () => {
    const [team = 0] = await teams('Explained')
    const [made] = await until(([one]) => one?.state === 'sent')
    const why = (query: string) => ask('GET', `/webhooks/${hook}/why?${query}`)
    const matched = (await why(`event=team.create&object_id=${team}`)).json
    expect(matched).to.include({ matched: true, reason: null, delivery_id: made?.id })
    await ask('PATCH', `/webhooks/${hook}`, { event: 'team.update' })
    expect((await why(`event=team.create&object_id=${team}`)).json).to.include({ matched: false, reason: 'event' })
    await ask('PATCH', `/webhooks/${hook}`, { disabled: true })
    expect((await why(`event=team.create&object_id=${team}`)).json).to.include({ matched: false, reason: 'disabled' })
    for (const query of [
      `event=team.update&object_id=${team}`,
      'event=team.create&object_id=999999',
      'event=nonsense&object_id=1',
    ])
      expect((await why(query)).status, query).to.equal(404)
    for (const query of [
      '',
      'event=team.create',
      'object_id=1',
      'event=team.create&object_id=x',
      'event=a.b&object_id=99999999999999999',
    ])
      expect((await why(query)).status, query).to.equal(400)
  })

  it('is for account administrators, in their account', async () => {
    await teams('Mine')
    const [made] = await until(([one]) => one?.state === 'sent')
    await mounted.itsm.accounts.put({ id: 'elsewhere', name: 'Elsewhere' })
    const theirs = mounted.itsm.asSystem('the spec', 'elsewhere')
    const other = Number((await theirs.create('webhook', { event: 'team.create', uri: `${receiver.url}/other` }))['id'])
    await theirs.create('team', { name: 'Theirs' })
    await receiver.gets(2)
    const id = made?.id ?? 0
    const ofOther = (await mounted.itsm.deliveries.list('elsewhere')).items[0]?.id ?? 0
    const paths = [`/webhooks/${hook}/deliveries`, `/webhooks/${hook}/deliveries/${id}`, `/webhooks/${hook}/health`]
    const posts = [`/webhooks/${hook}/deliveries/${id}/retry`, `/webhooks/${hook}/replay`, `/deliveries/${id}/retry`]
    for (const name of ['@sam', '@audrey']) {
      for (const path of [...paths, `/webhooks/${hook}/why?event=team.create&object_id=1`, '/deliveries', `/deliveries/${id}`])
        expect((await ask('GET', path, undefined, name)).status, path).to.equal(403)
      for (const path of posts) expect((await ask('POST', path, { from: since() }, name)).status, path).to.equal(403)
    }
    for (const path of [...paths, '/deliveries']) expect((await ask('GET', path, undefined, null)).status, path).to.equal(401)
    const hidden = [`/webhooks/${other}/deliveries`, `/webhooks/${other}/health`, `/webhooks/${hook}/deliveries/${ofOther}`]
    for (const path of [...hidden, `/deliveries/${ofOther}`]) expect((await ask('GET', path)).status, path).to.equal(404)
    for (const path of [
      `/webhooks/${other}/replay`,
      `/webhooks/${hook}/deliveries/${ofOther}/retry`,
      `/deliveries/${ofOther}/retry`,
    ])
      expect((await ask('POST', path, { from: since() })).status, path).to.equal(404)
    const owen = mounted.world.id('@owen')
    const limited = await mounted.itsm.tokens.create(owen, { name: 'limited', recordTypes: ['webhook', 'team'] })
    const bearer = { Authorization: `Bearer ${limited.token}` }
    for (const path of [...paths, '/deliveries'])
      expect((await ask('GET', path, undefined, null, bearer)).status, path).to.equal(403)
    const reader = await mounted.itsm.tokens.create(owen, { name: 'reader', readOnly: true })
    const reading = { Authorization: `Bearer ${reader.token}` }
    for (const path of [...paths, '/deliveries'])
      expect((await ask('GET', path, undefined, null, reading)).status, path).to.equal(200)
    for (const path of posts) expect((await ask('POST', path, { from: since() }, null, reading)).status, path).to.equal(403)
  })

  it('is there for all channels of an account, and for the code of the host', async () => {
    await teams('Listed')
    const [made] = await until(([one]) => one?.state === 'sent')
    const { deliveries } = mounted.itsm
    const account = String((await mounted.itsm.deliveries.list('nobody').catch((error) => error.name)) === 'RangeError')
    expect(account).to.equal('true')
    const all = (await ask('GET', '/deliveries?channel=webhook&per_page=100')).json as readonly Shown[]
    expect(all.map(({ id }) => id)).to.include(made?.id)
    expect((await ask('GET', '/deliveries?channel=pigeon')).json).to.deep.equal([])
    expect((await ask('GET', '/deliveries?channel=mail&state=failed')).status).to.equal(200)
    const own = (await ask('GET', '/account')).json as { id: string }
    const listed = await deliveries.list(own.id, { channel: 'webhook', target: hook, state: 'sent', per_page: 1 })
    expect(listed.items[0]).to.include({ id: made?.id })
    expect(await deliveries.retry(own.id, made?.id ?? 0)).to.include({ state: 'waiting' })
    await until(([one]) => one?.attempts === 2)
    expect(await deliveries.replay(own.id, hook, { from: new Date(0), state: 'all' })).to.deep.equal({ count: 1 })
    await until(([one]) => one?.attempts === 3)
    const wrong: readonly (() => Promise<unknown>)[] = [
      () => deliveries.list(5 as never),
      () => deliveries.list(own.id, { colour: 'red' } as never),
      () => deliveries.list(own.id, { state: 'lost' }),
      () => deliveries.list(own.id, 'all' as never),
      () => deliveries.retry(own.id, 'x' as never),
      () => deliveries.retry(own.id, 999_999_999),
      () => deliveries.replay(own.id, 999_999_999, { from: new Date() }),
      () => deliveries.replay(own.id, hook, {} as never),
      () => deliveries.replay(own.id, hook, { from: 'soon' as never }),
      () => deliveries.replay(own.id, hook, null as never),
    ]
    for (const one of wrong) {
      const name = await one().then(
        () => 'nothing',
        (error: Error) => error.name,
      )
      expect(name, String(one)).to.match(/^(Type|Range)Error$/)
    }
  })
})
