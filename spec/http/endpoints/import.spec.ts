import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { expect } from 'chai'
import Koa from 'koa'
import { koaBody } from 'koa-body'
import { Forbidden, NotFound, type Violation } from '../../../plugin/core/errors.js'
import { createApp, createMiddleware } from '../../../plugin/http/app.js'
import { type ImportEndpointDeps, imports } from '../../../plugin/http/endpoints/import.js'
import { ImportElsewhere } from '../../../plugin/imports/imports.js'
import type { Upload } from '../../../plugin/imports/upload.js'
import { type Client, serving } from '../client.js'
import { PASSWORD, stubs } from '../stubs.js'

const BOUNDARY = '0123456789ABLEWASIEREISAWELBA9876543210'
const TYPE = part('name="type"', null, 'people')
const CSV = 'Name\nZoë\n'

interface Taken {
  readonly type: string | undefined
  readonly fileName: string
  readonly bytes: Buffer | null
}

describe('http/endpoints/import', () => {
  let taken: Taken[]
  let misfits: (readonly Violation[])[]
  let isAdministrator: boolean
  beforeEach(() => {
    isAdministrator = true
    taken = []
    misfits = []
  })

  it('takes type and file in either order, without final line end', async () => {
    const file = part('name="file"; filename="zoë – 名前.csv"', 'text/csv', CSV)
    await serving(app(), async (client) => {
      for (const parts of [
        [TYPE, file],
        [file, TYPE],
      ]) {
        const answer = await post(client, parts)
        expect(answer.json).to.deep.equal({ token: 'a token' })
        expect(answer.status).to.equal(200)
      }
    })
    const expected = { type: 'people', fileName: 'zoë – 名前.csv', bytes: Buffer.from(CSV) }
    expect(taken).to.deep.equal([expected, expected])
  })

  it('takes a file part without content type, byte by byte', async () => {
    const bytes = Buffer.from('\ufeffName\tSite\r\nZoë\tÅrhus', 'utf16le')
    await serving(app(), async (client) => {
      for (const disposition of ['name="file"; filename="a.csv"', 'name="file"']) {
        expect((await post(client, [TYPE, part(disposition, null, bytes)])).status).to.equal(200)
      }
    })
    expect(taken.map((upload) => upload.bytes)).to.deep.equal([bytes, bytes])
  })

  it('takes a type part with a content type', async () => {
    await serving(app(), async (client) => {
      await post(client, [part('name="type"', 'text/plain', 'people'), part('name="file"; filename="a"', 'x/y', CSV)])
    })
    expect(taken[0]).to.deep.include({ type: 'people', bytes: Buffer.from(CSV) })
  })

  it('passes on what is missing', async () => {
    await serving(app(), async (client) => {
      await post(client, [TYPE])
      await post(client, [part('name="file"; filename="a.csv"', 'text/csv', '')])
      await client.send('/v1/import', { method: 'POST', headers: PASSWORD })
      await client.send('/v1/import', { method: 'POST', headers: PASSWORD, body: { type: 'people' } })
    })
    const nothing = { type: undefined, fileName: 'file', bytes: null }
    expect(taken).to.deep.equal([
      { type: 'people', fileName: 'file', bytes: null },
      { type: undefined, fileName: 'a.csv', bytes: Buffer.from('') },
      nothing,
      nothing,
    ])
  })

  it('passes on parts of the form that mean nothing, and second ones', async () => {
    const file = part('name="file"; filename="a.csv"', 'text/csv', CSV)
    const cases: [Buffer[], Violation[]][] = [
      [[TYPE, file], []],
      [
        [part('name="dry_runs"', null, 'true'), TYPE, file, part('name="Dry run"', null, '')],
        [
          ['dry_runs', 'unknown_part'],
          ['Dry run', 'unknown_part'],
        ],
      ],
      [[TYPE, file, part('name="attachment"; filename="b.csv"', 'text/csv', CSV)], [['attachment', 'unknown_part']]],
      [[TYPE, part('name="Type"', null, 'sites'), file], [['type', 'many_values']]],
      [[TYPE, file, file], [['file', 'many_values']]],
      [[TYPE, file, part('name=""', null, 'x')], [['base', 'unknown_part']]],
      [[TYPE, file, part('name="__proto__"', null, 'x')], [['__proto__', 'unknown_part']]],
      [[TYPE, file, part(`name="é\x07${'x'.repeat(200)}"`, null, 'x')], [[`é ${'x'.repeat(98)}`, 'unknown_part']]],
    ]
    const host = new Koa().use(koaBody({ multipart: true })).use(createMiddleware(parts()))
    await serving(app(), async (client) => {
      for (const [sent] of cases) await post(client, sent)
    })
    expect(misfits).to.deep.equal(cases.map(([, expected]) => expected))
    misfits = []
    await serving(host, async (client) => {
      for (const [sent] of cases.slice(0, 5)) await post(client, sent)
    })
    expect(misfits).to.deep.equal(cases.slice(0, 5).map(([, expected]) => expected))
  })

  it('tells administrators which header selects the account of an import', async () => {
    await serving(app(), async ({ send }) => {
      const answer = await send('/v1/import/elsewhere', { headers: PASSWORD })
      expect([answer.status, answer.json]).to.deep.equal([
        403,
        { message: 'This import belongs to the account widgets; send the header X-SVC-Account: widgets' },
      ])
    })
  })

  it('answers 422 to a file of more than 20 MB, and keeps the connection', async () => {
    const file = part('name="file"; filename="a.csv"', 'text/csv', Buffer.alloc(20_971_521, 'x'))
    await serving(app(), async (client) => {
      const answer = await post(client, [TYPE, file])
      expect([answer.status, answer.json]).to.deep.equal([
        422,
        { message: 'Validation Failed', errors: [['file', 'en-US .file file_too_big {"max":20}']] },
      ])
      expect((await post(client, [TYPE])).status).to.equal(200)
      expect(client.connections()).to.equal(1)
    })
    expect(taken).to.have.length(1)
  })

  it('answers 422 to a body that is no multipart body', async () => {
    await serving(app(), async (client) => {
      const send = (type: string, body: string) =>
        client.send('/v1/import', { method: 'POST', headers: { ...PASSWORD, 'Content-Type': type }, body })
      expect((await send('multipart/form-data', 'x')).status).to.equal(422)
      expect((await send(`multipart/form-data; boundary=${BOUNDARY}`, 'nonsense')).status).to.equal(422)
      expect((await send(`multipart/form-data; boundary=${BOUNDARY}`, `--${BOUNDARY}\r\nContent-`)).status).to.equal(422)
    })
    expect(taken).to.deep.equal([])
  })

  it('answers 422 to parts with long headers, which would keep the parser busy, and keeps the connection', async () => {
    await serving(app(), async (client) => {
      const long = 'filename="x"y '.repeat(100_000)
      for (const disposition of [`name="file"; ${long}`, `name="file"; filename="${'a'.repeat(20_000)}.csv"`]) {
        expect((await post(client, [TYPE, part(disposition, null, CSV)])).status).to.equal(422)
      }
      expect(
        (await post(client, [TYPE, part(`name="file"; filename="${'a'.repeat(10_000)}.csv"`, null, CSV)])).status,
      ).to.equal(200)
      // Of the file nothing is taken for headers.
      const file = Buffer.concat([
        Buffer.from(CSV),
        Buffer.alloc(100_000, 'x'),
        Buffer.from(`\r\n--${BOUNDARY.slice(1)}`),
        Buffer.alloc(100_000, 'y'),
      ])
      expect((await post(client, [part('name="file"; filename="a.csv"', null, file), TYPE])).status).to.equal(200)
      expect(taken.at(-1)?.bytes?.equals(file)).to.equal(true)
      expect(client.connections()).to.equal(1)
    })
  })

  it('uses what a parser of the host has read', async () => {
    const host = new Koa().use(koaBody({ multipart: true })).use(createMiddleware(parts()))
    await serving(host, async (client) => {
      await post(client, [part('name="file"; filename="zoë.csv"', 'text/csv', CSV), TYPE])
      await post(client, [part('name="file"; filename="a.csv"', null, CSV), TYPE])
    })
    expect(taken).to.deep.equal([
      { type: 'people', fileName: 'zoë.csv', bytes: Buffer.from(CSV) },
      { type: 'people', fileName: 'file', bytes: Buffer.from(CSV) },
    ])
  })

  it('refuses those who may not import before anything of the file is kept', async () => {
    isAdministrator = false
    await serving(app(), async (client) => {
      // The file never ends: only a refusal that does not wait for it can be answered.
      const headers = { ...PASSWORD, 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`, 'Content-Length': 1_000_000 }
      const unfinished = request({ host: '127.0.0.1', port: client.port, method: 'POST', path: '/v1/import', headers })
      unfinished.on('error', () => undefined)
      unfinished.write(Buffer.concat([TYPE, part('name="file"; filename="a.csv"', 'text/csv', CSV)]))
      const [answer] = (await once(unfinished, 'response')) as [IncomingMessage]
      expect(answer.statusCode).to.equal(403)
      unfinished.destroy()
    })
    expect(taken).to.deep.equal([])
  })

  it('tells the progress, and 404 when there is none', async () => {
    await serving(app(), async ({ send }) => {
      expect((await send('/v1/import/abc', { headers: PASSWORD })).json).to.deep.equal({ state: 'processing', line: 3 })
      expect((await send('/v1/import/none', { headers: PASSWORD })).status).to.equal(404)
      expect((await send('/v1/import/abc')).status).to.equal(401)
    })
  })

  it('gives the log to whoever has its address, without credentials', async () => {
    await serving(app(), async ({ send }) => {
      const answer = await send('/v1/imports/20261121/wdc/17.people.log?expires=9&signature=good')
      expect([answer.status, answer.text]).to.deep.equal([200, '20261121/wdc/17.people.log\nend\n'])
      expect(answer.headers['content-type']).to.equal('text/plain; charset=utf-8')
      expect((await send('/v1/imports/20261121/wdc/17.people.log')).status).to.equal(403)
    })
  })

  function parts() {
    const stub: ImportEndpointDeps['imports'] = {
      types: ['people', 'people_contact_details'],
      admit() {
        if (!isAdministrator) throw new Forbidden()
      },
      async submit(_, { type, fileName, content, misfits: found = [] }) {
        misfits.push(found)
        taken.push({ type, fileName, bytes: await bytesOf(content) })
        return { token: 'a token' }
      },
      async progress(_, token) {
        if (token === 'elsewhere') throw new ImportElsewhere('widgets')
        if (token !== 'abc') throw new NotFound()
        return { state: 'processing', line: 3 }
      },
      async log(logName, { expires, signature }) {
        if (expires !== '9' || signature !== 'good') throw new Forbidden()
        return (async function* () {
          yield `${logName}\n`
          yield 'end\n'
        })()
      },
    }
    return stubs({ endpoints: imports({ imports: stub, headerPrefixes: ['X-SVC-'] }) }).deps
  }

  function app() {
    return createApp(parts())
  }
})

async function bytesOf(content: Upload['content']): Promise<Buffer | null> {
  if (content === null) return null
  if ('temporaryFile' in content) {
    const bytes = await readFile(content.temporaryFile)
    await rm(content.temporaryFile)
    return bytes
  }
  const pieces: Uint8Array[] = []
  for await (const piece of content) pieces.push(piece)
  return Buffer.concat(pieces)
}

function part(disposition: string, type: string | null, content: string | Buffer): Buffer {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n`
  return Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')])
}

function post({ send }: Client, parts: readonly Buffer[]) {
  return send('/v1/import', {
    method: 'POST',
    headers: { ...PASSWORD, 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--`)]),
  })
}
