/** What one call of a known caller costs the database, in a pool that the host lends. These numbers may only fall. */
import { expect } from 'chai'
import { countStatements } from '../support/count-statements.js'
import { testStore } from '../support/database.js'
import { withMounted } from '../support/mounted.js'

interface Costs {
  readonly by: string
  /** Path of its collection; default: the name of the costs. */
  readonly path?: string
  /** Path of the collection in which it is created; default: that of the type. */
  readonly below?: (id: (name: string) => number) => string
  readonly body: (id: (name: string) => number) => { readonly [name: string]: unknown }
  readonly changed: object | ((id: (name: string) => number) => object)
  /** True if it has a unique value, for which the embedded database is asked before it is created. */
  readonly isUnique?: true
  readonly create: number
  readonly change: number
  /** Of a change to the values that the record has already. */
  readonly repeat: number
}

const COSTS: { readonly [name: string]: Costs } = {
  requests: {
    by: '@sam',
    body: (id) => ({
      ...{ subject: 'Printer', category: 'incident', impact: 'low', note: 'It is on fire' },
      ...{ team_id: id('@service-desk'), member_id: id('@sam') },
    }),
    changed: { subject: 'Printers' },
    ...{ create: 10, change: 8, repeat: 5 },
  },
  'requests of a monitor': {
    path: 'requests',
    by: '@dana',
    body: (id) => ({
      ...{ subject: 'Printer', category: 'incident', impact: 'low', status: 'assigned', note: 'It is on fire' },
      ...{ requested_by_id: id('@eva'), requested_for_id: id('@hank'), team_id: id('@service-desk'), member_id: id('@sam') },
      ...{ source: 'Nagios', sourceID: String(Math.random()) },
    }),
    changed: (id) => ({ status: 'accepted', member_id: id('@marc') }),
    isUnique: true,
    ...{ create: 10, change: 10, repeat: 5 },
  },
  people: {
    by: '@owen',
    body: () => ({ name: 'Zoe', primary_email: `zoe${Math.random()}@widgets.example` }),
    changed: { name: 'Zoey' },
    isUnique: true,
    ...{ create: 8, change: 9, repeat: 6 },
  },
  changes: {
    by: '@carl',
    body: (id) => ({ subject: 'Move', template_id: id('@new-mail-server'), release_id: id('@winter-release') }),
    changed: { subject: 'Move again' },
    ...{ create: 17, change: 11, repeat: 7 },
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

  for (const [name, costs] of Object.entries(COSTS)) {
    const { path = name, below = () => path, body, by, change, changed, create, isUnique, repeat } = costs
    it(`that creates, changes, leaves or reads one of the ${name}`, async () => {
      await sent(by, 'POST', `/${below(id)}`, body(id))
      const made = await sent(by, 'POST', `/${below(id)}`, body(id))
      const one = `/${path}/${made.id}`
      const changes = typeof changed === 'function' ? changed(id) : changed
      const counts = [
        made,
        await sent(by, 'PATCH', one, changes),
        await sent(by, 'PATCH', one, changes),
        await sent(by, 'GET', one),
      ]
      const most = [create - (isUnique ? 0 : LEVEL), change - LEVEL, repeat - LEVEL, 1]
      for (const [index, { count }] of counts.entries()) expect(count, `call ${index}`).to.be.within(1, most[index] ?? 0)
    })
  }
})
