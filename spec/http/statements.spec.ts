/** What one call of a known caller costs the database, in a pool that the host lends. These numbers may only fall. */
import { expect } from 'chai'
import { countStatements } from '../support/count-statements.js'
import { testStore } from '../support/database.js'
import { withMounted } from '../support/mounted.js'

interface Costs {
  readonly by: string
  /** Path of the collection in which it is created; default: that of the type. */
  readonly below?: (id: (name: string) => number) => string
  readonly body: (id: (name: string) => number) => { readonly [name: string]: unknown }
  readonly changed: object
  readonly create: number
  readonly change: number
  /** Of a change to the values that the record has already. */
  readonly repeat: number
}

const COSTS: { readonly [path: string]: Costs } = {
  requests: {
    by: '@sam',
    body: (id) => ({
      ...{ subject: 'Printer', category: 'incident', impact: 'low', note: 'It is on fire' },
      ...{ team_id: id('@service-desk'), member_id: id('@sam') },
    }),
    changed: { subject: 'Printers' },
    ...{ create: 11, change: 8, repeat: 5 },
  },
  people: {
    by: '@owen',
    body: () => ({ name: 'Zoe', primary_email: `zoe${Math.random()}@widgets.example` }),
    changed: { name: 'Zoey' },
    ...{ create: 9, change: 9, repeat: 6 },
  },
  changes: {
    by: '@carl',
    body: (id) => ({ subject: 'Move', template_id: id('@new-mail-server'), release_id: id('@winter-release') }),
    changed: { subject: 'Move again' },
    ...{ create: 19, change: 11, repeat: 7 },
  },
  tasks: {
    by: '@carl',
    below: (id) => `changes/${id('@mail-upgrade')}/tasks`,
    body: (id) => ({ subject: 'Pack', template_id: id('@approve-plan'), team_id: id('@email-support') }),
    changed: { subject: 'Pack all' },
    ...{ create: 54, change: 21, repeat: 8 },
  },
}

/** BEGIN with an isolation level is two statements where the server has several. */
const LEVEL = testStore() === 'server' ? 0 : 1

describe('the statements of a call', () => {
  const mounted = withMounted('mounted under a prefix')
  const id = (name: string) => mounted.world.id(name)
  const sent = async (by: string, method: string, path: string, body?: object) => {
    let made: { readonly id?: number } = {}
    // Who has signed in is remembered for some seconds only.
    await mounted.ask(by, 'GET', '/me')
    const count = await countStatements(mounted.database.knex).during(async () => {
      const { json, status, text } = await mounted.ask(by, method, path, body)
      expect(status, text).to.be.within(200, 201)
      made = json as typeof made
    })
    return { count, id: Number(made.id) }
  }

  for (const [path, { below = () => path, body, by, change, changed, create, repeat }] of Object.entries(COSTS)) {
    it(`that creates, changes, leaves or reads one of the ${path}`, async () => {
      await sent(by, 'POST', `/${below(id)}`, body(id))
      const made = await sent(by, 'POST', `/${below(id)}`, body(id))
      const one = `/${path}/${made.id}`
      const counts = [
        made,
        await sent(by, 'PATCH', one, changed),
        await sent(by, 'PATCH', one, changed),
        await sent(by, 'GET', one),
      ]
      const most = [create - LEVEL, change - LEVEL, repeat - LEVEL, 1]
      for (const [index, { count }] of counts.entries()) expect(count, `call ${index}`).to.be.within(1, most[index] ?? 0)
    })
  }
})
