import { expect } from 'chai'
import { systemClock } from '../../plugin/core/clock.js'
import type { Outcome } from '../../plugin/deliveries/delivery.js'
import type { Fault } from '../../plugin/webhooks/delivery-faults.js'
import { createRequester, type Requester, type RequesterDeps } from '../../plugin/webhooks/safe-request.js'
import { withNock } from '../support/nock.js'
import { MINUTE, withWebhooks } from '../support/webhooks.js'

const HOOK = 'https://hooks.widgets.example/itsm?secret=1'
const MESSAGE = { headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }, body: 'name=value' }

describe('faults of receivers', () => {
  const { nock, fetch } = withNock()
  const requesters: Requester[] = []

  afterEach(async () => {
    for (const requester of requesters.splice(0)) await requester.close()
  })

  function post(uri = HOOK, deps: Partial<RequesterDeps> = {}): Promise<Outcome> {
    const requester = createRequester({ clock: systemClock, userAgent: 'koa-itsm/1.0 (docs)', timeoutMs: 1000, fetch, ...deps })
    requesters.push(requester)
    return requester.post({ uri, ...MESSAGE })
  }
  const scope = () => nock('https://hooks.widgets.example').post('/itsm?secret=1', 'name=value')
  const failing = async (fault: { code: string; message?: string }) => {
    scope().replyWithError(Object.assign(new Error(fault.message ?? 'secret text of a driver'), fault))
    return post()
  }

  it('are told in our own words: names, connections', async () => {
    const reasons: Record<string, readonly [string, Fault]> = {
      ENOTFOUND: ['Host name not found', { code: 'host_not_found' }],
      EAI_AGAIN: ['Host name not found', { code: 'host_not_found' }],
      ECONNREFUSED: ['Connection refused', { code: 'connection_refused' }],
      ECONNRESET: ['Connection closed by the receiver', { code: 'connection_closed' }],
      EPIPE: ['Connection closed by the receiver', { code: 'connection_closed' }],
      EHOSTUNREACH: ['Host is unreachable', { code: 'host_unreachable' }],
      ENETUNREACH: ['Host is unreachable', { code: 'host_unreachable' }],
      ETIMEDOUT: ['Connection timed out', { code: 'connection_timed_out' }],
      UND_ERR_CONNECT_TIMEOUT: ['Connection timed out', { code: 'connection_timed_out' }],
      UND_ERR_SOCKET: ['Connection closed by the receiver', { code: 'connection_closed' }],
      HPE_INVALID_CONSTANT: ['The response is not HTTP', { code: 'not_http' }],
      UND_ERR_HEADERS_OVERFLOW: ['The headers of the response are too long', { code: 'head_too_long' }],
      UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['The response is not HTTP', { code: 'not_http' }],
      ERR_ASSERTION: ['The response is not HTTP', { code: 'not_http' }],
      ESOMETHING: ['Request failed: ESOMETHING', { code: 'request_failed', params: { kind: 'ESOMETHING' } }],
    }
    for (const [code, [reason, fault]] of Object.entries(reasons)) {
      expect(await failing({ code }), code).to.deep.equal({ ok: false, reason, fault })
    }
  })

  it('are told in our own words: whatever a function of the host rejects with', async () => {
    const kinds: readonly (readonly [unknown, string])[] = [
      [undefined, 'Error'],
      [null, 'Error'],
      ['10.1.2.3 is down', 'Error'],
      [{}, 'Error'],
      [new TypeError('fetch failed'), 'TypeError'],
      [new DOMException('late', 'TimeoutError'), 'TimeoutError'],
      [{ code: 'connect 10.1.2.3:443', name: 'x'.repeat(300) }, 'Error'],
    ]
    for (const [error, kind] of kinds) {
      const fault = { code: 'request_failed', params: { kind } }
      const outcome = await post(HOOK, { fetch: () => Promise.reject(error) })
      expect(outcome, String(error)).to.deep.equal({ ok: false, reason: `Request failed: ${kind}`, fault })
    }
  })

  it('are told in our own words: certificates', async () => {
    for (const code of [
      'CERT_HAS_EXPIRED',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'ERR_SSL_WRONG_VERSION_NUMBER',
    ]) {
      const message = 'certificate of mail.internal, serial 4711'
      const fault = { code: 'tls_problem', params: { kind: code } }
      expect(await failing({ code, message }), code).to.deep.equal({ ok: false, reason: `TLS problem: ${code}`, fault })
    }
  })

  it('are a time-out when the answer does not come, also from a function that does not look at its signal', async () => {
    scope().delay(5000).reply(200)
    const late = { ok: false, reason: 'Timeout after 0.1 seconds', fault: { code: 'timeout', params: { seconds: 0.1 } } }
    expect(await post(HOOK, { timeoutMs: 100 })).to.deep.equal(late)
    const deaf = await post(HOOK, { timeoutMs: 100, fetch: () => new Promise(() => {}) })
    expect(deaf).to.deep.equal(late)
  })

  it('are redirects, which lead nowhere, least of all to the address at which a cloud describes its machines', async () => {
    const metadata = nock('http://169.254.169.254').post(/.*/).reply(200).get(/.*/).reply(200)
    scope().reply(307, '', { location: 'http://169.254.169.254/latest/meta-data/' })
    expect(await post()).to.deep.equal({ ok: false, status: 307, reason: '307 Temporary Redirect' })
    expect(metadata.isDone()).to.equal(false)
  })

  it('do not come from addresses in figures that may not be reached: they are not asked', async () => {
    for (const host of ['169.254.169.254', '168.63.129.16', '127.0.0.1', '[::127.0.0.1]', '[fd00:ec2::254]']) {
      const asked = nock(`http://${host}`).post('/').reply(200)
      const barred = { ok: false, reason: 'Address is not public', fault: { code: 'address_not_public' } }
      expect(await post(`http://${host}/`), host).to.deep.equal(barred)
      expect(asked.isDone(), host).to.equal(false)
      nock.cleanAll()
    }
    nock('http://10.1.2.3').post('/').reply(200)
    expect(await post('http://10.1.2.3/', { allowNetworks: ['10.1.0.0/16'] })).to.deep.equal({ ok: true, status: 200 })
  })

  it('do not come from addresses that are none', async () => {
    for (const uri of ['nowhere', 'ftp://hooks.widgets.example/', '']) {
      const invalid = { ok: false, reason: 'Address is invalid', fault: { code: 'address_invalid' } }
      expect(await post(uri), uri).to.deep.equal(invalid)
    }
  })

  it('are not of our making: the request is the same whoever sends it', async () => {
    nock('https://hooks.widgets.example', {
      reqheaders: {
        'user-agent': 'koa-itsm/1.0 (docs)',
        'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
        authorization: `Basic ${Buffer.from('ops:päss').toString('base64')}`,
      },
    })
      .post('/itsm?secret=1', 'name=value')
      .reply(204)
    expect(await post(HOOK.replace('//', '//ops:p%C3%A4ss@'))).to.deep.equal({ ok: true, status: 204 })
  })

  describe('while delivering', () => {
    const world = withWebhooks()

    it('are tried again in time, noted, and told by mail once', async () => {
      const id = await world.addWebhook({ uri: HOOK })
      await world.queue(id, 1)
      const { deliverDue } = world.deliveries({ fetch, allowPrivateAddresses: false })
      const faults = ['ENOTFOUND', 'CERT_HAS_EXPIRED', 'ECONNRESET']
      const noted: unknown[] = []
      for (const code of faults) {
        nock('https://hooks.widgets.example')
          .post('/itsm?secret=1')
          .replyWithError(Object.assign(new Error('x'), { code }))
        const { failed, next } = await deliverDue()
        expect(failed).to.equal(1)
        noted.push((await world.waiting())[0]?.['last_error'])
        world.clock.set(next?.toISOString() ?? '')
      }
      expect(noted).to.deep.equal(['Host name not found', 'TLS problem: CERT_HAS_EXPIRED', 'Connection closed by the receiver'])
      expect(world.mails.map(({ subject }) => subject)).to.deep.equal(['Webhook Told of requests could not be delivered'])
      nock('https://hooks.widgets.example').post('/itsm?secret=1').reply(200)
      expect(await deliverDue()).to.deep.equal({ delivered: 1, failed: 0, next: null })
      world.clock.pass(MINUTE)
    })
  })
})
