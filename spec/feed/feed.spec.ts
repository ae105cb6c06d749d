/** The feed over HTTP: what it tells to whom. */
import { expect } from 'chai'
import { countStatements } from '../support/count-statements.js'
import { feedOf, nextOf, relayEvents, type Told } from '../support/feed.js'
import { withMounted } from '../support/mounted.js'

describe('GET /feed', () => {
  const mounted = withMounted()
  const { ask } = mounted
  const id = (name: string) => mounted.world.id(name)
  const relay = () => relayEvents(mounted.database.storage)
  const empty = async () => {
    for (const table of ['outbox', 'messages']) await mounted.database.knex(mounted.database.storage.table(table)).delete()
  }
  const saved = async (as: string, method: string, path: string, body: object): Promise<number> => {
    const reply = await ask(as, method, path, body)
    expect(reply.status, reply.text).to.be.within(200, 204)
    return Number((reply.json as { id?: number } | undefined)?.id)
  }
  const change = (as: string, name: string, body: object, path = 'requests') => saved(as, 'PATCH', `/${path}/${id(name)}`, body)
  const brief = (all: readonly Told[]) => all.map(({ event, object_id }) => `${event} ${object_id}`)

  beforeEach(empty)

  it('begins with what happens from now on', async () => {
    await change('@sam', '@mail-is-slow', { subject: 'Mail is slower' })
    await relay()
    const first = await ask('@owen', 'GET', '/feed')
    expect([first.status, first.json]).to.deep.equal([200, []])
    expect(nextOf(first)).to.equal('/feed?after=1&per_page=100')
    expect(first.headers).to.not.have.property('x-pagination-per-page')
    await change('@sam', '@mail-is-slow', { subject: 'Mail is slow again' })
    await relay()
    const second = await ask('@owen', 'GET', nextOf(first))
    expect(brief(second.json as Told[])).to.deep.equal([`request.update ${id('@mail-is-slow')}`])
    const last = await ask('@owen', 'GET', nextOf(second))
    expect([last.status, last.json, nextOf(last)]).to.deep.equal([200, [], nextOf(second)])
  })

  it('has nothing without messages', async () => {
    for (const [path, next] of [
      ['/feed', 0],
      ['/feed?after=0', 0],
    ] as const) {
      const reply = await ask('@owen', 'GET', path)
      expect([reply.status, reply.json, nextOf(reply)], path).to.deep.equal([200, [], `/feed?after=${next}&per_page=100`])
    }
  })

  it('says that numbers beyond the newest one are of a database that is gone', async () => {
    const gone = async (after: number, more = '') => {
      const reply = await ask('@owen', 'GET', `/feed?after=${after}${more}`)
      return [reply.status, (reply.json as { oldest: number }).oldest, nextOf(reply)]
    }
    expect(await gone(17)).to.deep.equal([410, 1, '/feed?after=0&per_page=100'])
    expect(await gone(1, '&wait=5')).to.deep.equal([410, 1, '/feed?after=0&per_page=100&wait=5'])
    await change('@sam', '@mail-is-slow', { subject: 'Mail is slow' })
    await relay()
    expect((await ask('@owen', 'GET', '/feed?after=1')).status).to.equal(200)
    expect(await gone(2)).to.deep.equal([410, 1, '/feed?after=0&per_page=100'])
    expect((await ask('@owen', 'GET', '/feed?after=2')).text).to.contain('the newest is 1, the oldest that can be read is 1')
    expect(await gone(2 ** 53 - 1)).to.deep.equal([410, 1, '/feed?after=0&per_page=100'])
  })

  it('tells one who waits that the database went back', async () => {
    await change('@sam', '@mail-is-slow', { subject: 'Mail is slower' })
    await relay()
    const waiting = ask('@owen', 'GET', '/feed?after=1&wait=20')
    await new Promise((resolve) => setTimeout(resolve, 300))
    await empty()
    expect((await waiting).status).to.equal(410)
  })

  it('tells who has changed what, with the values before and after', async () => {
    const made = await saved('@sam', 'POST', '/requests', { subject: 'A new chair', category: 'rfc', status: 'declined' })
    await saved('@sam', 'PATCH', `/requests/${made}`, { status: 'assigned', member_id: id('@sam') })
    await relay()
    const all = await feedOf(mounted, '@owen')
    expect(all.map(({ sequence }) => sequence)).to.deep.equal(all.map((_, index) => index + 1))
    const [created, ...later] = all
    expect(created).to.deep.include({ event: 'request.create', type: 'request', object_id: made, person_id: id('@sam') })
    expect(created?.person_name).to.equal('Sam Peters')
    expect(created?.changes?.['subject']).to.deep.equal([null, 'A new chair'])
    const status = later.find(({ event }) => event === 'request.status-changed')
    expect(status?.payload).to.deep.include({ status: 'assigned', previous_status: 'declined' })
    expect(status?.changes?.['status']).to.deep.equal(['declined', 'assigned'])
    const audit = (await ask('@owen', 'GET', `/requests/${made}/audit`)).json as readonly { changes: object }[]
    expect(audit.map(({ changes }) => changes)).to.deep.include(status?.changes)
  })

  it('tells what has made a change that no caller has chosen, as the audit does', async () => {
    const request = id('@mail-is-slow')
    await mounted.itsm.asSystem('the night shift', 'widgets').update('request', request, { subject: 'Mail is slow at night' })
    await change('@sam', '@mail-is-slow', { subject: 'Mail is slow by day' })
    await relay()
    const all = await feedOf(mounted, '@owen')
    expect(all.map((one) => [one.event, 'cause' in one, one.cause])).to.deep.equal([
      ['request.update', true, 'host: the night shift'],
      ['request.update', false, undefined],
    ])
    const audit = (await ask('@owen', 'GET', `/requests/${request}/audit?per_page=2`)).json as readonly { cause: string }[]
    expect(audit.map(({ cause }) => cause)).to.deep.equal([null, 'host: the night shift'])
  })

  it('keeps to the accounts of the caller, and moves past all others', async () => {
    await saved('@stan', 'PATCH', `/requests/${id('@stranger-request')}`, { subject: 'None of yours' })
    await change('@sam', '@mail-is-slow', { subject: 'Mail is slower' })
    await saved('@stan', 'PATCH', `/requests/${id('@stranger-request')}`, { subject: 'None of theirs' })
    await relay()
    expect(brief(await feedOf(mounted, '@owen'))).to.deep.equal([`request.update ${id('@mail-is-slow')}`])
    expect((await feedOf(mounted, '@stan')).map(({ sequence }) => sequence)).to.deep.equal([1, 3])
    const none = await ask('@owen', 'GET', '/feed?after=2')
    expect([none.json, nextOf(none)]).to.deep.equal([[], '/feed?after=3&per_page=100'])
    expect((await ask('@owen', 'GET', '/feed', undefined, { 'X-SVC-Account': 'stranger' })).status).to.equal(403)
  })

  it('shows what was passed to the account, without its audit lines and internal notes', async () => {
    const request = id('@mail-is-slow')
    await change('@sam', '@mail-is-slow', { team_id: id('@partner-team'), member_id: null, status: 'assigned' })
    await mounted.itsm.asSystem('the night shift', 'widgets').update('request', request, { subject: 'Mail is slow at night' })
    await saved('@sam', 'POST', `/requests/${request}/notes`, { text: 'Between us', internal: true })
    await saved('@sam', 'POST', `/requests/${request}/notes`, { text: 'For all of us' })
    await saved('@paula', 'POST', `/requests/${request}/notes`, { text: 'Between us, too', internal: true })
    await relay()
    const [ours, theirs] = [await feedOf(mounted, '@owen'), await feedOf(mounted, '@paula')]
    const notes = (all: readonly Told[]) =>
      all.filter(({ event }) => event === 'request.note-added').map(({ sequence }) => sequence)
    expect(notes(ours).length).to.equal(2)
    expect(notes(theirs).length).to.equal(2)
    expect(notes(ours)[0]).to.be.below(notes(theirs)[0] ?? 0)
    expect(theirs.filter(({ cause, changes }) => changes ?? cause)).to.deep.equal([])
    expect(theirs.flatMap(({ payload }) => payload?.['audit_line_id'] ?? [])).to.deep.equal([])
    expect(theirs.map(({ event }) => event)).to.include('request.team-changed')
    await change('@sam', '@mail-is-slow', { team_id: id('@email-support') })
    expect(await feedOf(mounted, '@paula')).to.deep.equal([])
  })

  it('tells of removed records nothing but that they were removed', async () => {
    const hook = await saved('@owen', 'POST', '/webhooks', { event: 'request.create', uri: 'https://hooks.example/x' })
    await saved('@owen', 'PATCH', `/webhooks/${hook}`, { disabled: true })
    await saved('@owen', 'DELETE', `/webhooks/${hook}`, {})
    await relay()
    const [gone, ...more] = await feedOf(mounted, '@owen', '&types=webhook')
    expect(more).to.deep.equal([])
    expect(Object.keys(gone ?? {})).to.deep.equal(['sequence', 'event', 'type', 'object_id', 'at'])
    expect(gone).to.deep.include({ event: 'webhook.delete', type: 'webhook', object_id: hook })
    expect(await feedOf(mounted, '@paula')).to.deep.equal([])
  })

  it('chooses types', async () => {
    await change('@sam', '@mail-is-slow', { subject: 'Mail is chosen' })
    await change('@owen', '@service-desk', { name: 'The Service Desk' }, 'teams')
    await relay()
    expect((await feedOf(mounted, '@owen', '&types=team')).map(({ type }) => type)).to.deep.equal(['team'])
    expect((await feedOf(mounted, '@owen', '&types=team,%20request,team')).length).to.equal(2)
    expect(await feedOf(mounted, '@owen', '&types=import')).to.deep.equal([])
  })

  it('comes in pages that follow each other without gaps or repeats', async () => {
    for (let number = 0; number < 7; number += 1) {
      await change('@sam', '@mail-is-slow', { subject: `Mail is slow ${number}` })
      await saved('@stan', 'PATCH', `/requests/${id('@stranger-request')}`, { subject: `Nothing ${number}` })
    }
    await relay()
    const whole = await feedOf(mounted, '@owen')
    expect(whole.length).to.equal(7)
    let [path, found] = ['/feed?after=0&per_page=2&types=request', [] as Told[]]
    for (let page = 0; page < 6; page += 1) {
      const reply = await ask('@owen', 'GET', path)
      expect((reply.json as Told[]).length).to.be.at.most(2)
      found = [...found, ...(reply.json as Told[])]
      path = nextOf(reply)
    }
    expect(found).to.deep.equal(whole)
    expect(path).to.equal('/feed?after=14&types=request&per_page=2')
  })

  it('refuses parameters that cannot be right', async () => {
    const refused: readonly (readonly [string, string])[] = [
      ['after=', "Invalid value '' for parameter 'after'"],
      ['after=-1', "Invalid value '-1' for parameter 'after'"],
      ['after=1.5', "Invalid value '1.5' for parameter 'after'"],
      ['after=1e3', "Invalid value '1e3' for parameter 'after'"],
      ['after=0x1', "Invalid value '0x1' for parameter 'after'"],
      [`after=${'9'.repeat(17)}`, `Parameter 'after' cannot be greater than ${Number.MAX_SAFE_INTEGER}`],
      [`after=${'x'.repeat(5000)}`, `Invalid value '${'x'.repeat(100)}' for parameter 'after'`],
      ["after=1'%20or%201=1", "Invalid value '1' or 1=1' for parameter 'after'"],
      ['after=1&after=two', "Invalid value 'two' for parameter 'after'"],
      ['per_page=0', "Parameter 'per_page' cannot be less than 1"],
      ['per_page=501', "Parameter 'per_page' cannot be greater than 500"],
      ['per_page=many', "Invalid value 'many' for parameter 'per_page'"],
      ['wait=31', "Parameter 'wait' cannot be greater than 30"],
      ['wait=soon', "Invalid value 'soon' for parameter 'wait'"],
      ['types=', "Invalid value '' for parameter 'types'"],
      ['types=,%20,', "Invalid value ', ,' for parameter 'types'"],
      ['types=request,sites', "Invalid value 'sites' for parameter 'types'"],
      ['types=constructor', "Invalid value 'constructor' for parameter 'types'"],
      ['types=note', "Invalid value 'note' for parameter 'types'"],
    ]
    for (const [query, message] of refused) {
      const { status, json } = await ask('@owen', 'GET', `/feed?${query}`)
      expect([status, json], query.slice(0, 40)).to.deep.equal([400, { message }])
    }
    expect((await ask('@owen', 'GET', `/feed?after=${Number.MAX_SAFE_INTEGER}`)).status).to.equal(410)
    expect((await ask('@owen', 'GET', '/feed?since=1', undefined, { Prefer: 'handling=strict' })).status).to.equal(422)
    for (const [method, path] of [
      ['POST', '/feed'],
      ['GET', '/feed/1'],
      ['DELETE', '/feed'],
    ] as const)
      expect((await ask('@owen', method, path)).status, `${method} ${path}`).to.equal(404)
  })

  it('says where to go on when messages are not kept any more', async () => {
    for (let number = 0; number < 8; number += 1) await change('@sam', '@mail-is-slow', { subject: `Mail is slow ${number}` })
    await relay()
    const messages = () => mounted.database.knex(mounted.database.storage.table('messages'))
    await messages().where('sequence', '<=', 3).delete()
    for (const after of [1, 2]) {
      const gone = await ask('@owen', 'GET', `/feed?after=${after}&types=request&wait=1`)
      const message = 'What follows is not kept any more: the oldest message is 4'
      expect([gone.status, gone.json]).to.deep.equal([410, { message, oldest: 4 }])
      expect(nextOf(gone)).to.equal('/feed?after=3&types=request&per_page=100&wait=1')
      expect(((await ask('@owen', 'GET', nextOf(gone))).json as Told[]).map(({ sequence }) => sequence)).to.deep.equal([
        4, 5, 6, 7, 8,
      ])
    }
    const problem = await ask('@owen', 'GET', '/feed?after=1', undefined, { Accept: 'application/problem+json' })
    expect(problem.json).to.deep.include({ status: 410, title: 'Gone', oldest: 4 })
    expect((await feedOf(mounted, '@owen')).length).to.equal(5)
    // A hole in the middle, as without days of keeping: messages must not be missed silently.
    await messages().whereIn('sequence', [5, 6]).delete()
    const hole = await ask('@owen', 'GET', '/feed?after=3')
    expect([hole.status, (hole.json as { oldest: number }).oldest]).to.deep.equal([410, 7])
    expect(((await ask('@owen', 'GET', nextOf(hole))).json as Told[]).length).to.equal(2)
    await messages().where('sequence', 8).delete()
    expect(((await ask('@owen', 'GET', '/feed?after=6')).json as Told[]).length).to.equal(1)
  })

  it('costs as many statements for many messages as for a few', async () => {
    const statements = countStatements(mounted.database.knex)
    const add = async (count: number) => {
      for (let number = 0; number < count; number += 1) {
        await change('@sam', '@mail-is-slow', { subject: `Mail is slow ${Math.random()}`, note: 'Still.' })
        await change('@sam', '@mail-is-down', { subject: `Mail is down ${Math.random()}`, note: 'Still.' })
        await change('@owen', '@service-desk', { name: `Service desk ${Math.random()}` }, 'teams')
      }
      await relay()
    }
    // Who has called is remembered for two seconds, and so is what they may do: one of a few calls in a row knows both.
    const cost = async () => {
      const counts: number[] = []
      for (let call = 0; call < 4; call += 1)
        counts.push(await statements.during(() => ask('@owen', 'GET', '/feed?after=0&per_page=500')))
      return Math.min(...counts)
    }
    await add(1)
    const few = await cost()
    await add(20)
    expect(await cost()).to.equal(few)
    expect(few).to.be.at.most(12)
  })
})
