import { expect } from 'chai'
import { Forbidden } from '../../plugin/core/errors.js'
import { answerJson } from '../../plugin/http/answers/answer.js'
import { createApp } from '../../plugin/http/app.js'
import type { Endpoint } from '../../plugin/http/contract.js'
import { type Answer, type Client, serving } from './client.js'
import { type Asked, stubs, TOKEN } from './stubs.js'

type Case = [method: string, path: string, status: number, asked: Asked]
const owner = { type: 'request', id: 4 }
const change = { type: 'change', id: 4 }
const records = Object.fromEntries([1, 4, 7, 12].map((id) => [id, { id }]))
const list = (type: string, request: object = {}): Asked[number] => ['list', type, { parameters: [], ...request }]

const CASES: Case[] = [
  ['GET', '/requests', 200, [list('request')]],
  ['HEAD', '/requests', 200, [list('request')]],
  ['GET', '/requests/open', 200, [list('request', { list: 'open' })]],
  ['GET', '/requests/4', 200, [['read', 'request', 4]]],
  ['DELETE', '/tasks/4', 204, [['remove', 'task', 4]]],
  ['GET', '/requests/4/notes', 200, [list('note', { within: { ...owner, path: 'notes' } })]],
  ['GET', '/requests/4/notes/internal', 200, [list('note', { list: 'internal', within: { ...owner, path: 'notes' } })]],
  ['GET', '/requests/4/watchers', 200, [list('person', { within: { ...owner, path: 'watchers' } })]],
  ['GET', '/requests/4/watchers/enabled', 200, [list('person', { list: 'enabled', within: { ...owner, path: 'watchers' } })]],
  ['POST', '/requests/4/watchers/7', 200, [['link', owner, 'watchers', 7]]],
  ['DELETE', '/requests/4/watchers/7', 204, [['unlink', owner, 'watchers', 7]]],
  ['DELETE', '/requests/4/watchers', 204, [['unlinkAll', owner, 'watchers']]],
  ['GET', '/people/4/contacts/7', 200, [['read', 'contact', 7, { type: 'person', id: 4 }]]],
  ['DELETE', '/people/4/contacts/7', 204, [['remove', 'contact', 7, { type: 'person', id: 4 }]]],
  ['DELETE', '/people/4/contacts', 204, [['removeAll', 'contact', { type: 'person', id: 4 }]]],
  ['GET', '/notes/7', 200, [['read', 'note', 7]]],
  ['GET', '/changes/4/tasks', 200, [list('task', { within: { type: 'change', id: 4, path: 'tasks' } })]],
  ['GET', '/changes/4/guests', 200, [list('task', { within: { ...change, path: 'guests' } })]],
  ['POST', '/changes/4/guests/7', 200, [['link', change, 'guests', 7]]],
  ['DELETE', '/changes/4/guests/7', 204, [['unlink', change, 'guests', 7]]],
  ['DELETE', '/changes/4/guests', 204, [['unlinkAll', change, 'guests']]],

  // not offered
  ['POST', '/tasks', 404, []],
  ['POST', '/changes', 404, []],
  ['POST', '/notes', 404, []],
  ['DELETE', '/requests/4', 404, []],
  ['GET', '/contacts', 404, []],
  ['GET', '/requests/4/notes/7', 404, []],
  ['DELETE', '/requests/4/notes', 404, []],
  ['POST', '/requests/4/readers/7', 404, []],
  ['DELETE', '/requests/4/readers', 404, []],
  ['POST', '/requests/4/watchers', 404, []],
  ['POST', '/changes/4/helpers', 404, []],
  ['POST', '/changes/4/helpers/7', 404, []],
  ['POST', '/changes/4/guests', 404, []],
  ['GET', '/changes/4/guests/7', 404, []],
  ['DELETE', '/changes/4/tasks', 404, []],
  ['POST', '/changes/4/tasks/7', 404, []],
  ['POST', '/requests/open', 404, []],

  // unknown
  ['GET', '/requests/closed', 404, []],
  ['GET', '/requests/constructor', 404, []],
  ['GET', '/__proto__', 404, []],
  ['GET', '/requests/4/__proto__', 404, []],
  ['GET', '/requests/4/notes/7/more', 404, []],
  ['GET', '/requests//4', 404, []],
  ['GET', '/requests/-4', 404, []],
  ['GET', '/requests/4.0', 404, []],
  ['GET', '/requests/0x4', 404, []],
  ['GET', '/requests/9007199254740993', 404, []],
  ['GET', '/requests/99999999999999999999', 404, []],
  ['GET', '/requests/%E0%A4%A', 404, []],
  ['GET', '/%', 404, []],
  ['GET', '/requests/1%2F2', 404, []],
]

