import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import {
  BadRequest,
  Forbidden,
  Invalid,
  NotFound,
  PreconditionFailed,
  TooManyRequests,
  Unavailable,
} from '../../../plugin/core/errors.js'
import { createApp } from '../../../plugin/http/app.js'
import type { Endpoint } from '../../../plugin/http/contract.js'
import { sentences, VIOLATION_CODES } from '../../../plugin/words/sentences/en.js'
import { type Sent, serving } from '../client.js'
import { type StubOptions, stubs, TOKEN } from '../stubs.js'

const PROBLEM = 'application/problem+json'

async function ask(path: string, accept: string, sent: Sent = {}, options: StubOptions = {}) {
  const { deps } = stubs({}, options)
  const headers = { ...TOKEN, Accept: accept, ...sent.headers }
  return serving(createApp(deps), ({ send }) => send(path, { ...sent, headers }))
}

describe('problem details', () => {
  it('are what a client gets that names them, unless it prefers plain JSON', async () => {
    const wanted = [
      PROBLEM,
      `application/json, ${PROBLEM}`,
      `${PROBLEM};q=0.5, application/json;q=0.5, */*`,
      `*/*, ${PROBLEM}`,
      `application/json;q=0.1, */*, ${PROBLEM};q=0.5`,
    ]
    for (const accept of wanted) {
      const { status, headers, json } = await ask('/v1/requests/9', accept)
      expect([status, headers['content-type'], json], accept).to.deep.equal([
        ...[404, PROBLEM, { type: 'about:blank', title: 'Not Found', status: 404, detail: 'Not Found' }],
      ])
      expect(headers.vary).to.contain('Accept')
    }
    const plain = ['*/*', 'application/*', 'application/json', `${PROBLEM};q=0.5, application/json`, `${PROBLEM};q=0, */*`]
    plain.push(`${PROBLEM};q=0.5, */*`, `*/*, ${PROBLEM};q=0.1`, `application/*;q=0.6, ${PROBLEM};q=0.5`)
    for (const accept of plain) {
      const { status, headers, json } = await ask('/v1/requests/9', accept)
      expect([status, headers['content-type'], json], accept).to.deep.equal([
        ...[404, 'application/json; charset=utf-8', { message: 'Not Found' }],
      ])
    }
  })

  it('are for errors: what succeeds is plain JSON', async () => {
    const { status, headers, json } = await ask('/v1/requests/1', PROBLEM)
    expect([status, headers['content-type'], json]).to.deep.equal([
      ...[200, 'application/json; charset=utf-8', { id: 1, name: 'one' }],
    ])
  })

  it('are of every status', async () => {
    const failures = [
      ...[new BadRequest('Bad'), new Forbidden(), new NotFound(), new PreconditionFailed(), new TooManyRequests(7)],
      ...[new Unavailable(), new Error('secret')],
    ]
    const details = []
    for (const fail of failures) {
      const { status, headers, json } = await ask('/v1/requests', PROBLEM, {}, { fail })
      const { detail, ...rest } = json as { detail: string; status: number }
      expect([headers['content-type'], rest.status, Object.keys(rest)]).to.deep.equal([
        PROBLEM,
        status,
        ['type', 'title', 'status'],
      ])
      details.push([status, detail, headers['retry-after']])
    }
    expect(details).to.deep.equal([
      [400, 'Bad', undefined],
      [403, 'Forbidden', undefined],
      [404, 'Not Found', undefined],
      [412, 'Precondition Failed', undefined],
      [429, 'Too Many Requests', '7'],
      [503, 'Service Unavailable', '5'],
      [500, 'Internal Server Error', undefined],
    ])
    expect((await ask('/v1/requests', PROBLEM, { headers: { Authorization: 'Bearer no' } })).json).to.include({ status: 401 })
    expect((await ask('/v1/requests.xml', PROBLEM)).json).to.include({ status: 406, title: 'Not Acceptable' })
    expect((await ask('/v1/requests', PROBLEM, { method: 'POST', body: '{' })).json).to.include({ status: 400 })
  })

  it('point to each violation, with its code and values, in the language of the caller', async () => {
    const { status, headers, json } = await ask(
      '/v1/requests',
      PROBLEM,
      { method: 'POST', body: { subject: 'x', member_id: 4 }, headers: { 'X-SVC-Language': 'fr' } },
      {
        refuse: [
          ['subject', 'too_long', { max: 80 }],
          ['member', 'cannot_be_found'],
          ['base', 'Own words of a host'],
        ],
      },
    )
    expect([status, headers['content-language']]).to.deep.equal([422, 'fr'])
    expect(json).to.deep.equal({
      ...{ type: 'about:blank', title: 'Unprocessable Entity', status: 422, detail: 'Validation Failed' },
      errors: [
        {
          pointer: '/subject',
          field: 'subject',
          code: 'too_long',
          detail: 'fr request.subject too_long {"max":80}',
          params: { max: 80 },
        },
        {
          pointer: '/member_id',
          field: 'member',
          code: 'cannot_be_found',
          detail: 'fr request.member cannot_be_found',
          params: {},
        },
        { pointer: '', field: 'base', code: 'other', detail: 'fr Own words of a host', params: {} },
      ],
    })
  })

  it('have no pointer for parameters of the query', async () => {
    const { json } = await ask('/v1/requests/1?colour=red', PROBLEM, { headers: { Prefer: 'handling=strict' } })
    expect((json as { errors: object[] }).errors).to.deep.equal([
      {
        pointer: null,
        field: 'colour',
        code: 'unknown_parameter',
        detail: 'en-US request.colour unknown_parameter',
        params: {},
      },
    ])
  })

  it('point to nothing for what came in the query, or could have', async () => {
    const endpoint: Endpoint = {
      ...{ method: 'POST', path: '/events', type: 'request', body: 'form' },
      description: { operation: 'submit', summary: 'Submit', description: 'Refuses all.', answers: {} },
      post: {
        act: async () => {
          throw new Invalid([
            ['subject', 'blank'],
            ['member', 'cannot_be_found'],
            ['roles', 'invalid'],
          ])
        },
      },
    }
    const pointersOf = async (path: string, body?: object) => {
      const sent = { method: 'POST', headers: { ...TOKEN, Accept: PROBLEM }, ...(body ? { body } : {}) }
      const app = createApp({ ...stubs().deps, endpoints: [endpoint] })
      const { json } = await serving(app, ({ send }) => send(path, sent))
      return (json as { errors: { pointer: string | null }[] }).errors.map(({ pointer }) => pointer)
    }
    expect(await pointersOf('/v1/events?member_id=4')).to.deep.equal([null, null, null])
    expect(await pointersOf('/v1/events?member_id=4', { subject: ' ' })).to.deep.equal(['/subject', null, '/roles'])
    expect(await pointersOf('/v1/events', { member: 4 })).to.deep.equal(['/subject', '/member', '/roles'])
  })

  it('fit into scripts, compressed responses and HEAD', async () => {
    const script = await ask('/v1/requests/9?callback=cb&api_token=TOKEN', `${PROBLEM}, */*`)
    expect(script.text).to.match(/^\/\*\*\/cb\(\{"meta":\{"status":404,.*"Content-Type":"application\/problem\+json"/)
    expect(script.headers['content-type']).to.contain('javascript')
    const head = await ask('/v1/requests/9', PROBLEM, { method: 'HEAD' })
    expect([head.status, head.headers['content-type'], head.text]).to.deep.equal([404, PROBLEM, ''])
    const { deps } = stubs({}, { refuse: Array.from({ length: 50 }, () => ['subject', 'blank'] as const) })
    const { port, ...zipped } = await serving(createApp(deps), async ({ port }) => {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/requests`, {
        ...{ method: 'POST', body: '{}', headers: { ...TOKEN, Accept: PROBLEM, 'Accept-Encoding': 'gzip' } },
      })
      return { port, type: answer.headers.get('Content-Type'), encoding: answer.headers.get('Content-Encoding') }
    })
    expect(zipped).to.deep.equal({ type: PROBLEM, encoding: 'gzip' })
  })

  it('have codes and messages that the documentation lists', () => {
    const behaviour = readFileSync('plugin/docs/behaviour.md', 'utf8')
    const [, section = ''] = behaviour.split('\n### Problem details\n')
    const [table = ''] = section.split('\n### ')
    const listed = [...table.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, code = '', message = '']) => [code, message])
    const messages = Object.entries(sentences).filter(([code]) => VIOLATION_CODES.includes(code))
    expect(listed).to.deep.equal([...messages, ['other', 'a message of the host without a code']])
  })
})
