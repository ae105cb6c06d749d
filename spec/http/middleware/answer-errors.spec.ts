import { expect } from 'chai'
import { Forbidden, HookFailed, ItsmError, TimedOut, TooManyRequests } from '../../../plugin/core/errors.js'
import { createApp } from '../../../plugin/http/app.js'
import { serving } from '../client.js'
import { stubs, TOKEN } from '../stubs.js'

/** The answer when an operation throws this. */
async function answerTo(fail: unknown) {
  const { deps, logged } = stubs({}, { fail })
  const answer = await serving(createApp(deps), ({ send }) => send('/v1/requests?api_token=TOKEN'))
  return { ...answer, logged }
}

describe('http/middleware/answer-errors', () => {
  it('lists every violation in order, in the language of the caller', async () => {
    const { deps } = stubs(
      {},
      {
        refuse: [
          ['subject', 'blank'],
          ['subject', 'too_long', { maximum: 80 }],
          ['base', 'odd'],
        ],
      },
    )
    await serving(createApp(deps), async ({ send }) => {
      const headers = { ...TOKEN, 'X-SVC-Language': 'fr' }
      const { status, json, headers: answered } = await send('/v1/requests', { method: 'POST', headers, body: {} })
      expect([status, json]).to.deep.equal([
        422,
        {
          message: 'Validation Failed',
          errors: [
            ['subject', 'fr request.subject blank'],
            ['subject', 'fr request.subject too_long {"maximum":80}'],
            ['base', 'fr odd'],
          ],
        },
      ])
      expect(answered['content-type']).to.equal('application/json; charset=utf-8')
    })
  })

  it('keeps status, message and headers of deliberate errors', async () => {
    const forbidden = await answerTo(new Forbidden())
    expect([forbidden.status, forbidden.json]).to.deep.equal([403, { message: 'Forbidden' }])
    const many = await answerTo(new TooManyRequests(4.2))
    expect([many.status, many.json, many.headers['retry-after']]).to.deep.equal([429, { message: 'Too Many Requests' }, '5'])
  })

  it('never lets the text of another error out, but logs it with the id of the request and without the query', async () => {
    const driver = new Error("ER_PARSE_ERROR near 'SELECT password_hash'")
    const { status, json, text, headers, logged } = await answerTo(driver)
    expect([status, json]).to.deep.equal([500, { message: 'Internal Server Error' }])
    expect(text).to.not.include('SELECT')
    const [level, details] = logged[0] ?? []
    expect(level).to.equal('error')
    expect(details).to.include({ err: driver, requestId: headers['x-request-id'], method: 'GET', path: '/v1/requests' })
    expect(JSON.stringify(details)).to.not.include('TOKEN')
  })

  it('answers 500 to a failing hook of the host and to things that are no errors', async () => {
    expect((await answerTo(new HookFailed('authorize for task.update', new Error('x')))).json).to.deep.equal({
      message: 'Internal Server Error',
    })
    expect((await answerTo('a text')).status).to.equal(500)
    expect((await answerTo(null)).status).to.equal(500)
    expect((await answerTo({ status: 700 })).status).to.equal(500)
  })

  it('has one text for each status from 500 on, whatever was written into the message', async () => {
    const touched = Object.assign(new TimedOut(), { message: "insert into `itsm_notes` values ('Secret')" })
    expect((await answerTo(touched)).json).to.deep.equal({ message: 'Gateway timeout' })
    expect((await answerTo(new ItsmError(502, 'Secret'))).json).to.deep.equal({ message: 'Bad Gateway' })
    expect((await answerTo(new ItsmError(507, 'Secret'))).json).to.deep.equal({ message: 'Insufficient Storage' })
  })

  it('answers 503 when the database is away', async () => {
    const { status, json } = await answerTo(Object.assign(new Error('connect 10.0.0.1'), { code: 'ECONNREFUSED' }))
    expect([status, json]).to.deep.equal([503, { message: 'Service Unavailable' }])
  })

  it('understands errors of body parsers', async () => {
    const tooBig = await answerTo(Object.assign(new Error('options.maxFileSize'), { httpCode: 413, code: 1009 }))
    expect([tooBig.status, tooBig.json]).to.deep.equal([
      422,
      { message: 'Validation Failed', errors: [['file', 'en-US request.file file_too_big {"max":20}']] },
    ])
    const malformed = await answerTo(Object.assign(new Error('no boundary'), { httpCode: 400, code: 1012 }))
    expect([malformed.status, malformed.json]).to.deep.equal([400, { message: 'Bad Request' }])
    expect((await answerTo(Object.assign(new Error('x'), { status: 415 }))).status).to.equal(400)
    expect((await answerTo(Object.assign(new Error('x'), { status: 404 }))).json).to.deep.equal({ message: 'Not Found' })
  })

  it('survives a failure of the words', async () => {
    const words = { sentence: () => JSON.parse('{'), fieldLabel: () => '', valueLabel: () => '', languageOf: () => 'en-US' }
    const { deps, logged } = stubs({ words }, { refuse: [['subject', 'blank']] })
    await serving(createApp(deps), async ({ send }) => {
      const { status, headers } = await send('/v1/requests', { method: 'POST', headers: TOKEN, body: {} })
      expect([status, logged.length]).to.deep.equal([500, 1])
      expect(headers).to.have.property('x-runtime')
    })
  })
})
