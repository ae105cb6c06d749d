import { connect } from 'node:net'
import { expect } from 'chai'
import Koa from 'koa'
import type { Context } from '../../../plugin/http/contract.js'
import { answerError } from '../../../plugin/http/middleware/answer-errors.js'
import { readForm } from '../../../plugin/http/requests/form-body.js'
import { serving } from '../client.js'
import { stubs } from '../stubs.js'

const TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** Responds with the form, or its refusal. */
function app(within?: number): Koa {
  const { deps } = stubs()
  return new Koa().use(async (ctx) => {
    const context = ctx as unknown as Context
    context.state.itsm = { parameters: [] } as unknown as Context['state']['itsm']
    try {
      ctx.body = await readForm(context, within)
    } catch (error) {
      answerError(deps, context, error)
    }
  })
}

describe('http/form-body', () => {
  it('keeps the order and the names that come several times', async () => {
    await serving(app(), async ({ send }) => {
      const read = async (body: string) => (await send('/', { method: 'POST', headers: TYPE, body })).json
      expect(await read('b=1&a=%C3%BC+x&b=2&c&__proto__=1')).to.deep.equal([
        ...[
          ['b', '1'],
          ['a', 'ü x'],
          ['b', '2'],
          ['c', ''],
          ['__proto__', '1'],
        ],
      ])
      expect(await read('a=%ff%00')).to.deep.equal([['a', '\ufffd\0']])
    })
  })

  it('does not wait for a form that does not come', async () => {
    const text = await serving(app(50), async ({ port }) => {
      const socket = connect(port, '127.0.0.1')
      socket.write(
        'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\na=',
      )
      for await (const chunk of socket) return String(chunk)
      return ''
    })
    expect(text).to.match(/^HTTP\/1.1 408 /)
    expect(text).to.include('"error":"invalid_request"')
  })
})
