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

  it('keep changes of different fields', async () => {
    const id = await add('person', { name: 'Many Fields', primary_email: 'many@acme.example' })
    const fields = ['job_title', 'information', 'location', 'supportID', 'sourceID', 'source', 'name', 'locale', 'vip']
    const before = (await ask(0, 'GET', `/people/${id}`)).json
    const nextOf = (field: string) => (field === 'locale' ? 'nl' : field === 'vip' ? true : `${field} of now`)
    const answers = await Promise.all(
      fields.map((field, index) => ask(index, 'PATCH', `/people/${id}`, { [field]: nextOf(field) })),
    )
    expect(answers.map(({ status }, index) => [fields[index], status])).to.deep.equal(fields.map((field) => [field, 200]))
    const { json } = await ask(0, 'GET', `/people/${id}`)
    const lines = await changesOf('person', id)
    for (const field of fields) {
      expect([field, json[field]]).to.deep.equal([field, nextOf(field)])
      const [line, ...more] = lines.filter((changes) => Object.keys(changes).join() === field)
      expect([field, more]).to.deep.equal([field, []])
      expect([field, line?.[field]]).to.deep.equal([field, [before[field], nextOf(field)]])
    }
  })

  it('write down values of one field as they followed each other', async () => {
    const id = await add('site', { name: 'Rotterdam', remarks: 'start' })
    const answers = await atOnce((index) => ask(index, 'PATCH', `/sites/${id}`, { remarks: `${index}` }))
    expect(statuses(answers)).to.deep.equal({ 200: WRITES })
    mustFollow(await changesOf('site', id), 'remarks', 'start', (await ask(0, 'GET', `/sites/${id}`)).json['remarks'])
  })

  it('keep fields that follow from each other in step', async () => {
    const team = await add('team', { name: 'Desk', member_ids: [admin] })
    for (let round = 0; round < 5; round++) {
      const made = await ask(round, 'POST', '/requests', {
        subject: 'Slow',
        category: 'other',
        team_id: team,
        status: 'declined',
      })
      expect([made.status, made.json['message']]).to.deep.equal([201, undefined])
      const path = `/requests/${made.json['id']}`
      const bodies = [{ status: 'in_progress' }, { member_id: admin }, { impact: 'high' }, { subject: 'Slower' }]
      const answers = await Promise.all(bodies.map((body, index) => ask(index, 'PATCH', path, body)))
      for (const { status } of answers) expect([200, 422]).to.include(status)
      const { json } = await ask(round, 'GET', path)
      expect((json['member'] as { id: number } | null)?.id).to.equal(admin)
      expect(json['subject']).to.equal('Slower')
      if (answers[0]?.status === 200) expect(json['status']).to.equal('in_progress')
      const lines = await changesOf('request', Number(made.json['id']))
      for (const field of ['status', 'subject', 'member_id'])
        mustFollow(lines, field, field === 'status' ? 'declined' : field === 'subject' ? 'Slow' : null, undefined)
    }
  })

  it('keep sub-records that are added at once', async () => {
    const person = await add('person', { name: 'Petra', primary_email: 'petra@acme.example' })
    const contact = (index: number) => ({ label: 'work', telephone: `+31 20 ${index}` })
    const answers = await atOnce((index) =>
      index % 2
        ? ask(index, 'PATCH', `/people/${person}`, { contacts_attributes: [contact(index)] })
        : ask(index, 'POST', `/people/${person}/contacts`, contact(index)),
    )
    expect(statuses(answers)).to.deep.equal({ 200: WRITES / 2, 201: WRITES / 2 })
    const { json } = await ask(0, 'GET', `/people/${person}/contacts?per_page=100`)
    const numbers = (json as unknown as { telephone: string }[]).map(({ telephone }) => telephone)
    expect(numbers.toSorted()).to.deep.equal(Array.from({ length: WRITES }, (_, index) => `+31 20 ${index}`).toSorted())
  })

  it('write down links as they followed each other, whichever way they were made', async () => {
    const people: number[] = []
    for (let index = 0; index < 6; index++)
      people.push(await add('person', { name: `Member ${index}`, primary_email: `member.${index}@acme.example` }))
    const team = await add('team', { name: 'Field', member_ids: [people[0]] })
    const answers = await atOnce((index) => {
      const person = people[index % 6] ?? 0
      if (index % 5 === 0) return ask(index, 'PATCH', `/teams/${team}`, { member_ids: [person, people[(index + 1) % 6]] })
      if (index % 5 === 1) return ask(index, 'DELETE', `/teams/${team}/members/${person}`)
      if (index % 5 === 2) return ask(index, 'PATCH', `/teams/${team}`, { remarks: `${index}` })
      return ask(index, 'POST', `/teams/${team}/members/${person}`)
    })
    for (const { status } of answers) expect([200, 204, 404]).to.include(status)
    const { json } = await ask(0, 'GET', `/teams/${team}/members?per_page=100&sort=id`)
    const now = (json as unknown as { id: number }[]).map(({ id }) => id).sort((a, b) => a - b)
    const lines = (await changesOf('team', team)).flatMap((line) => {
      const [changed] = Object.entries(line).filter(([name]) => name.startsWith('member'))
      return changed ? [changed[1].map((ids) => [...(ids as number[])].sort((a, b) => a - b))] : []
    })
    expect(lines.length).to.be.greaterThan(5)
    let before = [people[0] ?? 0]
    for (const [from, to = []] of lines) {
      expect(from).to.deep.equal(before)
      before = to
    }
    expect(now).to.deep.equal(before)
  })
})

/** Each change of the field begins with the value that the one before it has left. */
function mustFollow(lines: readonly Record<string, [unknown, unknown]>[], field: string, first: unknown, last: unknown): void {
  const changes = lines.flatMap((line) => (line[field] ? [line[field]] : []))
  let value = first
  for (const [from, to] of changes) {
    expect([field, from]).to.deep.equal([field, value])
    value = to
  }
  if (last !== undefined) expect(value).to.equal(last)
}