describe('http/router: routes from the catalog', () => {
  for (const [method, path, status, expected] of CASES) {
    it(`answers ${method} ${path} with ${status}`, async () => {
      const { deps, asked } = stubs({}, { records })
      const answer = await serving(createApp(deps), ({ send }) => send(`/v1${path}`, { method, headers: TOKEN }))
      expect([answer.status, asked]).to.deep.equal([status, expected])
    })
  }

  it('creates with 201, the full record and its address', async () => {
    const { answer, asked } = await send('POST', '/v1/requests', { subject: 'Printer' })
    expect([answer.status, answer.json]).to.deep.equal([201, { id: 1 }])
    expect(answer.headers.location).to.equal('https://desk.example/v1/requests/1')
    expect(asked).to.deep.equal([
      ['save', 'request', null, { subject: 'Printer' }],
      ['read', 'request', 1],
    ])
  })

  it('updates by PATCH and by PUT with 200 and the full record', async () => {
    for (const method of ['PATCH', 'PUT']) {
      const { answer, asked } = await send(method, '/v1/requests/4', { subject: 'Printer' })
      expect([answer.status, answer.json, answer.headers.location]).to.deep.equal([200, { id: 4 }, undefined])
      expect(asked[0]).to.deep.equal(['save', 'request', 4, { subject: 'Printer' }])
    }
  })

  it('creates a part below its owner', async () => {
    const { answer, asked } = await send('POST', '/v1/requests/4/notes', { text: 'Hello' })
    expect([answer.status, answer.json]).to.deep.equal([201, { id: 1 }])
    expect(answer.headers.location).to.equal('https://desk.example/v1/requests/4/notes/1')
    expect(asked).to.deep.equal([
      ['save', 'note', null, { text: 'Hello' }, owner],
      ['read', 'note', 1, owner],
    ])
  })

  it('updates a part below its owner', async () => {
    const { answer, asked } = await send('PATCH', '/v1/people/4/contacts/7', { uri: '1' })
    expect([answer.status, answer.json]).to.deep.equal([200, { id: 7 }])
    expect(asked[0]).to.deep.equal(['save', 'contact', 7, { uri: '1' }, { type: 'person', id: 4 }])
  })

  it('creates a record that cannot be without the one that it stands below, by any of its names', async () => {
    for (const name of ['tasks', 'jobs']) {
      const body = { subject: 'Do', change: { id: 9 }, change_id: 9 }
      const { answer, asked } = await send('POST', `/v1/changes/4/${name}`, body)
      expect([answer.status, answer.headers.location]).to.deep.equal([201, 'https://desk.example/v1/tasks/1'])
      expect(asked.slice(0, 2)).to.deep.equal([
        ['read', 'change', 4],
        ['save', 'task', null, { subject: 'Do', change_id: 4 }],
      ])
    }
  })

  it('links with an empty answer, whatever stands in the body', async () => {
    for (const path of ['/v1/changes/4/guests/7', '/v1/requests/4/watchers/7']) {
      expect((await send('POST', path, { subject: 'ignored' })).answer.json).to.deep.equal({})
    }
  })

  it('knows no path below a record that the caller cannot see', async () => {
    const { answer, asked } = await send('POST', '/v1/changes/99/tasks', { subject: 'Do' })
    expect([answer.status, asked]).to.deep.equal([404, [['read', 'change', 99]]])
  })

  it('answers with the id when the caller may save but not see the record', async () => {
    const { deps } = stubs({}, { records: {} })
    await serving(createApp(deps), async ({ send }) => {
      const created = await send('/v1/requests', { method: 'POST', headers: TOKEN, body: { subject: 'x' } })
      expect([created.status, created.json]).to.deep.equal([201, { id: 1 }])
    })
  })

  it('answers with the id when the caller may save but not read the record', async () => {
    const { deps } = stubs()
    const read = () => Promise.reject(new Forbidden())
    await serving(createApp({ ...deps, operations: { ...deps.operations, read } }), async ({ send }) => {
      const changed = await send('/v1/requests/4', { method: 'PATCH', headers: TOKEN, body: { subject: 'x' } })
      expect([changed.status, changed.json]).to.deep.equal([200, { id: 4 }])
    })
  })

  it('answers a link with an empty object and ignores what is posted with it', async () => {
    const { answer } = await send('POST', '/v1/requests/4/watchers/7', 'not JSON')
    expect([answer.status, answer.json]).to.deep.equal([200, {}])
  })

  it('hands parameters on in their order, decoded, with operators whole', async () => {
    const { deps, asked } = stubs()
    await serving(createApp(deps), async ({ send }) => {
      await send('/v1/requests?b=1&created_at=>=2020-01-01&id!=15&a=x%2Cy+z&b=2&e=&f', { headers: TOKEN })
      const parameters = [
        ['b', '1'],
        ['created_at', '>=2020-01-01'],
        ['id!', '15'],
        ['a', 'x,y z'],
        ['b', '2'],
        ['e', ''],
        ['f', ''],
      ]
      expect(asked).to.deep.equal([['list', 'request', { parameters }]])
    })
  })

  it('forgives malformed escapes in parameters', async () => {
    const { deps } = stubs()
    await serving(createApp(deps), async ({ send }) => {
      expect((await send('/v1/requests?subject=100%&x=%E0%A4%A', { headers: TOKEN })).status).to.equal(200)
    })
  })

  it('lets registered endpoints win over the catalog', async () => {
    const description = { operation: 'try', summary: 'Repeat', description: 'Says what it was asked.', answers: {} }
    const endpoints: Endpoint[] = [
      {
        method: 'POST',
        path: '/requests/:id/satisfied',
        description,
        post: { act: async (ctx) => ({ status: 200, value: ctx.state.itsm.named }) },
      },
      { method: 'GET', path: '/import/:token', description, run: (ctx) => answerJson(ctx, 200, ctx.state.itsm.named) },
      {
        method: 'POST',
        path: '/events',
        description,
        body: 'form',
        post: { act: async (ctx) => ({ status: 201, value: ctx.state.itsm.body }) },
      },
      {
        method: 'POST',
        path: '/import',
        description,
        body: 'own',
        post: {
          receive: async (ctx, _, respond) => {
            let size = 0
            for await (const chunk of ctx.req) size += (chunk as Buffer).length
            const by = { accountId: 'wdc', personId: 1 }
            await respond({ by, digest: async () => '' }, async () => ({ status: 200, value: { size } }))
          },
        },
      },
    ]
    const { deps } = stubs({ endpoints })
    await serving(createApp(deps), async ({ send }) => {
      const post = (path: string, sent: object = {}) => send(path, { method: 'POST', headers: TOKEN, ...sent })
      expect((await post('/v1/requests/5/satisfied')).json).to.deep.equal({ id: '5' })
      expect((await post('/v1/requests/x/satisfied')).status).to.equal(404)
      expect((await send('/v1/import/a%20b', { headers: TOKEN })).json).to.deep.equal({ token: 'a b' })
      expect((await post('/v1/import', { body: 'x'.repeat(3_000_000) })).json).to.deep.equal({ size: 3_000_000 })
      const form = { headers: { ...TOKEN, 'Content-Type': 'application/x-www-form-urlencoded' } }
      expect((await post('/v1/events', { ...form, body: 'subject=a+b&__proto__=x' })).json).to.deep.equal({ subject: 'a b' })
      expect((await post('/v1/events', { ...form, body: '{"subject":"c"}' })).json).to.deep.equal({ subject: 'c' })
    })
  })
})

async function send(method: string, path: string, body: object | string): Promise<{ answer: Answer; asked: Asked }> {
  const { deps, asked } = stubs({}, { records })
  const answer = await serving(createApp(deps), ({ send }: Client) => send(path, { method, headers: TOKEN, body }))
  return { answer, asked }
}
