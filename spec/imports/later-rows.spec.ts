/** Rows that refer to later rows of their file get these references in a second pass (behaviour: Import rows). */
import { expect } from 'chai'
import { importCall } from './catalog.js'
import { errorOf, withImporting } from './importing.js'
import { createSpecOperations } from './operations.js'

describe('rows that refer to later rows of their file', () => {
  const place = withImporting()
  const { count, create, database, idOf, imported, rows, submit } = place
  const NOTHING = { created: 0, updated: 0, deleted: 0, unchanged: 0, failures: 0, errors: 0 }

  it('get these references when all rows are saved, and count once', async () => {
    const text = 'Name,Parent\nLima,Peru\nOslo,norway\nPeru,Americas\nNorway,\nAmericas,\n'
    const { log, progress } = await imported('places', text)
    expect(progress).to.deep.include({ state: 'done', results: { ...NOTHING, created: 5 } })
    expect(log.length).to.equal(2)
    expect(await parents()).to.deep.equal({ Lima: 'Peru', Oslo: 'Norway', Peru: 'Americas', Norway: null, Americas: null })
    expect(place.operations.batches).to.deep.equal([5, 3])
    expect(await count('import_later_rows')).to.equal(0)
  })

  it('may make a file whose order says nothing, however many chunks it has', async () => {
    const names = Array.from({ length: 1100 }, (_, n) => `Place ${n}`)
    const text = names.map((name, n) => `${name},${names[n + 1] ?? ''}`).join('\n')
    const { progress } = await imported('places', `Name,Parent\n${text}`)
    expect(progress.results).to.deep.equal({ ...NOTHING, created: 1100 })
    const found = await parents()
    expect(names.map((name) => found[name])).to.deep.equal([...names.slice(1), null])
    expect(place.operations.batches).to.deep.equal([500, 500, 100, 500, 500, 99])
  })

  it('are updated by it, if the first pass has not changed them', async () => {
    await imported('places', 'Name,Source,Source ID\nLima,geo,1\n')
    const text = 'Name,Source,Source ID,Parent\nLima,geo,1,Peru\nPeru,geo,2,\n'
    expect((await imported('places', text)).progress.results).to.deep.equal({ ...NOTHING, created: 1, updated: 1 })
    expect((await imported('places', text)).progress.results).to.deep.equal({ ...NOTHING, unchanged: 2 })
  })

  it('keep what they referred to before, until they get the new one', async () => {
    await imported('places', 'Name,Source,Source ID,Parent\nEurope,geo,1,\nLima,geo,2,Europe\n')
    const { progress } = await imported('places', 'Name,Source,Source ID,Parent\nLima,geo,2,Peru\nPeru,geo,3,Nowhere\n')
    expect(progress.results).to.deep.equal({ ...NOTHING, failures: 2 })
    expect(await parents()).to.deep.equal({ Europe: null, Lima: 'Europe' })
  })

  it('count as failures in place of their first result, if the later row was refused', async () => {
    const { log, progress } = await imported('places', 'Name,Parent\nLima,Peru\nPeru,Nowhere\nOslo,Norway\nNorway,\n')
    expect(progress.results).to.deep.equal({ ...NOTHING, created: 2, failures: 2 })
    expect(log.slice(1)).to.deep.equal([
      '2026-11-21T09:30:00Z ERROR line 3: place "Peru": Parent "Nowhere" could not be found',
      '2026-11-21T09:30:00Z ERROR line 2: place "Lima": Parent "Peru" could not be found',
      '2026-11-21T09:30:00Z INFORMATION line 5: created 2, updated 0, deleted 0, unchanged 0, failures 2, errors 0',
    ])
    expect(await parents()).to.deep.equal({ Lima: null, Oslo: 'Norway', Norway: null })
  })

  it('are refused by the pipeline alone, and the others get theirs', async () => {
    let first: unknown = null
    place.operations.beforeSave = (body) => {
      if (Object.keys(body).join() !== 'parent_id') return
      first ??= body['parent_id']
      if (body['parent_id'] === first) throw new Error('a mistake')
    }
    const { log, progress } = await imported('places', 'Name,Parent\nLima,Peru\nOslo,Norway\nPeru,\nNorway,\n')
    expect(progress.results).to.deep.equal({ ...NOTHING, created: 3, errors: 1 })
    expect(log[1]).to.match(/ERROR line 2: place "Lima": /)
    expect(await parents()).to.deep.equal({ Lima: null, Oslo: 'Norway', Peru: null, Norway: null })
  })

  it('may be rows for one record: the last one counts', async () => {
    const text = 'Name,Source,Source ID,Parent\nLima,geo,1,Peru\nLima,geo,1,Chile\nPeru,geo,2,\nChile,geo,3,\n'
    const { progress } = await imported('places', text)
    expect(progress.results).to.deep.equal({ ...NOTHING, created: 3, updated: 1 })
    expect(await parents()).to.include({ Lima: 'Chile' })
  })

  it('get them before the end of a file that cannot be read to its end', async () => {
    const text = Buffer.concat([Buffer.from('Name,Parent\nLima,Peru\nPeru,\nOslo,Norway\n'), Buffer.from([0xff, 0x0a])])
    const { progress } = await imported('places', text)
    expect(progress).to.deep.include({ state: 'error', results: { ...NOTHING, created: 2, failures: 1 } })
    expect(await parents()).to.deep.equal({ Lima: 'Peru', Peru: null })
  })

  it('get them from another worker after a crash, and none is done twice', async () => {
    const names = Array.from({ length: 700 }, (_, n) => `Place ${n}`)
    const text = names.map((name, n) => `${name},${names[n + 1] ?? ''}`).join('\n')
    const { token } = await submit('places', `Name,Parent\n${text}`)
    const id = await idOf(token)
    let saved = 0
    place.operations.beforeSave = () => {
      if (++saved > 1300) throw Object.assign(new Error('gone'), { code: 'PROTOCOL_CONNECTION_LOST', fatal: true })
    }
    expect(await errorOf(place.imports.run(id))).to.have.property('message', 'gone')
    expect(await place.imports.progress(importCall(), token)).to.deep.equal({ state: 'processing', line: 701 })

    place.operations = createSpecOperations(database.storage)
    place.imports = create()
    expect(await place.imports.run(id)).to.equal(true)
    expect(place.operations.batches).to.deep.equal([199])
    const found = await parents()
    expect(names.map((name) => found[name])).to.deep.equal([...names.slice(1), null])
    expect(await place.imports.progress(importCall(), token)).to.deep.include({ results: { ...NOTHING, created: 700 } })
  })

  it('are found without reading the file again, if there are none', async () => {
    let reads = 0
    const listen = ({ sql }: { readonly sql: string }) => {
      if (sql.startsWith('select `content`')) reads++
    }
    database.knex.on('query', listen)
    try {
      await imported('places', 'Name,Parent\nPeru,\nLima,Peru\n')
    } finally {
      database.knex.removeListener('query', listen)
    }
    // The chunk, and that there is no further one.
    expect(reads).to.equal(2)
  })

  async function parents(): Promise<Readonly<Record<string, string | null>>> {
    const all = await rows('places')
    const names = new Map(all.map((row) => [Number(row.id), row.name]))
    return Object.fromEntries(all.map((row) => [row.name, names.get(Number(row.parent_id)) ?? null]))
  }
})
