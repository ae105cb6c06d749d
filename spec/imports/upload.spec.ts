import { createReadStream } from 'node:fs'
import { access, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { Forbidden } from '../../plugin/core/errors.js'
import { importCall } from './catalog.js'
import { bytesOf, errorOf, HEADER, violationsOf, withImporting } from './importing.js'

describe('running imports', () => {
  const place = withImporting()
  const { submit, idOf, count, database } = place

  describe('upload', () => {
    it('gives a token that cannot be guessed, and wakes a worker after the commit', async () => {
      const { token } = await submit('crew', HEADER)
      expect(token).to.match(/^[0-9a-f]{48,}$/)
      expect(place.woken).to.deep.equal([await idOf(token)])
      expect(await place.imports.progress(importCall(), token)).to.deep.equal({ state: 'queued' })
    })

    it('is for account administrators only', async () => {
      expect(await errorOf(submit('crew', HEADER, importCall({ roles: new Set(['specialist']) })))).to.be.instanceOf(Forbidden)
    })

    it('names a missing or unknown type and a missing or empty file', async () => {
      const upload = (type: string | undefined, text: string | null) =>
        violationsOf(place.imports.submit(importCall(), { type, fileName: 'x', content: text === null ? null : bytesOf(text) }))
      expect(await upload(undefined, null)).to.deep.equal([
        ['type', 'blank'],
        ['file', 'blank'],
      ])
      expect(await upload('toys', HEADER)).to.deep.equal([['type', 'inclusion']])
      expect(await upload('crew', '')).to.deep.equal([['file', 'blank']])
      expect(await count('imports')).to.equal(0)
    })

    it('refuses a file of more than 20 MB and leaves nothing of it', async () => {
      async function* endless() {
        for (let piece = 0; piece < 21; piece++) yield Buffer.alloc(1024 * 1024, 'x')
      }
      const content = endless()
      expect(await violationsOf(place.imports.submit(importCall(), { type: 'crew', fileName: 'x', content }))).to.deep.equal([
        ['file', 'file_too_big', { max: 20 }],
      ])
      expect([await count('imports'), await count('import_chunks')]).to.deep.equal([0, 0])
    })

    it('removes the temporary file, taken or refused', async () => {
      for (const type of ['crew', 'toys']) {
        const path = join(tmpdir(), `itsm-upload-${process.pid}`)
        await writeFile(path, HEADER)
        await place.imports.submit(importCall(), { type, fileName: 'x.csv', content: { temporaryFile: path } }).catch(() => {})
        expect(await errorOf(access(path))).to.have.property('code', 'ENOENT')
      }
    })

    it('leaves a file alone that was given as a stream', async () => {
      const path = join(tmpdir(), `itsm-lent-${process.pid}`)
      await writeFile(path, HEADER)
      await place.imports.submit(importCall(), { type: 'crew', fileName: 'x.csv', content: createReadStream(path) })
      expect(await errorOf(access(path))).to.equal(null)
      await rm(path)
    })

    it('stores files in chunks of one megabyte', async () => {
      const text = `${HEADER}${'x'.repeat(2.5 * 1024 * 1024)}`
      const { token } = await submit('crew', text)
      const rows = await database
        .knex('itsm_import_chunks')
        .where({ import_id: await idOf(token) })
        .orderBy('position')
      expect(rows.map((row) => row.content.byteLength)).to.deep.equal([1048576, 1048576, text.length - 2097152])
    })
  })
})
