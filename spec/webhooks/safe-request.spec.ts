import { connect, createServer } from 'node:net'
import { expect } from 'chai'
import { systemClock } from '../../plugin/core/clock.js'
import type { Outcome } from '../../plugin/deliveries/delivery.js'
import { createRequester, type Requester, type RequesterDeps } from '../../plugin/webhooks/safe-request.js'
import { type Receiver, type ReceiverOptions, startReceiver } from '../support/receiver.js'

const MESSAGE = { headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }, body: 'name=value' }

describe('requests to receivers', () => {
  const receivers: Receiver[] = []
  const requesters: Requester[] = []

  afterEach(async () => {
    for (const requester of requesters.splice(0)) await requester.close()
    for (const receiver of receivers.splice(0)) await receiver.close()
  })

  async function receiver(answer?: ReceiverOptions['answer']): Promise<Receiver> {
    const started = await startReceiver(answer ? { answer } : {})
    receivers.push(started)
    return started
  }

  function requester(deps: Partial<RequesterDeps> = {}): Requester {
    const made = createRequester({
      clock: systemClock,
      userAgent: 'koa-itsm/1.0 (docs)',
      allowPrivateAddresses: true,
      timeoutMs: 2000,
      ...deps,
    })
    requesters.push(made)
    return made
  }

  async function outcomeOf(
    answer: NonNullable<ReceiverOptions['answer']>,
    deps: Partial<RequesterDeps> = {},
  ): Promise<Outcome> {
    const { url } = await receiver(answer)
    return requester(deps).post({ uri: url, ...MESSAGE })
  }

  it('are POSTs that say who they come from', async () => {
    const { url, received } = await receiver()
    expect(await requester().post({ uri: `${url}/hook?secret=1`, ...MESSAGE })).to.deep.equal({ ok: true, status: 200 })
    expect(received[0]?.path).to.equal('/hook?secret=1')
    expect(received[0]?.body).to.deep.equal({ name: 'value' })
    expect(received[0]?.headers).to.include({
      'user-agent': 'koa-itsm/1.0 (docs)',
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      'content-length': '10',
    })
  })

  it('turn credentials in the address into an Authorization header', async () => {
    const { url, received } = await receiver()
    await requester().post({ uri: url.replace('//', '//us%40er:p%C3%A4ss%2F@'), ...MESSAGE })
    expect(received[0]?.headers.authorization).to.equal(`Basic ${Buffer.from('us@er:päss/').toString('base64')}`)
    expect(received[0]?.headers.host).to.equal(url.slice('http://'.length))
    expect(received[0]?.path).to.equal('/')
  })

  it('succeed with any 2xx status', async () => {
    for (const status of [200, 201, 202, 204, 299]) {
      expect(await outcomeOf(() => status), String(status)).to.deep.equal({ ok: true, status })
    }
  })

  it('fail with any other status, and say which', async () => {
    expect(await outcomeOf(() => 404)).to.deep.equal({ ok: false, status: 404, reason: '404 Not Found' })
    expect(await outcomeOf(() => 500)).to.deep.equal({
      ok: false,
      status: 500,
      reason: '500 Internal Server Error',
    })
    expect(await outcomeOf(() => ({ status: 418, reason: 'short and stout' }))).to.deep.equal({
      ok: false,
      status: 418,
      reason: '418 short and stout',
    })
  })

  it('do not follow redirects', async () => {
    const target = await receiver()
    const outcome = await outcomeOf(() => ({ status: 307, headers: { location: target.url } }))
    expect(outcome).to.deep.equal({ ok: false, status: 307, reason: '307 Temporary Redirect' })
    expect(target.received).to.have.length(0)
  })

  it('fail when there is no answer in time', async () => {
    expect(await outcomeOf(() => 'hang', { timeoutMs: 200 })).to.deep.equal({
      ok: false,
      reason: 'Timeout after 0.2 seconds',
      fault: { code: 'timeout', params: { seconds: 0.2 } },
    })
  })

  it('do not fail because the body of a good answer never ends', async () => {
    const server = createServer((socket) =>
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nx')),
    )
    server.listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const outcome = await requester({ timeoutMs: 200 }).post({ uri: `http://127.0.0.1:${port}`, ...MESSAGE })
    server.close()
    expect(outcome).to.deep.equal({ ok: true, status: 200, answer: 'x' })
  })

  it('fail when the receiver ends the connection', async () => {
    expect(await outcomeOf(() => 'close')).to.deep.equal({
      ok: false,
      reason: 'Connection closed by the receiver',
      fault: { code: 'connection_closed' },
    })
  })

  it('fail when nobody listens', async () => {
    const gone = await startReceiver()
    await gone.close()
    expect(await requester().post({ uri: gone.url, ...MESSAGE })).to.deep.equal({
      ok: false,
      reason: 'Connection refused',
      fault: { code: 'connection_refused' },
    })
  })

  it('fail when the answer is not HTTP', async () => {
    const server = createServer((socket) => socket.end('220 mail.example.com ESMTP\r\n'))
    server.listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const outcome = await requester().post({ uri: `http://127.0.0.1:${port}`, ...MESSAGE })
    server.close()
    expect(outcome).to.deep.equal({ ok: false, reason: 'The response is not HTTP', fault: { code: 'not_http' } })
  })

  it('fail when TLS is spoken to a receiver that does not speak it', async () => {
    const { url } = await receiver()
    const outcome = await requester().post({ uri: url.replace('http:', 'https:'), ...MESSAGE })
    expect(outcome.ok ? '' : outcome.reason).to.match(/^TLS problem|^Connection closed/)
  })

  it('fail for an address that is none', async () => {
    for (const uri of ['nowhere', 'ftp://example.com/', '']) {
      expect(await requester().post({ uri, ...MESSAGE }), uri).to.deep.equal({
        ok: false,
        reason: 'Address is invalid',
        fault: { code: 'address_invalid' },
      })
    }
  })

  it('use connections again', async () => {
    const started = await receiver()
    const { post } = requester()
    for (let count = 0; count < 10; count += 1) await post({ uri: started.url, ...MESSAGE })
    expect(started.received).to.have.length(10)
    expect(started.connections).to.be.lessThan(4)
  })

  it('read no more of an answer than they must', async () => {
    const started = await receiver(() => ({ status: 200, body: Buffer.alloc(5_000_000, 'x') }))
    const { post } = requester()
    const kept = { ok: true, status: 200, answer: 'x'.repeat(1024) }
    expect(await post({ uri: started.url, ...MESSAGE })).to.deep.equal(kept)
    expect(await post({ uri: started.url, ...MESSAGE })).to.deep.equal(kept)
    // A long answer costs its connection.
    expect(started.connections).to.be.greaterThan(1)
  })

  it('reach no private or loopback address', async () => {
    const started = await receiver()
    const { port } = new URL(started.url)
    const { post } = requester({ allowPrivateAddresses: false })
    const hosts = [
      '127.0.0.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      'localhost',
      '0x7f.1',
      '2130706433',
      '0.0.0.0',
      '10.0.0.1',
      '169.254.169.254',
      '168.63.129.16',
      '[::127.0.0.1]',
      '[64:ff9b::127.0.0.1]',
      '[2002:7f00:1::]',
    ]
    for (const host of hosts) {
      expect(await post({ uri: `http://${host}:${port}/`, ...MESSAGE }), host).to.deep.equal({
        ok: false,
        reason: 'Address is not public',
        fault: { code: 'address_not_public' },
      })
    }
    expect(started.connections).to.equal(0)
  })

  it('reach private addresses in networks that are allowed, by number and by name, and no others', async () => {
    const started = await receiver()
    const { port } = new URL(started.url)
    const post = async (host: string, ...allowNetworks: readonly string[]) => {
      const { post } = requester({ allowPrivateAddresses: false, allowNetworks })
      const outcome = await post({ uri: `http://${host}:${port}/`, ...MESSAGE })
      return outcome.ok || outcome.reason
    }
    expect(await post('127.0.0.1', '127.0.0.0/8')).to.equal(true)
    expect(await post('[::ffff:127.0.0.1]', '127.0.0.0/8')).to.equal(true)
    expect(await post('localhost', '10.0.0.0/8', '127.0.0.0/8', '::1/128')).to.equal(true)
    expect(started.connections).to.be.at.least(3)
    expect(await post('127.0.0.1', '127.0.0.2/32', '10.0.0.0/8')).to.equal('Address is not public')
    expect(await post('localhost', '10.0.0.0/8', '::2/128')).to.equal('Address is not public')
  })

  it('can be allowed to reach a name of this machine', async () => {
    const started = await receiver()
    const listening = await new Promise<boolean>((resolve) => {
      const socket = connect(Number(new URL(started.url).port), 'localhost', () => resolve(true)).once('error', () =>
        resolve(false),
      )
      socket.once('connect', () => socket.destroy())
    })
    expect(listening).to.equal(true)
    const outcome = await requester().post({ uri: started.url.replace('127.0.0.1', 'localhost'), ...MESSAGE })
    expect(outcome).to.deep.equal({ ok: true, status: 200 })
  })
})
