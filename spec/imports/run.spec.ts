import { expect } from 'chai'
import { Invalid } from '../../plugin/core/errors.js'
import { importCall } from './catalog.js'
import { errorOf, HEADER, withImporting } from './importing.js'
import { createSpecOperations } from './operations.js'

describe('running imports', () => {
  const place = withImporting()
  const { submit, imported, idOf, count, rows, create, leases, database } = place

  describe('rows', () => {
    it('are created, updated, left alone and refused, each counted and the refusals logged', async () => {
      await imported('crew', `${HEADER}a@x.example,Ann\nb@x.example,Bob\n`)
      const text = `${HEADER}A@X.example,Ann\nb@x.example,Bobby\nc@x.example,\n,\n,Dan\ne@x.example,Eve\n`
      const { log, progress } = await imported('crew', text)
      expect(progress).to.deep.include({
        state: 'done',
        results: { created: 1, updated: 1, deleted: 0, unchanged: 1, failures: 2, errors: 0 },
      })
      expect(log).to.deep.equal([
        '2026-11-21T09:30:00Z INFORMATION line 1: Import of crew started',
        '2026-11-21T09:30:00Z ERROR line 4: crew "c@x.example": Name can\'t be blank',
        '2026-11-21T09:30:00Z ERROR line 6: crew "Dan": Primary email can\'t be blank',
        '2026-11-21T09:30:00Z INFORMATION line 7: created 1, updated 1, deleted 0, unchanged 1, failures 2, errors 0',
      ])
    })

    it('find their records by ID first, then by Source and Source ID, then by the key column', async () => {
      await imported('crew', 'Primary Email,Name,Source,Source ID\na@x.example,Ann,sap,1\nb@x.example,Bob,sap,2\n')
      const [ann, bob] = await rows('crew')
      const text = [
        'ID,Primary Email,Name,Source,Source ID',
        `${ann.id},a@x.example,Anna,sap,9`,
        ',bob@x.example,Robert,sap,2',
        ',a@x.example,Anne,,',
      ]
      const { progress } = await imported('crew', text.join('\n'))
      expect(progress.results).to.include({ updated: 3, created: 0, failures: 0 })
      expect((await rows('crew')).map((row) => [row.id, row.name, row.primary_email, row.source, row.sourceID])).to.deep.equal([
        [ann.id, 'Anne', 'a@x.example', null, null],
        [bob.id, 'Robert', 'bob@x.example', 'sap', '2'],
      ])
    })

    it('make a new record for an unknown ID, without looking further, and say so', async () => {
      await imported('crew', 'Primary Email,Name,Source,Source ID\na@x.example,Ann,sap,1\n')
      const { log, progress } = await imported('crew', 'ID,Primary Email,Name,Source,Source ID\n99999,z@x.example,Zoe,sap,1\n')
      expect(progress.results).to.include({ created: 1, updated: 0 })
      expect(log[1]).to.equal('2026-11-21T09:30:00Z WARNING line 2: ID 99999 was not found; a new record is created')
    })

    it('with too many cells or a broken quotation fail, and the others go on', async () => {
      const { log, progress } = await imported('crew', `${HEADER}a@x.example,Ann,x\n"b"@x.example,Bob\nc@x.example,Cy\n`)
      expect(progress.results).to.include({ created: 1, failures: 2 })
      expect(log.slice(1, 3)).to.deep.equal([
        '2026-11-21T09:30:00Z ERROR line 2: crew "a@x.example": Row has more cells than column headers',
        '2026-11-21T09:30:00Z ERROR line 3: Text before or after quotation marks',
      ])
    })

    it('for the same new record: the second updates the first', async () => {
      const { progress } = await imported('crew', `${HEADER}a@x.example,Ann\nA@x.example,Anna\na@x.example,Anna\n`)
      expect(progress.results).to.include({ created: 1, updated: 1, unchanged: 1, failures: 0 })
      expect((await rows('crew')).map((row) => row.name)).to.deep.equal(['Anna'])
    })

    it('may refer to records that earlier rows of the file make, but not to themselves', async () => {
      const text = 'Name,Parent\nEurope,\nNorway,europe\nOslo,Norway\nPeru,Peru\n'
      const { log, progress } = await imported('places', text)
      expect(progress.results).to.include({ created: 3, failures: 1 })
      expect(log[1]).to.equal('2026-11-21T09:30:00Z ERROR line 5: place "Peru": Parent "Peru" could not be found')
      const byName = new Map((await rows('places')).map((row) => [row.name, row]))
      expect(Number(byName.get('Oslo').parent_id)).to.equal(byName.get('Norway').id)
    })

    it('name all records that could not be found, those of trusted accounts with their account', async () => {
      const { log, progress } = await imported(
        'crew',
        'Primary Email,Name,Place,Manager\na@x.example,Ann,Houston @partner,boss@x.example\n',
      )
      expect(progress.results).to.include({ created: 0, failures: 1 })
      expect(log[1]).to.equal(
        '2026-11-21T09:30:00Z ERROR line 2: crew "a@x.example": Place "Houston @partner" could not be found; Manager "boss@x.example" could not be found',
      )
    })

    it('that name unknown records store nothing, and say nothing of what those might have filled in', async () => {
      place.operations.beforeSave = () => {}
      await imported('crew', `${HEADER}b@x.example,Ben\n`)
      const { log, progress } = await imported(
        'crew',
        ['Primary Email,Name,Place', 'B@x.example,,Nowhere', 'c@x.example,Cat,Nowhere', 'd@x.example,Dan,Nowhere'].join('\n'),
      )
      expect(progress.results).to.include({ created: 0, failures: 3 })
      expect(log.slice(1, -1).map((line) => line.slice(21))).to.deep.equal([
        'ERROR line 2: crew "B@x.example": Place "Nowhere" could not be found',
        'ERROR line 3: crew "c@x.example": Place "Nowhere" could not be found',
        'ERROR line 4: crew "d@x.example": Place "Nowhere" could not be found',
      ])
      expect(await rows('crew')).to.have.lengthOf(1)
    })

    it('share their queries: 500 rows cost as many lookups and saves as 5', async () => {
      await imported('places', 'Name\nOslo\nLima\n')
      const cost = async (from: number, number: number) => {
        const people = Array.from({ length: number }, (_, i) => `p${from + i}@x.example,P,${i % 2 ? 'Oslo' : 'Lima'}`)
        place.operations.lookups = 0
        place.operations.batches.length = 0
        await imported('crew', `Primary Email,Name,Place\n${people.join('\n')}`)
        return [place.operations.lookups, place.operations.batches.length]
      }
      expect(await cost(0, 5)).to.deep.equal([1, 1])
      expect(await cost(100, 500)).to.deep.equal([1, 1])
    })

    it('that their values are refused for by the database count alone', async () => {
      place.operations.beforeSave = (body) => {
        if (body['name'] === 'Long') throw Object.assign(new Error('Data too long'), { code: 'ER_DATA_TOO_LONG', errno: 1406 })
      }
      const { progress } = await imported('crew', `${HEADER}a@x.example,Ann\nb@x.example,Long\nc@x.example,Cy\n`)
      expect(progress).to.deep.include({
        state: 'done',
        results: { created: 2, updated: 0, deleted: 0, unchanged: 0, failures: 0, errors: 1 },
      })
    })

    for (const [what, fault] of [
      ['has no connection left for the user', { code: 'ER_USER_LIMIT_REACHED', errno: 1226 }],
      ['takes no writes', { code: 'ER_OPTION_PREVENTS_STATEMENT', errno: 1290 }],
      ['lost the work against others, again and again', { code: 'ER_LOCK_DEADLOCK', errno: 1213 }],
      ['ended a statement that took too long', { errno: 1969 }],
      ['fails with a number that we do not know', { code: 'ER_SOMETHING_NEW', errno: 14_999 }],
      ['has no room', { code: 'SQLITE_FULL' }],
    ] as const) {
      it(`are done later when the database ${what}: none is lost, none is counted wrongly`, async () => {
        const { token } = await submit('crew', `${HEADER}a@x.example,Ann\nb@x.example,Bob\nc@x.example,Cy\n`)
        const id = await idOf(token)
        place.operations.beforeSave = (body) => {
          if (body['name'] === 'Bob') throw Object.assign(new Error(`the database ${what}`), fault)
        }
        expect(await errorOf(place.imports.run(id))).to.have.property('message', `the database ${what}`)
        place.operations.beforeSave = () => {}
        expect(await place.imports.run(id)).to.equal(true)
        expect(await place.imports.progress(importCall(), token)).to.deep.include({
          state: 'done',
          results: { created: 3, updated: 0, deleted: 0, unchanged: 0, failures: 0, errors: 0 },
        })
      }).timeout(10_000)
    }

    it('of an unexpected error count alone; the rest of the chunk is stored', async () => {
      place.operations.beforeSave = (body) => {
        if (body['name'] === 'Boom') throw new Error('secret text of a driver')
      }
      const { log, progress } = await imported('crew', `${HEADER}a@x.example,Ann\nb@x.example,Boom\nc@x.example,Cy\n`)
      expect(progress).to.deep.include({
        state: 'done',
        results: { created: 2, updated: 0, deleted: 0, unchanged: 0, failures: 0, errors: 1 },
      })
      expect(log[1]).to.equal('2026-11-21T09:30:00Z ERROR line 3: crew "b@x.example": An unexpected error occurred')
      expect(log.join('\n')).not.to.include('driver')
    })

    it('are read from UTF-16LE with tabs', async () => {
      const text = Buffer.from('\ufeffPrimary Email\tName\r\na@x.example\tZoë 名前\r\n', 'utf16le')
      await imported('crew', text)
      expect((await rows('crew')).map((row) => row.name)).to.deep.equal(['Zoë 名前'])
    })

    it('are named in the log by what identifies them, with the values that were refused', async () => {
      await imported('crew', `${HEADER}a@x.example,Ann\n`)
      const text = [
        'ID,Source,Source ID,Primary Email,Name,Rank',
        '77777,,,a@x.example,"Ann\r\n2026-11-21T09:30:00Z FATAL line 9: forged\u202e",',
        ',sap,K-1,a@x.example,,',
        `,,,a@x.example,"${'x'.repeat(500)}",`,
      ]
      place.operations.beforeSave = (body) => {
        if (String(body['name']).startsWith('xxx')) throw new Invalid([['name', 'too_long', { max: 128 }]])
      }
      const { log } = await imported('crew', text.join('\n'))
      expect(log.slice(1, -1).map((line) => line.slice(21))).to.deep.equal([
        'WARNING line 2: ID 77777 was not found; a new record is created',
        'ERROR line 2: crew ID 77777: Primary email has already been taken (Primary Email "a@x.example")',
        'ERROR line 4: crew Source "sap" Source ID "K-1": Name can\'t be blank; Primary email has already been taken (Primary Email "a@x.example")',
        `ERROR line 5: crew "a@x.example": Name is too long (maximum is 128 characters) (Name "${'x'.repeat(60)}…")`,
      ])
    })

    it('cannot forge lines of the log', async () => {
      const { log } = await imported(
        'crew',
        'Primary Email,Name,Place\na@x.example,Ann,"Oslo\n2026-11-21T09:30:00Z FATAL line 9\u202e"\n',
      )
      expect(log[1]?.slice(21)).to.equal(
        'ERROR line 2: crew "a@x.example": Place "Oslo 2026-11-21T09:30:00Z FATAL line 9" could not be found',
      )
    })

    it('warn about unknown headers in the log', async () => {
      const { log } = await imported('crew', 'Primary Email,Name,Hat\na@x.example,Ann,blue\n')
      expect(log[1]).to.equal('2026-11-21T09:30:00Z WARNING line 1: Unknown column header: Hat')
    })
  })

  describe('links', () => {
    beforeEach(async () => {
      await imported('crew', `${HEADER}a@x.example,Ann\nb@x.example,Bob\nc@x.example,Cy\nd@x.example,Di\n`)
    })

    it('become exactly those of the cell', async () => {
      await imported('squads', 'Name,Members\nNight,"a@x.example\nb@x.example"\n')
      const { id } = (await rows('squads'))[0]
      const second = await imported('squads', `ID,Name,Members\n${id},Night,"b@x.example\nc@x.example"\n`)
      expect(second.progress.results).to.include({ updated: 1 })
      expect(await members(id)).to.deep.equal(['b@x.example', 'c@x.example'])
      const third = await imported('squads', `ID,Members\n${id},"C@x.example\nb@x.example"\n`)
      expect(third.progress.results).to.include({ unchanged: 1 })
      await imported('squads', `ID,Members\n${id},\n`)
      expect(await members(id)).to.deep.equal([])
    })

    it('count before a rule that asks for them: the coordinator of a new squad is one of its members', async () => {
      const text = 'Name,Coordinator,Members\nNight,a@x.example,"a@x.example\nb@x.example"\nDay,c@x.example,b@x.example\n'
      const { log, progress } = await imported('squads', text)
      expect(progress.results).to.include({ created: 1, failures: 1 })
      expect(log[1]).to.match(
        /ERROR line 4: squad "Day": Coordinator must be a member of the team \(Coordinator "c@x.example"\)$/,
      )
      expect((await rows('squads')).map((row) => row.name)).to.deep.equal(['Night'])
    })

    it('that are refused leave nothing of their row', async () => {
      const all = '"a@x.example\nb@x.example\nc@x.example\nd@x.example"'
      const { log, progress } = await imported('squads', `Name,Members\nNight,a@x.example\nDay,${all}\n`)
      expect(progress.results).to.include({ created: 1, failures: 1, errors: 0 })
      expect(log[1]).to.match(/ERROR line 3: squad "Day": Too many members$/)
      expect((await rows('squads')).map((row) => row.name)).to.deep.equal(['Night'])
    })

    async function members(squadId: number): Promise<string[]> {
      return database
        .knex('itsm_squad_members')
        .join('itsm_crew', 'itsm_crew.id', 'crew_id')
        .where({ squad_id: squadId })
        .orderBy('primary_email')
        .pluck('primary_email')
    }
  })

  describe('errors of the file', () => {
    it('store the rows before them and end in state error', async () => {
      const reason =
        'Invalid byte sequence in UTF-8 on line 3: save the file in UTF-8 (Excel calls it CSV UTF-8), or in UTF-16LE with a byte order mark; Windows-1252 (ANSI) and other encodings cannot be read'
      const text = Buffer.concat([
        Buffer.from(`${HEADER}a@x.example,Ann\nb@x.example,`),
        Buffer.from([0xff]),
        Buffer.from('\n'),
      ])
      const { log, progress } = await imported('crew', text)
      expect(progress).to.deep.include({
        state: 'error',
        message: reason,
        results: { created: 1, updated: 0, deleted: 0, unchanged: 0, failures: 0, errors: 0 },
      })
      expect(log.slice(-2)).to.deep.equal([
        `2026-11-21T09:30:00Z FATAL line 3: ${reason}`,
        '2026-11-21T09:30:00Z INFORMATION line 2: created 1, updated 0, deleted 0, unchanged 0, failures 0, errors 0',
      ])
    })

    it('are duplicate headers, unknown headers only, and an open quotation mark', async () => {
      const message = async (text: string) => (await imported('crew', text)).progress.message
      expect(await message('Name,name\nx,y\n')).to.equal('Duplicate column header: name')
      expect(await message('\na,b\nx,y\n')).to.equal(
        'None of the column headers is known: line 2 begins with "a,b", but must have headers such as "Primary Email", "Name", or "Place", with commas, tabs or semicolons between',
      )
      expect(await message('Name,"Remarks" of today\nx,y\n')).to.equal(
        'The column headers on line 1 cannot be read: text before or after quotation marks in "Name,"Remarks" of today"',
      )
      expect(await message(`${HEADER}a@x.example,"${'x'.repeat(10 * 1024 * 1024)}`)).to.equal(
        'Unclosed quotation mark on line 2',
      )
      expect(await message('\n\n')).to.equal('The file is empty')
    })

    it('say what to do with files of another kind', async () => {
      const message = async (text: string | Buffer) => (await imported('crew', text)).progress.message
      expect(await message(Buffer.from('PK\x03\x04zip'))).to.match(
        /^The file is a ZIP archive or an Excel workbook \(\.xlsx\): export/,
      )
      expect(await message(Buffer.from(HEADER, 'utf16le'))).to.equal(
        'The file is in UTF-16LE without a byte order mark: save it in UTF-8, or in UTF-16LE with a byte order mark',
      )
      expect(await count('crew')).to.equal(0)
    })

    it('are too many failures, at the thousandth', async () => {
      const bad = Array.from({ length: 1200 }, (_, i) => `x${i}@x.example,`).join('\n')
      const { progress } = await imported('crew', `${HEADER}a@x.example,Ann\n${bad}\nz@x.example,Zed\n`)
      expect(progress).to.deep.include({
        state: 'error',
        message: 'Too many import failures',
        results: { created: 1, updated: 0, deleted: 0, unchanged: 0, failures: 1000, errors: 0 },
      })
    }).timeout(60_000)

    it('are people who may not import any more', async () => {
      place.callFor = async () => importCall({ roles: new Set() })
      const { progress } = await imported('crew', HEADER)
      expect(progress).to.include({ state: 'error', message: 'Forbidden' })
    })
  })

  describe('after a crash', () => {
    const people = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => `p${from + i}@x.example,"Person\n${from + i}"`).join('\n')

    it('a new worker goes on after the last committed chunk, and no row is done twice', async () => {
      const { token } = await submit('crew', `${HEADER}${people(0, 1200)}`)
      const id = await idOf(token)
      let saved = 0
      place.operations.beforeSave = () => {
        if (++saved > 700) throw Object.assign(new Error('gone'), { code: 'PROTOCOL_CONNECTION_LOST', fatal: true })
      }
      expect(await errorOf(place.imports.run(id))).to.have.property('message', 'gone')
      expect(await count('crew')).to.equal(500)
      expect(await place.imports.progress(importCall(), token)).to.deep.equal({ state: 'processing', line: 1000 })

      place.operations = createSpecOperations(database.storage)
      place.imports = create()
      expect(await place.imports.run(id)).to.equal(true)
      expect(place.operations.batches).to.deep.equal([500, 200])
      expect(await place.imports.progress(importCall(), token)).to.deep.include({
        results: { created: 1200, updated: 0, deleted: 0, unchanged: 0, failures: 0, errors: 0 },
      })
    })

    it('the lease keeps others out until it is over', async () => {
      const { token } = await submit('crew', `${HEADER}a@x.example,Ann\n`)
      const id = await idOf(token)
      await database.knex('itsm_imports').where({ id }).update({ state: 'processing', claimed_by: 'dead' })
      expect((await leases().holder('import', 60_000).take(['acme'])).size).to.equal(1)
      expect(await place.imports.run(id)).to.equal(false)
      place.now += 60_001
      expect(await place.imports.run(id)).to.equal(true)
    })

    it('two workers that come at once do not both work', async () => {
      const { token } = await submit('crew', `${HEADER}${people(0, 600)}`)
      const id = await idOf(token)
      const ended = await Promise.all([place.imports.run(id), create().run(id), create().run(id)])
      expect(ended.filter((end) => end)).to.have.length(1)
      expect(await place.imports.progress(importCall(), token)).to.deep.include({
        results: { created: 600, updated: 0, deleted: 0, unchanged: 0, failures: 0, errors: 0 },
      })
    })

    it('a worker that lost its lease commits nothing more', async () => {
      const { token } = await submit('crew', `${HEADER}${people(0, 600)}`)
      const id = await idOf(token)
      const takenOver = importCall()
      let taken = false
      place.callFor = async () => takenOver
      const original = place.operations.saveAll
      place.operations.saveAll = async (call, type, items) => {
        const outcomes = await original(call, type, items)
        // The other worker's lease, taken in this transaction only because one connection must do.
        if (!taken && place.operations.batches.length === 2) {
          taken = true
          const { dbOf } = await import('../../plugin/storage/database/transaction.js')
          await dbOf(database.storage, call)('itsm_leases').where({ kind: 'import' }).update({ holder: 'other' })
        }
        return outcomes
      }
      expect(await place.imports.run(id)).to.equal(false)
      expect(await count('crew')).to.equal(500)
    })

    it('a worker that is told to stop gives the import back after its chunk', async () => {
      const { token } = await submit('crew', `${HEADER}${people(0, 600)}`)
      const id = await idOf(token)
      const stop = new AbortController()
      place.operations.beforeSave = () => stop.abort()
      expect(await place.imports.run(id, stop.signal)).to.equal(false)
      expect(await count('crew')).to.equal(500)
      expect(await place.imports.run(id)).to.equal(true)
      expect(await count('crew')).to.equal(600)
    })
  })

  describe('that stalls its workers', () => {
    const text = `${HEADER}a@x.example,Ann\nb@x.example,Bob\nc@x.example,Cy\n`

    /** A worker whose process is blocked while it saves Bob: it neither goes on nor says that it is alive. */
    async function stall(id: number) {
      const table = () => database.knex('itsm_imports').where({ id })
      place.operations.beforeSave = (body) => {
        if (body['name'] === 'Bob') throw Object.assign(new Error('blocked'), { code: 'PROTOCOL_CONNECTION_LOST', fatal: true })
      }
      expect(await errorOf(place.imports.run(id))).to.have.property('message', 'blocked')
      const { line } = await table().first('line')
      await table().update({ claimed_by: 'blocked' })
      place.now += 1000
      return Number(line)
    }

    it('is given up after five times at the same line, with what was saved before', async () => {
      const { token } = await submit('crew', text)
      const id = await idOf(token)
      const lines = []
      for (let run = 0; run < 6; run++) lines.push(await stall(id))
      // The first chunk leaves nothing; then rows are saved one by one, up to the one before the culprit.
      expect(lines).to.deep.equal([1, 2, 2, 2, 2, 2])
      expect(await place.imports.run(id)).to.equal(true)
      expect(await place.imports.progress(importCall(), token)).to.deep.include({
        state: 'error',
        message: 'Processing stopped 5 times after line 2 without progress',
        results: { created: 1, updated: 0, deleted: 0, unchanged: 0, failures: 0, errors: 0 },
      })
      expect((await rows('crew')).map((row) => row.name)).to.deep.equal(['Ann'])
      expect((await place.sentMails())[0]).to.include({ subject: 'Import of crew failed' })
      expect(await place.imports.run(id)).to.equal(false)
    })

    it('goes on when they were in the way of each other only now and then', async () => {
      const { token } = await submit('crew', text)
      const id = await idOf(token)
      for (let run = 0; run < 5; run++) await stall(id)
      place.operations.beforeSave = () => {}
      expect(await place.imports.run(id)).to.equal(true)
      expect(await place.imports.progress(importCall(), token)).to.deep.include({ state: 'done' })
      expect(await count('crew')).to.equal(3)
    })

    it('saves whole chunks again after an outage that kept it from being given back', async () => {
      const { token } = await submit(
        'crew',
        `${HEADER}${Array.from({ length: 600 }, (_, row) => `${row}@x.example,Ann\n`).join('')}`,
      )
      const id = await idOf(token)
      let isAway = false
      const lost = () => Object.assign(new Error('lost'), { code: 'PROTOCOL_CONNECTION_LOST', fatal: true })
      const fail = ({ sql }: { readonly sql: string }) => {
        if (isAway && /^update `itsm_imports` set `claimed_by`/.test(sql)) throw lost()
      }
      place.operations.beforeSave = () => {
        isAway = true
        throw lost()
      }
      database.knex.on('query', fail)
      try {
        expect(await errorOf(place.imports.run(id))).to.have.property('message', 'lost')
        isAway = false
        place.operations.beforeSave = () => {}
        place.operations.batches.length = 0
        place.now += 1_000_000
        expect(await place.imports.run(id)).to.equal(true)
      } finally {
        database.knex.removeListener('query', fail)
      }
      expect(place.operations.batches).to.deep.equal([500, 100])
      expect(await count('crew')).to.equal(600)
    })

    it('counts runs that end with an unexpected error, and neither a stop nor a database that is away', async () => {
      const { token } = await submit('crew', text)
      const id = await idOf(token)
      const stalled = async () => Number((await database.knex('itsm_imports').where({ id }).first('stalled_runs')).stalled_runs)
      place.callFor = () => Promise.reject(new TypeError('a mistake of ours'))
      expect(await errorOf(place.imports.run(id))).to.be.instanceOf(TypeError)
      expect(await stalled()).to.equal(1)
      place.callFor = () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }))
      expect(await errorOf(place.imports.run(id))).to.have.property('message', 'gone')
      place.callFor = async () => importCall()
      const stop = new AbortController()
      stop.abort()
      expect(await place.imports.run(id, stop.signal)).to.equal(false)
      // The header was read: that is progress.
      expect(await stalled()).to.equal(0)
    })
  })

  describe('order', () => {
    it('is that of submission within an account; other accounts do not wait', async () => {
      const other = importCall({ account: { ...importCall().account, id: 'other' } })
      const first = await idOf((await submit('crew', `${HEADER}a@x.example,Ann\n`)).token)
      const second = await idOf((await submit('crew', `${HEADER}a@x.example,Anna\n`)).token)
      place.callFor = async ({ accountId }) => (accountId === 'other' ? other : importCall())
      const elsewhere = await idOf((await submit('crew', `${HEADER}a@x.example,Ann\n`, other)).token)

      expect(await place.imports.run(second)).to.equal(false)
      expect(await place.imports.run(elsewhere)).to.equal(true)
      place.woken.length = 0
      expect(await place.imports.run(first)).to.equal(true)
      expect(place.woken).to.deep.equal([second])
      expect(await place.imports.run(second)).to.equal(true)
      expect(await place.imports.run(second)).to.equal(false)
    })

    it('wakes at start what was left behind, one import for each account', async () => {
      const other = importCall({ account: { ...importCall().account, id: 'other' } })
      const first = await idOf((await submit('crew', HEADER)).token)
      await submit('crew', HEADER)
      const elsewhere = await idOf((await submit('crew', HEADER, other)).token)
      place.woken.length = 0
      await place.imports.resumeAll()
      expect(place.woken).to.have.members([first, elsewhere])
    })
  })
})
