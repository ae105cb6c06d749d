/** What account administrators see and do after they have submitted files (behaviour: Import lists). */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import { records } from '../../plugin/records/records.js'
import { compileChecked } from '../../plugin/schema/compile/compile.js'
import { importKinds } from '../../plugin/schema/derive/import-kinds.js'
import { SHARED_LISTS } from '../../plugin/words/shared-lists.js'
import { rowsOfCsv } from '../support/csv.js'
import { upload as uploadAs } from '../support/file-clients.js'
import { withMounted } from '../support/mounted.js'

/** An administrator, and a person who is none. */
const [ADMIN, OTHER] = ['@owen', '@dana']

describe('Lists of imports', () => {
  const place = withMounted()

  const upload = (parts: Record<string, string>) => uploadAs(place, ADMIN, parts)
  const entries = async (query = '') => (await place.ask(ADMIN, 'GET', `/imports${query}`)).json as Record<string, unknown>[]
  const ended = async () => {
    for (;;) {
      const [newest] = await entries('?per_page=1')
      if (newest?.['state'] === 'done' || newest?.['state'] === 'error') return newest
      await sleep(20)
    }
  }

  describe('while nothing works', () => {
    it('show an import that waits, which can be stopped', async () => {
      const { json } = await upload({ type: 'sites', file: 'Name\nOslo\n' })
      const [entry] = await entries()
      expect(entry).to.deep.equal({
        id: entry?.['id'],
        token: (json as { token: string }).token,
        type: 'sites',
        file_name: 'new-people.csv',
        created_by: { id: place.world.id(ADMIN), name: 'Owen Wright' },
        mapping: {},
        dry_run: false,
        undo_of: null,
        undone_by: null,
        history: false,
        state: 'queued',
        line: 0,
        lines: 2,
        results: { created: 0, updated: 0, deleted: 0, unchanged: 0, failures: 0, errors: 0 },
        message: null,
        logfile: null,
        created_at: entry?.['created_at'],
        started_at: null,
        finished_at: null,
      })
      const path = `/imports/${entry?.['id']}`
      expect((await place.ask(ADMIN, 'DELETE', path)).status).to.equal(204)
      expect((await place.ask(ADMIN, 'DELETE', path)).status).to.equal(204)
      expect((await place.ask(ADMIN, 'GET', path)).json).to.include({ state: 'error', message: 'Stopped by Owen Wright' })
    })

    it('are only for account administrators', async () => {
      const [entry] = await entries()
      const paths = [
        '/imports',
        `/imports/${entry?.['id']}`,
        `/imports/${entry?.['id']}/failures`,
        '/imports/template?type=cis',
      ]
      for (const path of paths) expect((await place.ask(OTHER, 'GET', path)).status, path).to.equal(403)
      expect((await place.ask(OTHER, 'DELETE', `/imports/${entry?.['id']}`)).status).to.equal(403)
      expect((await place.ask(null, 'GET', '/imports')).status).to.equal(401)
    })

    it('have pages, with the usual headers and bounds', async () => {
      const ids: unknown[] = []
      for (const name of ['Rome', 'Bern', 'Riga']) {
        await upload({ type: 'sites', file: `Name\n${name}\n` })
        ids.unshift((await entries('?per_page=1'))[0]?.['id'])
      }
      const { headers, json } = await place.ask(ADMIN, 'GET', '/imports?per_page=2')
      expect((json as { id: number }[]).map(({ id }) => id)).to.deep.equal(ids.slice(0, 2))
      expect(headers['x-pagination-total-entries']).to.equal('4')
      expect(headers['link']).to.contain('page=2&per_page=2>; rel="next"')
      expect((await entries('?page=2&per_page=2')).map((entry) => entry['id'])).to.have.lengthOf(2)
      expect(await entries('?page=9')).to.deep.equal([])
      expect((await place.ask(ADMIN, 'GET', '/imports?per_page=101')).status).to.equal(400)
      for (const id of ids) await place.ask(ADMIN, 'DELETE', `/imports/${id}`)
    })

    it('know only imports of the account', async () => {
      for (const path of ['/imports/999999', '/imports/999999/failures', '/imports/x', '/imports/1/other'])
        expect((await place.ask(ADMIN, 'GET', path)).status, path).to.equal(404)
      expect((await place.ask(ADMIN, 'DELETE', '/imports/999999')).status).to.equal(404)
    })

    it('offer the headers of each type as a file', async () => {
      const { headers, text } = await place.ask(ADMIN, 'GET', '/imports/template?type=sites')
      expect(text).to.equal(
        '\ufeff"ID",Source,Source ID,Disabled,Name,Address,City,State,Zip,Country,Time Zone,Remarks,Custom Fields\r\n',
      )
      expect(headers['content-type']).to.equal('text/csv; charset=utf-8')
      expect(headers['content-disposition']).to.equal('attachment; filename="sites.csv"')
      const parts = await place.ask(ADMIN, 'GET', '/imports/template.csv?type=people_contact_details', undefined, {
        Accept: 'text/csv',
      })
      expect(parts.text).to.match(/^\ufeff"ID",Source,Source ID,Person,/)
      const { status, json } = await place.ask(ADMIN, 'GET', '/imports/template?type=unicorns')
      expect([status, json]).to.deep.equal([
        422,
        { message: 'Validation Failed', errors: [['type', 'Type is not included in the list']] },
      ])
      expect((await place.ask(ADMIN, 'GET', '/imports/template')).status).to.equal(422)
    })

    it('refuse a mapping that is none, or that names no column', async () => {
      const refused = async (mapping: string) => {
        const { json, status } = await upload({ type: 'sites', mapping, file: 'Name\nOslo\n' })
        expect(status).to.equal(422)
        return (json as { errors: [string, string][] }).errors.map(([, message]) => message)
      }
      const none = ['Mapping must be a JSON object that names the header for each of your own ones']
      for (const text of ['x', '[]', '1', 'null', '{"a":1}', '{"a":null}'])
        expect(await refused(text), text).to.deep.equal(none)
      expect(await refused('{"Full name":"Nickname"}')).to.deep.equal([
        "Mapping names 'Nickname', which is no column of this type; the nearest one is 'Name'",
      ])
      expect(await entries('?per_page=100')).to.have.lengthOf(4)
    })
  })

  describe('while imports are worked on', () => {
    before(() => place.itsm.start())

    it('rename headers by the mapping, and keep the headers of the file for what failed', async () => {
      await upload({
        type: 'sites',
        mapping: '{" full NAME":"name","Town":"City"}',
        file: 'Full name,Town\nOslo,Oslo\n,Bergen\n',
      })
      const entry = await ended()
      expect(entry).to.deep.include({ state: 'done', line: 3, lines: 3, message: null })
      expect(entry['results']).to.include({ created: 1, failures: 1 })
      const { headers, text } = await place.ask(ADMIN, 'GET', `/imports/${entry['id']}/failures`)
      expect(text).to.equal("\ufeffFull name,Town,Line,Field,Reason\r\n,Bergen,3,Name,Name can't be blank\r\n")
      expect(headers['content-disposition']).to.equal(`attachment; filename="import-${entry['id']}-failures.csv"`)
      const log = await fetch(String(entry['logfile']))
      expect(await log.text()).to.match(/INFORMATION line 3: created 1, .* failures 1, errors 0\n$/)
      expect((await place.ask(ADMIN, 'DELETE', `/imports/${entry['id']}`)).status).to.equal(409)
    })

    it('leave out columns that the mapping gives no header', async () => {
      await upload({
        type: 'sites',
        mapping: '{"City":"","Time Zone":" "}',
        file: 'Name,City,Time Zone,Remarks\nHarbor,Nowhere,Mars/Nowhere,At the sea\n',
      })
      expect((await ended())['results']).to.include({ created: 1, failures: 0 })
      const found = (await place.ask(ADMIN, 'GET', '/sites?name=Harbor')).json as { id: number }[]
      const { json } = await place.ask(ADMIN, 'GET', `/sites/${found[0]?.id}`)
      expect(json).to.include({ city: null, remarks: 'At the sea' })
      await upload({ type: 'sites', mapping: '{"Name":""}', file: 'Name\nNobody\n' })
      const stopped = await ended()
      expect(stopped['state']).to.equal('error')
      expect(stopped['message']).to.match(/^None of the column headers is known: line 1 begins with /)
    })

    it('tell all that is wrong with the cells of a row, also beside an unknown record', async () => {
      const file = [
        'Name,Primary Email,Site,Time Zone,Organization',
        'Ben Cole,ben at widgets,Atlantis,Mars,Widget IT',
        'Cat Dunn,cat.dunn@widgets.example,Atlantis,Amsterdam,Widget IT',
      ].join('\n')
      const count = async () => (await place.ask(ADMIN, 'GET', '/people')).headers['x-pagination-total-entries']
      const before = await count()
      for (const dry_run of ['true', 'false']) {
        await upload({ type: 'people', file: `${file}\n`, dry_run })
        const entry = await ended()
        expect(entry['results'], dry_run).to.include({ created: 0, failures: 2 })
        const { text } = await place.ask(ADMIN, 'GET', `/imports/${entry['id']}/failures`)
        const reasons = (await rowsOfCsv(text)).map((row) => row.slice(-2))
        expect(reasons, dry_run).to.deep.equal([
          ['Field', 'Reason'],
          ['Site', 'Site "Atlantis" could not be found; Primary email is invalid; Time zone is not included in the list'],
          ['Site', 'Site "Atlantis" could not be found'],
        ])
      }
      expect(await count()).to.equal(before)
    })

    it('judge no cell without the record that another one names', async () => {
      const reasonFor = async (type: string, file: string) => {
        await upload({ type, file })
        const { text } = await place.ask(ADMIN, 'GET', `/imports/${(await ended())['id']}/failures`)
        return (await rowsOfCsv(text))[1]?.slice(-2)
      }
      // Who is a member of a team that is not there?
      expect(
        await reasonFor(
          'requests',
          'Subject,Category,Status,Team,Member\nLift,incident,assigned,Nowhere,eva@widgets.example\n',
        ),
      ).to.deep.equal(['Team', 'Team "Nowhere" could not be found'])
      expect(
        await reasonFor(
          'change_templates',
          `Subject,Task Templates,Change\nLift,"Nowhere A\nNowhere B","'Nowhere A' => 'Nowhere B'"\n`,
        ),
      ).to.deep.equal([
        'Task Templates',
        'Task Templates "Nowhere A" could not be found; Task Templates "Nowhere B" could not be found',
      ])
    })

    it('have the same tag while nothing changes, although the URL of the log is signed anew', async () => {
      const [entry] = await entries('?per_page=1')
      const path = `/imports/${entry?.['id']}`
      const { headers } = await place.ask(ADMIN, 'GET', path)
      const again = await place.ask(ADMIN, 'GET', path, undefined, { 'If-None-Match': String(headers['etag']) })
      expect(again.status).to.equal(304)
    })

    it('name the column of the cell at fault, also of one that lists records, and in a later row of its record', async () => {
      const fieldsOf = async (type: string, file: string) => {
        await upload({ type, file })
        const { text } = await place.ask(ADMIN, 'GET', `/imports/${(await ended())['id']}/failures`)
        const [headers = [], ...rows] = await rowsOfCsv(text)
        return rows.map((cells) => cells[headers.indexOf('Field')] ?? '')
      }
      const id = (name: string) => place.world.id(name)
      const long = `ID,Phases\n${id('@paper-archive')},${'x'.repeat(51)}\n`
      expect(await fieldsOf('projects', long)).to.deep.equal(['Phases'])
      expect(await fieldsOf('projects', `ID,Phases\n${id('@new-office')},\n`)).to.deep.equal(['Phases'])
      const hours = 'Name,Weekday,From,Until\nNights,mon,22:00,24:00\nNights,tue,22:00,21:00\n'
      expect(await fieldsOf('calendars', hours)).to.deep.equal(['', 'Until'])
      expect(await fieldsOf('task_approvals', 'Task,Approver\n999999,owen@widgets.example\n')).to.deep.equal(['Task'])
      const roles = 'Person,Role Account,Auditor\nines@widgets.example,partner,1\n'
      expect(await fieldsOf('people_roles', roles)).to.deep.equal(['Role Account'])
    })

    it('have templates that are files of their types', async () => {
      const { headers, text } = await place.ask(ADMIN, 'GET', '/imports/template?type=task_approvals')
      expect([headers['content-type'], text]).to.deep.equal([
        'text/csv; charset=utf-8',
        '\ufeffSource,Source ID,Task,Approver,Status,Planned Effort\r\n',
      ])
      for (const { type } of importKinds(compileChecked(records, [], SHARED_LISTS))) {
        const template = await place.ask(ADMIN, 'GET', `/imports/template?type=${type}`)
        await upload({ type, file: template.text })
        expect((await ended())['message'], type).to.equal(null)
      }
    })

    it('give all rows of a calendar of which one failed', async () => {
      const file = 'Name,Weekday,From,Until\nNights,mon,22:00,24:00\nNights,someday,22:00,24:00\nDays,tue,08:00,16:00\n'
      await upload({ type: 'calendars', file })
      const entry = await ended()
      expect(entry['results']).to.include({ created: 1, failures: 2 })
      const { text } = await place.ask(ADMIN, 'GET', `/imports/${entry['id']}/failures`)
      const lines = text.split('\r\n').map((line) => line.split(',').slice(0, 6).join(','))
      expect(lines.slice(1)).to.deep.equal(['Nights,mon,22:00,24:00,2,', 'Nights,someday,22:00,24:00,3,Weekday', ''])
    })

    it('give rows beside a failed one that would otherwise be removed', async () => {
      const rows = ['telephone,work,+31 1', 'pigeon,work,Loft 3', 'telephone,mobile,+31 2']
      const file = `Person,Contact Protocol,Contact Label,Contact URI,Integration\n${rows.map((row) => `sam@widgets.example,${row},1\n`).join('')}`
      await upload({ type: 'people_contact_details', file })
      const entry = await ended()
      const { text } = await place.ask(ADMIN, 'GET', `/imports/${entry['id']}/failures`)
      expect((await rowsOfCsv(text)).slice(1).map((cells) => cells.slice(3))).to.deep.equal([
        ['\t+31 1', '1', '2', '', ''],
        ['Loft 3', '1', '3', 'Contact Protocol', 'Protocol is not included in the list'],
        ['\t+31 2', '1', '4', '', ''],
      ])
    })
  })
})
