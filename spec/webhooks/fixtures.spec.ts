/** The fixtures of bodies are what the plugin sends: each of their events happens, and has the same parameters and links. */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { after, before } from 'mocha'
import { IMPORT_COMPLETED, VERBS } from '../../plugin/schema/language/define-record.js'
import { withMounted } from '../support/mounted.js'
import { type Received, type Receiver, startReceiver } from '../support/receiver.js'

interface Fixture {
  readonly event: { readonly message: { readonly event: string }; readonly extras?: object }
  readonly form: readonly (readonly [name: string, value: string])[]
  readonly link: string
}

const FOLDER = new URL('../../fixtures/webhooks/', import.meta.url)
const FIXTURES = readdirSync(FOLDER).map((file): readonly [string, Fixture] => [
  file,
  JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')),
])
const EVENTS = [...new Set(FIXTURES.map(([, { event }]) => event.message.event))]
const LONG_AGO = '2020-01-01 00:00:00'

describe('the fixtures of bodies', () => {
  const mounted = withMounted('mounted under a prefix', { webhooks: { allowPrivateAddresses: true } })
  const id = (name: string) => mounted.world.id(name)
  let receiver: Receiver

  async function saved(as: string, method: string, path: string, body?: object): Promise<number> {
    const { json, status, text } = await mounted.ask(as, method, path, body)
    expect(status, `${method} ${path}: ${text}`).to.be.within(200, 204)
    return Number(Object(json).id)
  }
  /** Changes a row, without any event. */
  async function set(table: string, id: number, values: object): Promise<void> {
    const { knex, storage } = mounted.database
    expect(await knex(storage.table(table)).where({ id }).update(values)).to.equal(1)
  }
  const hook = (path: string, more: object = {}) =>
    saved('@owen', 'POST', '/webhooks', { events: ['team.update'], uri: `${receiver.url}/${path}`, ...more })
  const sent = ({ event: { extras = {}, message } }: Fixture): readonly Received[] => {
    const path = `/${Object.keys(extras)[0] ?? 'reference'}`
    return receiver.received.filter((one) => one.path === path && one.body['event'] === message.event)
  }
  const isSent = (fixture: Fixture) => sent(fixture).some(({ body }) => String(Object.keys(body)) === String(namesIn(fixture)))

  before('lets everything happen', async function () {
    this.timeout(60_000)
    receiver = await startReceiver({ answer: ({ path }) => (path === '/failing' ? 500 : 200) })
    const { knex, storage } = mounted.database
    // What made the world is not told to anybody.
    await knex(storage.table('outbox')).delete()
    await hook('reference', { events: EVENTS })
    await hook('record', { events: EVENTS, payload: 'snapshot' })
    await hook('changes', { events: EVENTS, payload: 'changes' })
    await people()
    await requests()
    await otherRecords()
    await timers()
    await anImport()
    await mounted.itsm.start()
    for (let tries = 0; tries < 400 && !FIXTURES.every(([, fixture]) => isSent(fixture)); tries += 1) await sleep(50)
  })
  after(() => receiver.close())

  async function people() {
    // Administrators may clear the source of a record.
    await set('people', id('@hank'), { source: null, sourceID: 'emp/51' })
    await saved('@owen', 'PATCH', `/people/${id('@hank')}`, { job_title: 'Plant Director' })
  }

  async function requests() {
    const [slow, down, laptop] = ['@mail-is-slow', '@mail-is-down', '@new-laptop'].map(id)
    for (const request of [slow, down, laptop])
      await set('requests', request ?? 0, { source: null, sourceID: null, key_of_source_pair: null })
    await saved('@sam', 'PATCH', `/requests/${slow}`, { subject: 'Mail is slower' })
    await set('people', id('@eva'), { sourceID: 'TF,9', disabled: true })
    await saved('@sam', 'POST', `/requests/${laptop}/notes`, { text: 'It is on its way.' })
    await saved('@sam', 'PATCH', `/requests/${down}`, { team_id: id('@partner-team') })
    await set('teams', id('@partner-team'), { disabled: true })
    const team_id = id('@service-desk')
    const body = { subject: 'Phone', category: 'other', team_id, source: 'Portal', sourceID: 'P-1001' }
    const other = await saved('@ines', 'POST', '/requests', body)
    await saved('@sam', 'PATCH', `/requests/${other}`, { member_id: id('@sam') })
  }

  async function otherRecords() {
    await set('projects', id('@paper-archive'), { sourceID: 'P-12' })
    await saved('@ravi', 'PATCH', `/projects/${id('@paper-archive')}`, { manager_id: id('@petra') })
    await saved('@sam', 'DELETE', `/time_entries/${id('@sam-meets')}`)
    await saved('@owen', 'DELETE', `/webhooks/${await hook('gone', { source: 'Portal', sourceID: 'hook/6' })}`)
    const failing = { webhook_id: await hook('failing'), failures: 20, failing_since: LONG_AGO }
    await mounted.database.knex(mounted.database.storage.table('webhook_health')).insert(failing)
    await saved('@owen', 'PATCH', `/teams/${id('@windows-servers')}`, { name: 'Windows & Linux' })
  }

  /** Requests of which a timer is due. */
  async function timers() {
    const request = (more: object) =>
      saved('@sam', 'POST', '/requests', { subject: 'Late', category: 'other', team_id: id('@service-desk'), ...more })
    const waiting = { status: 'waiting_for', waiting_until: new Date(Date.now() + 3_600_000).toISOString() }
    await set('requests', await request(waiting), { waiting_until: LONG_AGO })
    await set('requests', await request({}), { response_event_at: LONG_AGO, response_events: 1 })
    await set('requests', await request({}), { resolution_event_at: LONG_AGO, resolution_events: 0 })
  }

  async function anImport() {
    const file = 'Name,Primary Email\nZoe Brown,zoe@widgets.example\n'
    const parts = ['name="type"\r\n\r\npeople', `name="file"; filename="people.csv"\r\n\r\n${file}`]
    const form = `${parts.map((part) => `--limit\r\nContent-Disposition: form-data; ${part}\r\n`).join('')}--limit--\r\n`
    const headers = { 'Content-Type': 'multipart/form-data; boundary=limit' }
    const { status, text } = await mounted.ask('@owen', 'POST', '/import', Buffer.from(form), headers)
    expect(status, text).to.equal(200)
  }

  it('are of each kind of event', () => {
    const kinds = EVENTS.map((name) => name.slice(name.indexOf('.') + 1))
    expect(kinds).to.include.members(VERBS)
    expect(EVENTS).to.include.members([IMPORT_COMPLETED.name, 'time_entry.delete', 'webhook.delete'])
  })

  for (const [file, fixture] of FIXTURES) {
    it(`${file} has the parameters and links of a delivery`, () => {
      const names = namesIn(fixture)
      expect(sent(fixture).map(({ body }) => Object.keys(body))).to.deep.include(names)
      const { headers } = sent(fixture).find(({ body }) => String(Object.keys(body)) === String(names)) ?? {}
      expect(linksIn(String(headers?.['link']))).to.deep.equal(linksIn(fixture.link))
    })
  }
})

function namesIn({ form }: Fixture): readonly string[] {
  return form.map(([name]) => name)
}

/** Paths without ids, with what they are. */
function linksIn(header: string): readonly string[] {
  return [...header.matchAll(/\/([a-z_]+)\/\d+(\/notes)?[^>]*>; rel="(\w+)"/g)].map((found) => found.slice(1).join(' '))
}
