/** The main job in a process that gets killed: an import that goes on, events that all arrive, rows that are there once. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { type ChildHost, startChildHost } from '../support/child-host.js'
import { isAgain, withDatabase } from '../support/database.js'
import { type Receiver, startReceiver } from '../support/receiver.js'

/** More than two chunks: one is done when the process is killed, and one is not begun. */
const PEOPLE = 1_200

function csvOf(count: number): string {
  const lines = Array.from(
    { length: count },
    (_, index) => `person${index}@acme.example,Person ${index},${index % 2 ? 'Engineer' : 'Clerk'}`,
  )
  return ['Primary Email,Name,Job Title', ...lines].join('\r\n')
}

async function submit(host: ChildHost, text: string): Promise<string> {
  const form = new FormData()
  form.set('type', 'people')
  form.set('file', new Blob([text], { type: 'text/csv' }), 'people.csv')
  const { status, body } = await host.call('POST', '/import', form)
  expect(status).to.equal(200)
  return String(body['token'])
}

async function progress(host: ChildHost, token: string): Promise<Record<string, unknown>> {
  const { status, body } = await host.call('GET', `/import/${token}`)
  expect(status).to.equal(200)
  return body
}

async function untilEnd(host: ChildHost, token: string): Promise<Record<string, unknown>> {
  for (;;) {
    const state = await progress(host, token)
    if (state['state'] === 'done' || state['state'] === 'error') return state
    await sleep(100)
  }
}

function journey(name: string, mongoUrl: () => string | undefined) {
  describe(name, function () {
    this.timeout(180_000)
    let receiver: Receiver
    let host: ChildHost | null = null

    before(async () => {
      receiver = await startReceiver()
    })
    after(async () => {
      await host?.kill().catch(() => undefined)
      await receiver.close()
    })

    // After the hooks above: the host is gone when the database goes.
    const database = withDatabase({ file: true })

    it('imports every row once and delivers every event, though the process is killed in the middle', async () => {
      const mongo = mongoUrl()
      host = await startChildHost(database.url, mongo)
      const hook = await host.call('POST', '/webhooks', { event: 'person.create', uri: `${receiver.url}/created` })
      expect(hook.status).to.equal(201)
      const token = await submit(host, csvOf(PEOPLE))
      // The first chunk is done when a line is shown, the last is not.
      for (;;) {
        const state = await progress(host, token)
        if (state['state'] === 'processing' && Number(state['line']) > 1) break
        expect(state['state']).to.be.oneOf(['queued', 'processing'])
        await sleep(5)
      }
      await host.kill()

      host = await startChildHost(database.url, mongo)
      const end = await untilEnd(host, token)
      expect(end['state']).to.equal('done')
      expect(end['results']).to.deep.equal({ created: PEOPLE, updated: 0, deleted: 0, unchanged: 0, failures: 0, errors: 0 })
      const page = await host.call('GET', '/people?per_page=1')
      expect(page.headers.get('x-pagination-total-entries')).to.equal(String(PEOPLE + 1))

      // The administrator was made before the webhook; whether that event was still on its way then is a matter of luck.
      const own = String((await host.call('GET', '/me')).body['id'])
      const ids = new Set<string>()
      while (ids.size < PEOPLE) {
        for (const { body } of receiver.received) if (body['object_id'] !== own) ids.add(String(body['object_id']))
        await sleep(100)
      }
      expect(ids.size).to.equal(PEOPLE)
      expect(new Set(receiver.received.map(({ body }) => body['event']))).to.deep.equal(new Set(['person.create']))
    })

    it('finds nothing to do when the same file comes again', async () => {
      if (!host) throw new Error('The first spec starts the host')
      const end = await untilEnd(host, await submit(host, csvOf(PEOPLE)))
      expect(end['results']).to.deep.equal({ created: 0, updated: 0, deleted: 0, unchanged: PEOPLE, failures: 0, errors: 0 })
    })

    it('mails a summary with a log that opens without credentials', async () => {
      if (!host) throw new Error('The first spec starts the host')
      while (host.mails.length < 1) await sleep(50)
      const mail = host.mails.at(-1)
      expect(mail?.subject).to.equal('Import of people completed')
      expect(mail?.to).to.deep.equal(['owen@acme.example'])
      const link = /http:\S+/.exec(mail?.text ?? '')?.[0] ?? ''
      const log = await fetch(link)
      expect(log.status).to.equal(200)
      expect(await log.text()).to.match(/unchanged/)
    })

    it('undoes every row of the import once, though the process is killed in the middle', async () => {
      if (!host) throw new Error('The first spec starts the host')
      const imports = (await host.call('GET', '/imports')).body
      const id = imports.find((one) => (one['results'] as Record<string, number>)['created'] === PEOPLE)?.['id']
      const token = String((await host.call('POST', `/imports/${id}/undo`)).body['token'])
      // In the second half, new records are disabled.
      while (Number((await progress(host, token))['line']) < PEOPLE * 1.2) await sleep(5)
      await host.kill()

      host = await startChildHost(database.url, mongoUrl())
      const end = await untilEnd(host, token)
      expect(end).to.deep.include({
        state: 'done',
        results: { created: 0, updated: PEOPLE, deleted: 0, unchanged: 0, failures: 0, errors: 0 },
      })
      const lines = await database
        .knex('itsm_audit_lines')
        .where({ cause: `undo of import ${id}` })
        .select('owner_id', 'changes')
      expect(new Set(lines.map((line) => Number(line.owner_id)))).to.have.lengthOf(PEOPLE)
      expect(lines).to.have.lengthOf(PEOPLE)
    })

    it('ends by itself when it is asked to', async () => {
      expect(await host?.stop()).to.equal(0)
      host = null
    })
  })
}

describe('A process that is killed', () => {
  journey('with jobs in memory', () => undefined)

  // Where jobs wait has nothing to do with where records are: one of the databases is enough.
  const mongo = isAgain() ? undefined : process.env['MONGODB_URL']
  if (mongo) {
    const url = new URL(mongo)
    url.pathname = `/itsm_${randomBytes(4).toString('hex')}`
    journey('with jobs on MongoDB', () => url.href)
  }
})
