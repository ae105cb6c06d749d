/** Writes that depend on the state of a record, from two processes on one database, on each kind of database. */
import { createServer, type Server } from 'node:http'
import { expect } from 'chai'
import Koa from 'koa'
import mount from 'koa-mount'
import { createPlugin, type Plugin } from '../../plugin/index.js'
import { type ChildHost, startChildHost } from '../support/child-host.js'
import { withDatabase } from '../support/database.js'

const WRITES = 50

describe('writes to one record from two processes', function () {
  this.timeout(120_000)
  const database = withDatabase({ migrated: false, file: true })
  let child: ChildHost
  let here: Plugin
  let server: Server
  let token = ''
  let admin = 0
  let ports: readonly number[] = []

  before(async () => {
    child = await startChildHost(database.url)
    here = createPlugin({
      baseUrl: `http://127.0.0.1:${child.port}/api/v1`,
      allowInsecure: true,
      secret: 'a secret of the specs, 32 characters or more',
      database: { url: database.url },
      rateLimit: { perHour: 1_000_000, burst: false },
    })
    server = createServer(new Koa().use(mount('/api', here.app)).callback())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    ports = [Number(Object(server.address()).port), child.port]
    admin = await add('person', { name: 'Ada', primary_email: 'ada@acme.example' })
    await here.grant(admin, 'acme', ['account_owner', 'specialist'])
    token = await here.credentials.apiToken(admin)
  })
  after(async () => {
    server?.close()
    await here?.stop()
    await child?.kill()
  })

  const add = async (type: string, body: object) =>
    Number((await here.asSystem('the specs need records', 'acme').create(type, body))['id'])
  /** One call to one of the two processes. */
  const ask = async (at: number, method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${ports[at % 2]}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    const json = (text ? JSON.parse(text) : null) as Record<string, unknown>
    return { status: response.status, tag: response.headers.get('etag') ?? '', json }
  }
  const statuses = (answers: readonly { readonly status: number }[]) => {
    const found: Record<number, number> = {}
    for (const { status } of answers) found[status] = (found[status] ?? 0) + 1
    return found
  }
  const atOnce = <T>(work: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: WRITES }, (_, index) => work(index)))
  /** The changes of a record in its audit lines, oldest first. */
  const changesOf = async (type: string, id: number) => {
    const { knex, storage } = database
    const lines = await knex(storage.table('audit_lines'))
      .where({ owner_type: type, owner_id: id, action: 'update' })
      .orderBy('id')
    return lines.map((line) => JSON.parse(String(line['changes'])) as Record<string, [unknown, unknown]>)
  }

  it('do one of 50 changes with the same tag', async () => {
    const id = await add('site', { name: 'Utrecht' })
    const { tag } = await ask(0, 'GET', `/sites/${id}`)
    const answers = await atOnce((index) => ask(index, 'PATCH', `/sites/${id}`, { remarks: `${index}` }, { 'if-match': tag }))
    expect(statuses(answers)).to.deep.equal({ 200: 1, 412: WRITES - 1 })
    for (const { json, status } of answers) if (status === 412) expect(json).to.deep.equal({ message: 'Precondition Failed' })
    const done = answers.find(({ status }) => status === 200)
    const now = await ask(1, 'GET', `/sites/${id}`)
    expect([now.json['remarks'], now.tag]).to.deep.equal([done?.json['remarks'], done?.tag])
    expect(await changesOf('site', id)).to.deep.equal([{ remarks: [null, now.json['remarks']] }])
  })

  it('do each of 20 changes that repeat with the tag of now', async () => {
    const id = await add('site', { name: 'Counting', remarks: '0' })
    const count = async (index: number): Promise<void> => {
      const { json, tag } = await ask(index, 'GET', `/sites/${id}`)
      const answer = await ask(
        index,
        'PATCH',
        `/sites/${id}`,
        { remarks: `${Number(json['remarks']) + 1}` },
        { 'if-match': tag },
      )
      if (answer.status !== 200) return count(index + 1)
    }
    for (let some = 0; some < 2; some++) await Promise.all(Array.from({ length: 10 }, (_, index) => count(index)))
    expect((await ask(0, 'GET', `/sites/${id}`)).json['remarks']).to.equal('20')
    expect(await changesOf('site', id)).to.deep.equal(
      Array.from({ length: 20 }, (_, index) => ({ remarks: [`${index}`, `${index + 1}`] })),
    )
  })

  it('do one of 50 changes of a sub-record', async () => {
    const person = await add('person', { name: 'Pia', primary_email: 'pia@acme.example' })
    const made = await ask(0, 'POST', `/people/${person}/contacts`, { label: 'work', telephone: '1' })
    const path = `/people/${person}/contacts/${made.json['id']}`
    const { tag } = await ask(1, 'GET', path)
    expect(tag).to.equal(made.tag)
    const answers = await atOnce((index) => ask(index, 'PATCH', path, { telephone: `+31 ${index}` }, { 'if-match': tag }))
    expect(statuses(answers)).to.deep.equal({ 200: 1, 412: WRITES - 1 })
  })

  it('remove once, and only what the tag shows', async () => {
    const person = await add('person', { name: 'Rik', primary_email: 'rik@acme.example' })
    const { json } = await ask(0, 'POST', `/people/${person}/contacts`, { label: 'work', telephone: '1' })
    const path = `/people/${person}/contacts/${json['id']}`
    const { tag } = await ask(1, 'GET', path)
    await ask(0, 'PATCH', path, { telephone: '2' })
    const early = await atOnce((index) => ask(index, 'DELETE', path, undefined, { 'if-match': tag }))
    expect(statuses(early)).to.deep.equal({ 412: WRITES })
    const now = await ask(0, 'GET', path)
    const answers = await atOnce((index) => ask(index, 'DELETE', path, undefined, { 'if-match': now.tag }))
    expect(statuses(answers)).to.deep.equal({ 204: 1, 404: WRITES - 1 })
  })

  it('replace the roles of a person once', async () => {
    const person = await add('person', { name: 'Rita', primary_email: 'rita@acme.example' })
    const path = `/people/${person}/permissions/acme`
    const { tag } = await ask(0, 'POST', path, { roles: ['key_contact'] })
    expect((await ask(1, 'GET', path)).tag).to.equal(tag)
    const roles = (index: number) => ({ roles: [index % 2 ? 'auditor' : 'specialist'] })
    const answers = await atOnce((index) => ask(index, 'PATCH', path, roles(index), { 'if-match': tag }))
    expect(statuses(answers)).to.deep.equal({ 200: 1, 412: WRITES - 1 })
  })

  it('empty a collection once', async () => {
    const person = await add('person', { name: 'Lea', primary_email: 'lea@acme.example' })
    const path = `/people/${person}/contacts`
    for (const telephone of ['1', '2', '3']) await ask(0, 'POST', path, { label: 'work', telephone })
    const { tag } = await ask(1, 'GET', path)
    const answers = await atOnce((index) =>
      index % 2
        ? ask(index, 'DELETE', path, undefined, { 'if-match': tag })
        : ask(index, 'POST', path, { label: 'home', telephone: `+31 ${index}` }, { 'if-match': tag }),
    )
    const { 201: made = 0, 204: emptied = 0, ...others } = statuses(answers)
    expect([made + emptied, others]).to.deep.equal([1, { 412: WRITES - 1 }])
    expect((await ask(0, 'GET', path)).json).to.have.length(made === 1 ? 4 : 0)
  })
})
