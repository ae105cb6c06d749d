import { createHash } from 'node:crypto'
import { type ClientRequest, get, type IncomingMessage, request } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { expect } from 'chai'
import { withMounted } from '../support/mounted.js'

const MEGABYTE = 2 ** 20
const BOUNDARY = 'a-boundary-of-a-client'

/** A large file on its way in and out again, over real HTTP, in chunks. */
describe('a file of twenty megabytes', () => {
  const mounted = withMounted()

  it('goes in and comes out again byte by byte, in chunks', async function () {
    this.timeout(120_000)
    const sent = createHash('sha256')
    const answer = await post(chunksOf(20, (chunk) => sent.update(chunk)))
    expect(answer.status, answer.text).to.equal(200)
    const { key } = JSON.parse(answer.text) as { key: string }

    const site = `/sites/${mounted.world.id('utrecht')}`
    const list = [{ key, filesize: 20 * MEGABYTE }]
    const saved = await mounted.ask('@owen', 'PATCH', site, { remarks_attachments: list })
    expect(saved.status, saved.text).to.equal(200)
    const [attachment] = (saved.json as { attachments: { uri: string; size: number }[] }).attachments
    expect(attachment?.size).to.equal(20 * MEGABYTE)

    const { knex, storage } = mounted.database
    const chunks = await knex(storage.table('file_chunks')).select(knex.raw('length(content) as size'))
    expect(chunks.map(({ size }) => Number(size))).to.deep.equal(Array.from({ length: 20 }, () => MEGABYTE))

    const received = createHash('sha256')
    const download = await new Promise<IncomingMessage>((resolve) => get(attachment?.uri ?? '', resolve))
    expect([download.statusCode, download.headers['content-length']]).to.deep.equal([200, String(20 * MEGABYTE)])
    await pipeline(download, received)
    expect(received.digest('hex')).to.equal(sent.digest('hex'))
  })

  it('is too big with one byte more', async () => {
    const answer = await post(chunksOf(20, () => {}, Buffer.from('x')))
    expect([answer.status, answer.text]).to.deep.equal([
      422,
      '{"message":"Validation Failed","errors":[["file","File is too big (maximum is 20 MB)"]]}',
    ])
  })

  /** Posts a file without knowing how long it will be, as fast as the server takes it. */
  async function post(chunks: AsyncIterable<Buffer>): Promise<{ status: number; text: string }> {
    const credentials = Buffer.from(`${mounted.world.token('@owen')}:x`).toString('base64')
    const headers = { Authorization: `Basic ${credentials}`, 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` }
    const outgoing = request(`${mounted.baseUrl}/attachments`, { method: 'POST', headers })
    const answered = answerOf(outgoing)
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="film.bin"\r\n\r\n`
    await pipeline(async function* () {
      yield Buffer.from(head)
      yield* chunks
      yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
    }, outgoing)
    return answered
  }
})

async function* chunksOf(megabytes: number, see: (chunk: Buffer) => void, last?: Buffer): AsyncGenerator<Buffer> {
  for (let number = 0; number < megabytes; number += 1) {
    const chunk = Buffer.alloc(MEGABYTE, `chunk ${number} `)
    see(chunk)
    yield chunk
  }
  if (last) yield last
}

function answerOf(outgoing: ClientRequest): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      let text = ''
      incoming.setEncoding('utf8')
      incoming.on('data', (chunk: string) => {
        text += chunk
      })
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text }))
    })
  })
}
