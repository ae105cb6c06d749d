import { expect } from 'chai'
import { createApp } from '../../../plugin/http/app.js'
import { prefersStrict } from '../../../plugin/http/middleware/prefer.js'
import { type Sent, serving } from '../client.js'
import { stubs, TOKEN } from '../stubs.js'

const STRICT = { ...TOKEN, Prefer: 'handling=strict' }

describe('the header Prefer', () => {
  it('asks for strict handling in every spelling', () => {
    const strict = [
      'handling=strict',
      'Handling = Strict',
      'handling="strict"',
      'handling=strict; why=tests',
      'respond-async, wait=10 , handling=strict',
      'foo="a, handling=lenient", handling=strict',
      'handling=strict, handling=lenient',
      'foo=", handling=strict',
    ]
    for (const header of strict) expect(prefersStrict(header), header).to.equal(true)
  })

  it('asks for nothing of the kind otherwise', () => {
    const others = [
      '',
      'handling',
      'handling=lenient',
      'handling=lenient, handling=strict',
      'handling=stricter',
      'x-handling=strict',
      'foo="handling=strict"',
      'foo; handling=strict',
      'strict',
      ',,,;;==',
      `${' '.repeat(2_000)}handling=strict`,
    ]
    for (const header of others) expect(prefersStrict(header), header).to.equal(false)
  })
})

describe('http/middleware/prefer', () => {
  const ask = (path: string, sent: Sent = {}) => {
    const { deps, asked } = stubs()
    return serving(createApp(deps), async ({ send }) => ({ ...(await send(path, { headers: STRICT, ...sent })), asked }))
  }

  it('is honored by records, their lists and what else looks at parameters, and says so', async () => {
    for (const path of [
      '/v1/requests',
      '/v1/requests/open',
      '/v1/requests/1',
      '/v1/requests/1/watchers',
      '/v1/me',
      '/v1/enums',
      '/v1/',
    ]) {
      const answer = await ask(path)
      expect([answer.status, answer.headers['preference-applied']], path).to.deep.equal([200, 'handling=strict'])
    }
    const lenient = await ask('/v1/requests', { headers: TOKEN })
    expect(lenient.headers).to.not.have.property('preference-applied')
  })

  it('is not said to be honored where nobody looks at the body, or nothing is there', async () => {
    const permission = await ask('/v1/people/1/permissions/wdc?roles=specialist', { method: 'POST', body: { colour: 'red' } })
    expect([permission.status, permission.headers['preference-applied']]).to.deep.equal([200, undefined])
    expect((await ask('/v1/nothing')).headers).to.not.have.property('preference-applied')
    expect((await ask('/v1/requests', { headers: { Prefer: 'handling=strict' } })).status).to.equal(401)
  })

  it('reaches the operations', async () => {
    expect((await ask('/v1/requests?locale=nl')).asked).to.deep.equal([
      ['list', 'request', { parameters: [['locale', 'nl']], handling: 'strict' }],
    ])
    const post = { method: 'POST', body: { subject: 's' } }
    expect((await ask('/v1/requests', post)).asked[0]).to.deep.equal(['save', 'request', null, { subject: 's' }, 'strict'])
  })

  it('refuses parameters that say nothing, also where they would be passed over', async () => {
    const refused: [string, Sent, string][] = [
      ['/v1/requests/1?fields=id&page=2', {}, 'fields, page'],
      ['/v1/requests/1?status=open&status=completed', {}, 'status'],
      ['/v1/me?locale=nl', {}, 'locale'],
      ['/v1/enums?x=1', {}, 'x'],
      ['/v1/requests?locale=nl', { method: 'POST', body: { subject: 's' } }, 'locale'],
      ['/v1/requests/1?callback=f', { method: 'PATCH', body: { subject: 's' } }, 'callback'],
      ['/v1/requests/4/watchers/7?force=1', { method: 'POST' }, 'force'],
      ['/v1/requests/4/watchers?all=1', { method: 'DELETE' }, 'all'],
    ]
    for (const [path, sent, names] of refused) {
      const answer = await ask(path, sent)
      const { errors } = answer.json as { errors: [string, string][] }
      expect([answer.status, errors.map(([name]) => name).join(', '), answer.asked], path).to.deep.equal([422, names, []])
      expect(answer.headers['preference-applied']).to.equal('handling=strict')
    }
    const many = await ask(`/v1/me?${Array.from({ length: 50 }, (_, index) => `${'n'.repeat(200)}${index}=1`).join('&')}`)
    expect([many.status, many.text.length < 6_000]).to.deep.equal([422, true])
  })

  it('leaves alone what any request may have', async () => {
    for (const path of ['/v1/requests/1?_=17', '/v1/requests/1?api_token=TOKEN', '/v1/requests/1?callback=f']) {
      expect((await ask(path)).status, path).to.equal(200)
    }
    expect((await ask('/v1/requests/1?fields=id&x=1', { headers: TOKEN })).status).to.equal(200)
  })
})
