import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import Koa from 'koa'
import { answerFile } from '../../../plugin/http/answers/file-answer.js'
import { createMiddleware } from '../../../plugin/http/app.js'
import type { Endpoint } from '../../../plugin/http/contract.js'
import { serving } from '../client.js'
import { stubs } from '../stubs.js'

const MEGABYTE = 1_048_576

describe('http/file-answer: a client that closes the connection', () => {
  const printed: unknown[][] = []
  const print = console.error
  beforeEach(() => {
    printed.length = 0
    console.error = (...texts) => void printed.push(texts)
  })
  afterEach(() => {
    console.error = print
  })

  /** A host that serves a file, and the log; the source of the file ends a while after its last byte. */
  function hosting(size: number, fails = false) {
    const file: Endpoint = {
      method: 'GET',
      path: '/sd',
      anonymous: true,
      anyMedia: true,
      description: { operation: 'try', summary: 'A file', description: 'Returns the file.', answers: {} },
      run: (ctx) =>
        answerFile(
          ctx,
          {
            ...{ name: 'a.bin', type: 'application/octet-stream', size, sha256: 'digest' },
            async *content() {
              for (let left = size; left > 0; left -= MEGABYTE) {
                yield Buffer.alloc(Math.min(left, MEGABYTE), 'x')
                if (fails) throw new Error('the store went away')
              }
              await sleep(50)
            },
          },
          {},
        ),
    }
    const { deps, logged } = stubs({ endpoints: [file] })
    return { host: new Koa().use(createMiddleware(deps)), logged }
  }

  /** Reads so many bytes of the body, and breaks the connection off at once. Returns how many there were. */
  function read(port: number, most: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      let [text, bytes] = ['', -1]
      socket.on('data', (chunk) => {
        if (bytes < 0) {
          text += chunk.toString('latin1')
          const end = text.indexOf('\r\n\r\n')
          if (end < 0) return
          bytes = text.length - end - 4
        } else bytes += chunk.length
        if (bytes < most) return
        socket.resetAndDestroy()
        resolve(bytes)
      })
      socket.on('error', reject).on('close', () => resolve(bytes))
      socket.write('GET /v1/sd HTTP/1.1\r\nHost: x\r\n\r\n')
    })
  }

  for (const size of [1, 1_024, 1_025, 100_000, 5 * MEGABYTE, 5 * MEGABYTE + 7]) {
    it(`after all ${size} bytes leaves no trace`, async () => {
      const { host, logged } = hosting(size)
      await serving(host, async ({ port, send }) => {
        for (let download = 0; download < 5; download += 1) expect(await read(port, size)).to.equal(size)
        await sleep(20)
        expect((await send('/v1/sd')).text).to.have.length(size)
      })
      expect([printed, logged]).to.deep.equal([[], []])
    })
  }

  it('in the middle is of interest only to those who look for it', async () => {
    const { host, logged } = hosting(50 * MEGABYTE)
    await serving(host, async ({ port }) => {
      await read(port, MEGABYTE)
      await sleep(50)
    })
    expect(printed).to.deep.equal([])
    expect(logged.map(([level, { path }, message]) => [level, path, message])).to.deep.equal([
      ['debug', '/v1/sd', 'The client closed the connection before the end of the response'],
    ])
  })

  it('is told apart from a store that fails, which is an error', async () => {
    const { host, logged } = hosting(5 * MEGABYTE, true)
    await serving(host, async ({ port }) => {
      expect(await read(port, 5 * MEGABYTE)).to.be.below(5 * MEGABYTE)
      await sleep(20)
    })
    expect(printed).to.deep.equal([])
    expect(logged.map(([level, { err }, message]) => [level, (err as Error).message, message])).to.deep.equal([
      ['error', 'the store went away', 'The response was interrupted'],
    ])
  })

  it('gets the whole of an empty file', async () => {
    const { host, logged } = hosting(0)
    await serving(host, async ({ send }) => {
      const { status, headers, text } = await send('/v1/sd')
      expect([status, headers['content-length'], text]).to.deep.equal([200, '0', ''])
    })
    expect([printed, logged]).to.deep.equal([[], []])
  })
})
