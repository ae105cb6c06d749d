/** Stopping imports, their failed rows, and how long they are kept (behaviour: Import lists). */
import { expect } from 'chai'
import { Conflict, Forbidden, NotFound } from '../../plugin/core/errors.js'
import { importCall } from './catalog.js'
import { errorOf, HEADER, withImporting } from './importing.js'

describe('entries of imports', () => {
  const place = withImporting()
  const { submit, imported, idOf, count, rows } = place
  const textOf = async (id: number) => {
    let text = ''
    for await (const piece of await place.imports.failures(importCall(), id)) text += piece
    return text
  }
  const progressOf = (token: string) => place.imports.progress(importCall(), token)
  const NOTHING = { created: 0, updated: 0, deleted: 0, unchanged: 0, failures: 0, errors: 0 }

  describe('that are stopped', () => {
    it('end at once while they wait, with a mail to the person, and the next one gets its turn', async () => {
      const first = await submit('crew', `${HEADER}a@x.example,Ann\n`)
      const second = await submit('crew', `${HEADER}b@x.example,Bob\n`)
      place.woken.length = 0
      await place.imports.stop(importCall(), await idOf(first.token))
      expect(await progressOf(first.token)).to.deep.include({ state: 'error', message: 'Stopped by Ines', results: NOTHING })
      expect(place.woken).to.deep.equal([await idOf(second.token)])
      expect(await place.sentMails()).to.have.lengthOf(1)
      expect(await count('import_chunks')).to.equal(1)
      expect(await place.imports.run(await idOf(first.token))).to.equal(false)
      expect(await place.imports.run(await idOf(second.token))).to.equal(true)
      expect((await rows('crew')).map((row) => row.name)).to.deep.equal(['Bob'])
    })

    it('end after the rows that are being saved, which stay', async () => {
      const lines = Array.from({ length: 1200 }, (_, index) => `p${index}@x.example,P`)
      const { token } = await submit('crew', `${HEADER}${lines.join('\n')}\n`)
      const id = await idOf(token)
      let stopped: Promise<void> | undefined
      place.operations.beforeSave = () => {
        stopped ??= new Promise((resolve) => setImmediate(() => resolve(place.imports.stop(importCall(), id))))
      }
      expect(await place.imports.run(id)).to.equal(true)
      await stopped
      expect(await progressOf(token)).to.deep.include({
        state: 'error',
        message: 'Stopped by Ines',
        results: { ...NOTHING, created: 500 },
      })
      expect(await count('crew')).to.equal(500)
    })

    it('end when another process takes them over', async () => {
      const { token } = await submit('crew', `${HEADER}a@x.example,Ann\n`)
      const id = await idOf(token)
      // As after a crash in the middle of the work.
      await place.database.knex('itsm_imports').where({ id }).update({ state: 'processing', claimed_by: 'a worker' })
      await place.imports.stop(importCall(), id)
      expect(await progressOf(token)).to.deep.include({ state: 'processing' })
      expect(await place.imports.run(id)).to.equal(true)
      expect(await progressOf(token)).to.deep.include({ state: 'error', message: 'Stopped by Ines', results: NOTHING })
    })

    it('may be stopped again; imports that have come to their end may not', async () => {
      const { token } = await submit('crew', `${HEADER}a@x.example,Ann\n`)
      const id = await idOf(token)
      await place.imports.stop(importCall(), id)
      await place.imports.stop(importCall(), id)
      const done = await imported('crew', `${HEADER}a@x.example,Ann\n`)
      expect(await errorOf(place.imports.stop(importCall(), await idOf(done.token)))).to.be.instanceOf(Conflict)
    })

    it('belong to the account, and the person is an administrator', async () => {
      const { token } = await submit('crew', `${HEADER}a@x.example,Ann\n`)
      const id = await idOf(token)
      const elsewhere = importCall({ account: { ...importCall().account, id: 'other' } })
      for (const ask of [
        () => place.imports.stop(elsewhere, id),
        () => place.imports.failures(elsewhere, id),
        () => place.imports.read(elsewhere, id),
      ])
        expect(await errorOf(ask())).to.be.instanceOf(NotFound)
      const auditor = importCall({ roles: new Set(['auditor'] as const) })
      for (const ask of [
        () => place.imports.stop(auditor, id),
        () => place.imports.failures(auditor, id),
        () => place.imports.list(auditor, { page: 1, perPage: 20 }),
      ])
        expect(await errorOf(ask())).to.be.instanceOf(Forbidden)
      expect(await progressOf(token)).to.deep.equal({ state: 'queued' })
    })
  })

  describe('with failed rows', () => {
    it('give them with their cells, line, column and reason, and what is repaired can be imported', async () => {
      const file =
        'Primary Email,Name,Place,Hat\na@x.example,"Ann, the ""first""",Oslo,"=1+1"\nb@x.example,Bob,,\nc@x.example,,,\n,,,x,y\n'
      const { token, progress } = await imported('crew', file)
      expect(progress.results).to.include({ created: 1, failures: 3 })
      const text = await textOf(await idOf(token))
      expect(text).to.equal(
        [
          '\ufeffPrimary Email,Name,Place,Hat,Line,Field,Reason',
          'a@x.example,"Ann, the ""first""",Oslo,"\t=1+1",2,Place,"Place ""Oslo"" could not be found"',
          "c@x.example,,,,4,Name,Name can't be blank",
          ',,,x,y,5,,Row has more cells than column headers',
          '',
        ].join('\r\n'),
      )
      await imported('places', 'Name\nOslo\n')
      const again = await imported('crew', text.replace('c@x.example,,', 'c@x.example,Cy,').replace(',,,x,y,5', ',,,x,5'))
      expect(again.progress.results).to.deep.equal({ ...NOTHING, created: 2, failures: 1 })
      expect(again.log.filter((line) => line.includes('WARNING')).map((line) => line.slice(21))).to.deep.equal([
        'WARNING line 1: Unknown column header: Hat',
      ])
      expect((await rows('crew')).map((row) => row.name)).to.deep.equal(['Bob', 'Ann, the "first"', 'Cy'])
    })

    it('have only a header if all rows were saved, and no columns if there was no header', async () => {
      const done = await imported('crew', `${HEADER}a@x.example,Ann\n`)
      expect(await textOf(await idOf(done.token))).to.equal('\ufeffPrimary Email,Name,Line,Field,Reason\r\n')
      const empty = await imported('crew', '\n')
      expect(await textOf(await idOf(empty.token))).to.equal('\ufeffLine,Field,Reason\r\n')
    })

    it('have those of unexpected errors, and of the second pass', async () => {
      place.operations.beforeSave = (body) => {
        if (body['name'] === 'Boom') throw new Error('secret text of a driver')
        if (body['parent_id'] !== undefined) throw new Error('another secret')
      }
      const { token, progress } = await imported('places', 'Name,Parent\nOslo,Norway\nBoom,\nNorway,\n')
      expect(progress.results).to.deep.equal({ ...NOTHING, created: 1, errors: 2 })
      expect(await textOf(await idOf(token))).to.equal(
        '\ufeffName,Parent,Line,Field,Reason\r\nOslo,Norway,2,,An unexpected error occurred\r\nBoom,,3,,An unexpected error occurred\r\n',
      )
    })

    it('are all there when the work was done in halves, each once', async () => {
      const people = Array.from({ length: 999 }, (_, index) => (index % 2 ? `p${index}@x.example,P` : ',P'))
      const { token, progress } = await imported('crew', `${HEADER}${people.join('\n')}\n`)
      expect(progress.results).to.include({ created: 499, failures: 500 })
      const lines = (await textOf(await idOf(token))).trimEnd().split('\r\n').slice(1)
      expect(lines.map((line) => Number(line.split(',')[2]))).to.deep.equal(
        Array.from({ length: 500 }, (_, index) => 2 * index + 2),
      )
    })
  })

  it('count the lines of their files, but of those in UTF-16', async () => {
    const linesOf = async (content: string | Buffer) => {
      const { token } = await submit('crew', content)
      return (await place.database.knex('itsm_imports').where({ token }).first('lines')).lines
    }
    expect(await linesOf('Name\r\nAnn\r\nBob\r\n')).to.equal(3)
    expect(await linesOf('Name\rAnn\rBob')).to.equal(3)
    expect(await linesOf('Name\n"An\nn"\n')).to.equal(3)
    expect(await linesOf('Name')).to.equal(1)
    expect(await linesOf(Buffer.from('\ufeffName\nAnn\n', 'utf16le'))).to.equal(null)
  })

  it('are removed 90 days after their end, with their logs and failed rows, and only then', async () => {
    await imported('crew', `${HEADER},Ann\n`)
    const waiting = await submit('crew', `${HEADER}b@x.example,Bob\n`)
    place.now += 90 * 24 * 3600_000
    await place.imports.purge()
    expect([await count('imports'), await count('import_failures')]).to.deep.equal([2, 1])
    place.now += 1000
    await place.imports.purge()
    expect(await rows('imports')).to.have.lengthOf(1)
    expect([await count('import_failures'), await count('import_log_lines'), await count('import_chunks')]).to.deep.equal([
      0, 0, 1,
    ])
    expect(await progressOf(waiting.token)).to.deep.equal({ state: 'queued' })
  })
})
