import { createHash, randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { Forbidden, HookFailed, NotFound } from '../../plugin/core/errors.js'
import { createFileAddresses } from '../../plugin/files/addresses.js'
import { createFiles, type Download, type Files, type FilesDeps } from '../../plugin/files/files.js'
import { NAME_PLACE } from '../../plugin/files/keys.js'
import { useFiles } from '../../plugin/files/rows.js'
import type { FileFacts, FileStore } from '../../plugin/files/store.js'
import type { Upload } from '../../plugin/files/uploads.js'
import { errorOf, refusalOf, withHouse } from '../support/house.js'
import { TEST_SECRET } from '../support/settings.js'

const INES = { accountId: 'acme', personId: 7 }
const MEGABYTE = 2 ** 20
const HOUR = 3_600_000
const KEY = /^attachments\/acme\/7-[0-9a-f]{32}\/photo\.png$/

describe('files', () => {
  const house = withHouse()
  const addresses = createFileAddresses('https://desk.example/v1', TEST_SECRET, 3_600_000)

  const filesWith = (more: Partial<FilesDeps> = {}) => createFiles({ ...house.filesDeps, sizeLimit: 3 * MEGABYTE, ...more })
  const upload = (files: Files, more: Partial<Upload> = {}) => files.upload(INES, { ...PHOTO, content: stream('x'), ...more })
  const rows = () => house.storage.knex('itsm_files').orderBy('id')
  const rowOf = async (key: string) => (await rows()).find((row) => row.key === key)
  const chunks = () => house.storage.knex('itsm_file_chunks').orderBy('position')
  /** Attaches a file as the pipeline does, to a site. */
  const attach = async (key: string, ownerId = 1) => {
    const { id } = await rowOf(key)
    await useFiles(house.storage, house.storage.knex, [id])
    await house.storage
      .knex('itsm_attachments')
      .insert({ account_id: 'acme', owner_type: 'site', owner_id: ownerId, key, name: 'photo.png' })
  }
  const download = (files: Files, key: string) => {
    const { searchParams } = new URL(addresses.download(key, house.clock.now()))
    return files.attachment(key, { expires: searchParams.get('expires') ?? '', signature: searchParams.get('signature') ?? '' })
  }

  beforeEach(async () => {
    for (const table of ['itsm_files', 'itsm_file_chunks', 'itsm_attachments']) await house.storage.knex(table).delete()
  })

  describe('that are uploaded', () => {
    it('come back byte by byte, in chunks of one megabyte', async () => {
      const files = filesWith()
      const bytes = randomBytes(2.5 * MEGABYTE)
      const { key, size } = await upload(files, { content: stream(bytes, 70_001) })
      expect(key).to.match(KEY)
      expect(size).to.equal(bytes.length)
      await attach(key)
      const found = await download(files, key)
      const { name, type, sha256 } = found
      expect([name, type, found.size]).to.deep.equal(['photo.png', 'image/png', bytes.length])
      expect(sha256).to.equal(createHash('sha256').update(bytes).digest('hex'))
      const read: Uint8Array[] = []
      for await (const chunk of found.content()) read.push(chunk)
      expect(read.map((chunk) => chunk.length)).to.deep.equal([MEGABYTE, MEGABYTE, MEGABYTE / 2])
      expect(Buffer.concat(read).equals(bytes)).to.equal(true)
    })

    it('may be empty', async () => {
      const files = filesWith()
      const { key } = await upload(files, { content: stream('') })
      await attach(key)
      expect(await textOf(await download(files, key))).to.equal('')
    })

    it('have the key of the form, whoever puts the name into it', async () => {
      const files = filesWith()
      const call = await house.system()
      const { key } = files.form({ ...call, actor: { id: 7 } as NonNullable<typeof call.actor> })
      expect(key).to.match(/^attachments\/acme\/7-[0-9a-f]{32}\/\$\{filename\}$/)
      const first = await upload(files, { key, name: 'C:\\photos\\a $& b.png' })
      const second = await upload(files, { key: key.replace(NAME_PLACE, 'zoë 名.png'), name: 'else.png' })
      expect([first.key, second.key]).to.deep.equal([
        key.replace(NAME_PLACE, () => 'a $& b.png'),
        key.replace(NAME_PLACE, 'zoë 名.png'),
      ])
      expect((await rows()).map(({ name }) => name)).to.deep.equal(['a $& b.png', 'zoë 名.png'])
    })

    it('have keys that nobody guesses, and lie in the store under names that nobody knows', async () => {
      const files = filesWith()
      const keys = [await upload(files), await upload(files)].map(({ key }) => key)
      expect(new Set(keys).size).to.equal(2)
      for (const row of await rows()) expect(row.location).to.match(/^attachments\/acme\/[0-9a-f]{32}$/)
    })

    it('may be repeated with the same key, until a record has the file', async () => {
      const files = filesWith()
      const { key } = await upload(files, { content: stream('first') })
      await upload(files, { key, content: stream('second') })
      expect((await rows()).map(({ key, state }) => [key, state])).to.deep.equal([
        [null, 'removed'],
        [key, 'uploaded'],
      ])
      await attach(key)
      expect(await textOf(await download(files, key))).to.equal('second')
      expect(await refusalOf(upload(files, { key }))).to.deep.equal([['key', 'taken']])
      expect(await textOf(await download(files, key))).to.equal('second')
    })

    const foreign = `attachments/acme/8-${'a'.repeat(32)}/`
    const own = `attachments/acme/7-${'a'.repeat(32)}/`
    const WRONG: readonly (readonly [name: string, upload: Partial<Upload>, violation: readonly unknown[]])[] = [
      ['the key of somebody else', { key: `${foreign}a.png` }, ['key', 'invalid']],
      ['the key of another account', { key: own.replace('acme', 'globex') }, ['key', 'invalid']],
      ['the key of a picture', { key: `${own.replace('attachments', 'pictures')}a.png` }, ['key', 'invalid']],
      ['a key that is none', { key: 'a.png' }, ['key', 'invalid']],
      ['a key without a name', { key: own }, ['key', 'invalid']],
      ['a name that climbs', { key: `${own}../../a.png` }, ['key', 'invalid']],
      ['a name that is a folder', { key: `${own}..` }, ['key', 'invalid']],
      ['a name with a backslash', { key: `${own}..\\a.png` }, ['key', 'invalid']],
      ['a name with a NUL', { key: `${own}a\0.png` }, ['key', 'invalid']],
      ['a name with a line feed', { key: `${own}a\nb.png` }, ['key', 'invalid']],
      ['a name that was no UTF-8', { name: 'a\ufffd.png' }, ['file', 'invalid']],
      ['a name of 256 characters', { name: 'x'.repeat(256) }, ['file', 'invalid']],
      ['more bytes than are allowed, as it says', { size: 3 * MEGABYTE + 1 }, ['file', 'file_too_big', { max: 3 }]],
      [
        'more bytes than it says',
        { size: 1, content: stream(Buffer.alloc(3 * MEGABYTE + 1)) },
        ['file', 'file_too_big', { max: 3 }],
      ],
    ]
    for (const [name, wrong, violation] of WRONG) {
      it(`are refused with ${name}, and nothing is left`, async () => {
        expect(await refusalOf(upload(filesWith(), wrong))).to.deep.equal([violation])
        expect((await rows()).filter(({ state }) => state !== 'removed')).to.deep.equal([])
        expect(await chunks()).to.deep.equal([])
      })
    }

    it('are refused with an ending that the host does not allow', async () => {
      const files = filesWith({ allowedExtensions: ['pdf', 'png'] })
      for (const name of ['a.exe', 'a.pdf.exe', 'pdf', 'a.']) {
        expect(await refusalOf(upload(files, { name })), name).to.deep.equal([['file', 'file_type']])
      }
      await upload(files, { name: 'A.PNG' })
      await upload(files, { name: 'a.b.pdf' })
    })

    it('have no media type but one that can be one', async () => {
      const files = filesWith()
      for (const type of ['Text/Plain; charset=utf-8', 'nonsense', '', `text/${'x'.repeat(200)}`, 'a/b\r\nX: y']) {
        await upload(files, { type })
      }
      const unknown = 'application/octet-stream'
      expect((await rows()).map(({ type }) => type)).to.deep.equal(['text/plain', unknown, unknown, unknown, unknown])
    })

    it('leave nothing when the sender fails in the middle', async () => {
      async function* broken() {
        yield Buffer.alloc(MEGABYTE)
        throw new Error('the line is cut')
      }
      expect(await errorOf(upload(filesWith(), { content: broken() }))).to.have.property('message', 'the line is cut')
      expect(await chunks()).to.deep.equal([])
      expect((await rows()).map(({ key, state }) => [key, state])).to.deep.equal([[null, 'removed']])
    })
  })

  describe('forms', () => {
    const formOf = (files: Files) => house.system().then((call) => files.form(call))

    it('speak for whoever asked, for an hour', async () => {
      const files = filesWith()
      const { key, ...form } = await formOf(files)
      expect(form.expiration).to.equal('2026-11-21T10:30:00Z')
      expect(files.uploaderOf(key, form)).to.include({ accountId: 'acme', personId: null })
      expect(files.uploaderOf(key.replace(NAME_PLACE, 'a.png'), form)).to.include({ accountId: 'acme' })
      house.clock.pass(HOUR)
      expect(() => files.uploaderOf(key, form)).to.throw(Forbidden)
      house.clock.pass(-HOUR)
    })

    it('that were changed are none', async () => {
      const files = filesWith()
      const { key, ...form } = await formOf(files)
      const later = { ...form, expiration: '2026-11-22T10:30:00Z' }
      for (const [other, changed] of [
        [key, later],
        [key.replace('/0-', '/7-'), form],
        [key.replace('acme', 'globex'), form],
        [key, { ...form, signature: '' }],
        ['', form],
      ] as const) {
        expect(() => files.uploaderOf(other, changed)).to.throw(Forbidden)
      }
    })
  })

  describe('downloads', () => {
    it('need an address that is ours and whose time is not over', async () => {
      const files = filesWith()
      const { key } = await upload(files)
      await attach(key)
      const { key: other } = await upload(files)
      await attach(other)
      const { searchParams } = new URL(addresses.download(key, house.clock.now()))
      const query = { expires: searchParams.get('expires') ?? '', signature: searchParams.get('signature') ?? '' }
      expect(await textOf(await files.attachment(key, query))).to.equal('x')
      for (const [asked, wrong] of [
        [other, query],
        [key, { ...query, expires: String(Number(query.expires) + 1) }],
        [key, { ...query, signature: query.signature.replace(/.$/, '') }],
        [key, { expires: '', signature: '' }],
      ] as const) {
        expect(await errorOf(files.attachment(asked, wrong))).to.be.instanceOf(Forbidden)
      }
      house.clock.pass(HOUR)
      await files.attachment(key, query)
      house.clock.pass(HOUR)
      expect(await errorOf(files.attachment(key, query))).to.be.instanceOf(Forbidden)
      house.clock.pass(-2 * HOUR)
    })

    it('have addresses that stay the same for a while', () => {
      const at = (time: string) => addresses.download('attachments/acme/1-a/b c.png', new Date(time))
      expect(at('2026-11-21T09:00:00Z')).to.equal(at('2026-11-21T09:59:59Z'))
      expect(at('2026-11-21T09:00:00Z')).not.to.equal(at('2026-11-21T10:00:00Z'))
      expect(at('2026-11-21T09:00:00Z')).to.contain('/attachments/acme/1-a/b%20c.png?expires=1795258800&signature=')
    })

    it('are for files that a record has, and no others', async () => {
      const files = filesWith()
      const { key } = await upload(files)
      expect(await errorOf(download(files, key))).to.be.instanceOf(NotFound)
      await attach(key)
      await download(files, key)
      await house.storage.knex('itsm_attachments').delete()
      expect(await errorOf(download(files, key))).to.be.instanceOf(NotFound)
      expect(await errorOf(files.picture(key))).to.be.instanceOf(NotFound)
      expect(await errorOf(files.picture('pictures/acme/1-a/picture.png'))).to.be.instanceOf(NotFound)
    })

    it('fail at their end when bytes have been lost', async () => {
      const files = filesWith()
      const { key } = await upload(files, { content: stream(Buffer.alloc(1.5 * MEGABYTE)) })
      await attach(key)
      await house.storage.knex('itsm_file_chunks').where({ position: 1 }).delete()
      expect((await errorOf(download(files, key).then(textOf))).message).to.equal('A file of 1572864 bytes has 1048576')
    })
  })

  describe('that nothing needs any more', () => {
    it('are removed: unused ones after a day, others when their attachment is gone', async () => {
      const files = filesWith()
      const [unused, used, lost] = [await upload(files), await upload(files), await upload(files)].map(({ key }) => key) as [
        string,
        string,
        string,
      ]
      await attach(used)
      await attach(lost, 2)
      house.clock.pass(24 * HOUR)
      await files.cleanUp()
      expect((await rows()).map(({ key }) => key)).to.have.members([unused, used, lost])
      house.clock.pass(1)
      await house.storage.knex('itsm_attachments').where({ owner_id: 2 }).delete()
      await files.cleanUp()
      expect((await rows()).map(({ key, state }) => [key, state])).to.deep.equal([[used, 'used']])
      expect(await chunks()).to.have.length(1)
      house.clock.pass(-24 * HOUR - 1)
    })

    it('are removed when a process died in the middle of an upload', async () => {
      const files = filesWith()
      const { key } = await upload(files, { content: stream(Buffer.alloc(2 * MEGABYTE)) })
      // What a kill leaves: some chunks, and a row that says that they are not all.
      await house.storage.knex('itsm_files').where({ key }).update({ state: 'uploading', size: 0, sha256: null })
      await house.storage.knex('itsm_file_chunks').where({ position: 1 }).delete()
      house.clock.pass(24 * HOUR + 1)
      await files.cleanUp()
      expect([await rows(), await chunks()]).to.deep.equal([[], []])
      house.clock.pass(-24 * HOUR - 1)
    })

    it('are removed by the next round when a process died in the middle of this one', async () => {
      const files = filesWith()
      const { key } = await upload(files)
      await house.storage.knex('itsm_files').where({ key }).update({ state: 'removed', key: null })
      await house.storage.knex('itsm_file_chunks').delete()
      await files.cleanUp()
      expect(await rows()).to.deep.equal([])
    })
  })

  describe('in a store of the host', () => {
    it('are written, read and removed there, and not in the database', async () => {
      const host = new MemoryStore()
      const files = filesWith({ store: host })
      const bytes = randomBytes(2 * MEGABYTE)
      const { key } = await upload(files, { content: stream(bytes, MEGABYTE), size: bytes.length })
      const [[location, facts] = ['', null]] = host.written
      expect(location).to.match(/^attachments\/acme\/[0-9a-f]{32}$/)
      expect(facts).to.include({ accountId: 'acme', name: 'photo.png', type: 'image/png', size: bytes.length })
      expect(host.largest).to.be.at.most(MEGABYTE)
      expect(await chunks()).to.deep.equal([])
      await attach(key)
      expect((await bytesOf(await download(files, key))).equals(bytes)).to.equal(true)
      await house.storage.knex('itsm_attachments').delete()
      await files.cleanUp()
      expect([host.kept.size, await rows()]).to.deep.equal([0, []])
    })

    it('come there within a day when they were in the database before', async () => {
      const { key } = await upload(filesWith(), { content: stream('from before') })
      await attach(key)
      const host = new MemoryStore()
      const files = filesWith({ store: host })
      expect(await textOf(await download(files, key))).to.equal('from before')
      await files.cleanUp()
      expect([host.kept.size, await chunks()]).to.deep.equal([1, []])
      expect(await textOf(await download(files, key))).to.equal('from before')
      expect((await errorOf(download(filesWith(), key).then(textOf))).message).to.contain(
        'in files.store, which is no longer configured',
      )
    })

    it('make errors of the host known as such', async () => {
      const broken: FileStore = {
        write: () => Promise.reject(new Error('no room')),
        read: () => Promise.reject(new Error('no such bucket')),
        remove: () => Promise.reject(new Error('read only')),
      }
      const host = new MemoryStore()
      const good = filesWith({ store: host })
      const bad = filesWith({ store: broken })
      const failed = await errorOf(upload(bad))
      expect([failed.constructor, failed.message]).to.deep.equal([HookFailed, "The host's files.store.write failed: no room"])
      const { key } = await upload(good)
      await attach(key)
      expect((await errorOf(download(bad, key).then(textOf))).message).to.equal(
        "The host's files.store.read failed: no such bucket",
      )
      // What cannot be removed now is removed the next time; it keeps no other from its turn.
      const error = await errorOf(bad.cleanUp())
      expect(error.message).to.equal('1 files could not be cleaned up and are left for the next run')
      await good.cleanUp()
      expect((await rows()).map(({ state }) => state)).to.deep.equal(['used'])
    })

    it('are not there when the host did not read them to their end', async () => {
      const lazy: FileStore = { ...noStore, write: async () => {} }
      const failed = await errorOf(upload(filesWith({ store: lazy })))
      expect(failed.message).to.equal("The host's files.store.write failed: the stream was not read to its end")
      expect((await rows()).map(({ state }) => state)).to.deep.equal(['removed'])
    })

    it('are refused in our words when they are too big, even when the host does not listen', async () => {
      const deaf: FileStore = {
        ...noStore,
        write: (_, content) => new Promise((resolve) => content.on('end', resolve).resume()),
      }
      const files = filesWith({ store: deaf, sizeLimit: 10 })
      expect(await refusalOf(upload(files, { content: stream('x'.repeat(11)) }))).to.deep.equal([
        ['file', 'file_too_big', { max: 0 }],
      ])
    })
  })
})

const PHOTO = { key: null, name: 'photo.png', type: 'image/png', size: null }
const noStore: FileStore = { write: async () => {}, read: async () => stream(''), remove: async () => {} }

/** A store of a host: a map. */
class MemoryStore implements FileStore {
  readonly kept = new Map<string, Buffer>()
  readonly written: [string, FileFacts][] = []
  largest = 0

  async write(key: string, content: AsyncIterable<Uint8Array>, facts: FileFacts): Promise<void> {
    const read: Uint8Array[] = []
    for await (const chunk of content) {
      this.largest = Math.max(this.largest, chunk.length)
      read.push(chunk)
    }
    this.written.push([key, facts])
    this.kept.set(key, Buffer.concat(read))
  }

  async *read(key: string): AsyncGenerator<Uint8Array> {
    yield this.kept.get(key) ?? Buffer.alloc(0)
  }

  async remove(key: string): Promise<void> {
    this.kept.delete(key)
  }
}

async function* stream(content: string | Buffer, chunk = 65_536): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content)
  for (let from = 0; from < bytes.length; from += chunk) yield bytes.subarray(from, from + chunk)
}

async function bytesOf(file: Download): Promise<Buffer> {
  const read: Uint8Array[] = []
  for await (const chunk of file.content()) read.push(chunk)
  return Buffer.concat(read)
}

async function textOf(file: Download): Promise<string> {
  return (await bytesOf(file)).toString()
}
