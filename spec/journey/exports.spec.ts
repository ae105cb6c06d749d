/** Exports as clients use them (behaviour: Exports). */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import { VERSION } from '../../plugin/core/version.js'
import { rowsOfCsv } from '../support/csv.js'
import { exported, exportedFile, imported } from '../support/file-clients.js'
import { withMounted } from '../support/mounted.js'

/** An administrator, a specialist, and a person without any role. */
const [ADMIN, SPECIALIST, USER] = ['@owen', '@sam', '@ines']
const LATER = '2099-01-01T00:00:00Z'

describe('Exports', () => {
  const place = withMounted()
  before(() => place.itsm.start())

  const post = (body: object, as: string | null = ADMIN) => place.ask(as, 'POST', '/export', body)
  const cellsOf = async (text: string, header: string) => {
    const [headers = [], ...rows] = await rowsOfCsv(text)
    return rows.map((cells) => cells[headers.indexOf(header)] ?? '')
  }

  it('are files in UTF-8 with a mark, CRLF, a quoted ID, and protected formulas', async () => {
    await place.itsm.as(place.world.id(ADMIN)).create('site', { name: '=1+1', remarks: '-2\n-3', city: 'Zürich' })
    await place.itsm.as(place.world.id(ADMIN)).create('site', { name: 'Behind a tab', remarks: '\t=1+1' })
    const text = await exportedFile(place, ADMIN, 'sites')
    expect(text.slice(0, 6)).to.equal('\ufeff"ID",')
    expect(text).to.match(/,"\t=1\+1",.*,Zürich,.*,"\t-2\n-3",/s)
    expect(text).to.include('"\t\t=1+1"')
    expect(text.split('\r\n').at(-1)).to.equal('')
    const { results } = await imported(place, ADMIN, 'sites', text)
    expect(results['unchanged']).to.equal((await rowsOfCsv(text)).length - 1)
  })

  it('come back unchanged, whatever the names look like, and whoever wrote the notes', async () => {
    const owen = place.itsm.as(place.world.id(ADMIN))
    const id = (name: string) => place.world.id(name)
    const { id: team } = await owen.create('team', { name: 'IT Support @partner' })
    const instance = { name: 'Email / down', service_id: id('@email'), support_team_id: team, first_line_team_id: team }
    const { id: down } = await owen.create('service_instance', instance)
    await owen.link({ type: 'sla', id: id('@email-for-sales') }, 'service_instances', Number(down))
    const note = { text: 'We have the same.', internal: false }
    await place.ask('@pat', 'POST', `/requests/${id('@mail-is-slow')}/notes`, note, { 'X-SVC-Account': 'widgets' })
    for (const type of ['service_instances', 'slas', 'requests']) {
      const text = await exportedFile(place, ADMIN, type)
      const { results } = await imported(place, ADMIN, type, text)
      expect(results, type).to.include({ updated: 0, failures: 0, unchanged: (await rowsOfCsv(text)).length - 1 })
    }
  })

  it('have the order of task templates in a fixed order, by ids where subjects would not lead back', async () => {
    const owen = place.itsm.as(place.world.id(ADMIN))
    const subjects = ["Ask Ann's team", 'Twice', 'twice', "a' => 'b", 'a', "b' => 'c", 'c', '15']
    const ids: number[] = []
    for (const subject of subjects) {
      const body = { subject, category: 'implementation', planned_duration: 1 }
      ids.push(Number((await owen.create('task_template', body))['id']))
    }
    const { id } = await owen.create('change_template', { subject: 'With odd names', task_template_ids: ids })
    const [ann, one, two, ab, a, bc, c, number] = ids
    const pairs = [
      [number, c],
      [a, bc],
      [ab, c],
      [ann, number],
      [one, two],
    ] as const
    for (const [predecessor_id, successor_id] of pairs)
      await owen.create('task_sequence', { predecessor_id, successor_id }, { type: 'change_template', id: Number(id) })
    const text = await exportedFile(place, ADMIN, 'change_templates')
    expect((await cellsOf(text, 'Change')).at(-1)?.split('\n')).to.deep.equal([
      "'Ask Ann's team' => '15'",
      `${one} => ${two}`,
      `${ab} => ${c}`,
      `${a} => ${bc}`,
      "'15' => 'c'",
    ])
    const { log, results } = await imported(place, ADMIN, 'change_templates', text)
    expect(results, log).to.include({ updated: 0, failures: 0, unchanged: (await rowsOfCsv(text)).length - 1 })
    const wrong = `ID,Change\n${id},"'Twice' => 'c'"\n${id},"'a' => 'b' => 'c'"\n`
    const refused = (await imported(place, ADMIN, 'change_templates', wrong)).log
    expect(refused).to.include(`line 2: change template ID ${id}: Change "Twice" is ambiguous: several records have it`)
    expect(refused).to.include(`line 3: change template ID ${id}: Change "'a' => 'b' => 'c'" is ambiguous`)
    const [newest] = (await place.ask(ADMIN, 'GET', '/imports?per_page=1')).json as { id: number }[]
    const failures = await rowsOfCsv((await place.ask(ADMIN, 'GET', `/imports/${newest?.id}/failures`)).text)
    expect(failures[1]?.slice(-3)).to.deep.equal([
      ...['2', 'Change', `Change "Twice" is ambiguous: several records have it ("'Twice' => 'c'")`],
    ])
  })

  it('have a progress, and a URL that needs no credentials, but its signature', async () => {
    const progress = await exported(place, ADMIN, { type: 'sites' })
    expect(progress).to.have.all.keys('state', 'url', 'next_from')
    const url = new URL(String(progress?.['url']))
    expect(url.pathname).to.match(/\/v1\/exports\/\d{8}\/widgets\/\d+\.sites\.csv$/)
    const { headers } = await fetch(url)
    expect(headers.get('content-type')).to.equal('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).to.equal('attachment; filename="sites.csv"')
    const status = async (from: RegExp, to: string) => (await fetch(url.href.replace(from, to))).status
    expect(await status(/signature=./, 'signature=0x')).to.equal(403)
    expect(await status(/expires=\d+/, 'expires=4000000000')).to.equal(403)
    expect(await status(/sites/, 'people')).to.equal(403)
    expect(await status(/\?.*/, '')).to.equal(403)
  })

  it('of several types are an archive with a file each, in the order of imports', async () => {
    const progress = await exported(place, ADMIN, { type: 'teams, sites,teams' })
    const file = await fetch(String(progress?.['url']))
    expect(file.headers.get('content-type')).to.equal('application/zip')
    expect(file.headers.get('content-disposition')).to.equal('attachment; filename="export.zip"')
    const folder = mkdtempSync(join(tmpdir(), 'itsm-export-'))
    try {
      writeFileSync(join(folder, 'export.zip'), Buffer.from(await file.arrayBuffer()))
      const run = (...args: string[]) => execFileSync('python3', ['-m', 'zipfile', ...args], { cwd: folder }).toString()
      expect(run('-l', 'export.zip').match(/\w+\.csv/g)).to.deep.equal(['sites.csv', 'teams.csv'])
      run('-e', 'export.zip', 'out')
      const { readFileSync } = await import('node:fs')
      const manifest = JSON.parse(readFileSync(join(folder, 'out', 'manifest.json'), 'utf8'))
      expect(manifest).to.include({ account: 'widgets', ids: 'own', next_from: progress?.['next_from'], version: VERSION })
      expect(manifest.types).to.deep.equal(['sites', 'teams'])
      expect(manifest.files).to.deep.equal([
        { name: 'sites.csv', type: 'sites' },
        { name: 'teams.csv', type: 'teams' },
      ])
      for (const type of ['sites', 'teams'])
        expect(readFileSync(join(folder, 'out', `${type}.csv`), 'utf8')).to.equal(await exportedFile(place, ADMIN, type))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('refuse what they cannot do, each mistake named', async () => {
    const errors = async (body: object) => {
      const { json, status } = await post(body)
      expect(status).to.equal(422)
      return (json as { errors: [string, string][] }).errors.map(([field]) => field)
    }
    for (const type of [undefined, '', ' , ', [], 'unicorns', 'people,unicorns', ['people', 7], 7, { a: 1 }, 'People'])
      expect(await errors({ type }), JSON.stringify(type)).to.deep.equal(['type'])
    for (const from of ['yesterday', '2026-13-01T00:00:00Z', 7, ['2026-01-01T00:00:00Z'], {}, '1'.repeat(10_000)])
      expect(await errors({ type: 'people', from }), JSON.stringify(from).slice(0, 20)).to.deep.equal(['from'])
    expect(await errors({ type: 'x'.repeat(50_000), from: 'x', locale: ['en'] })).to.deep.equal(['type', 'from', 'locale'])
    expect((await post({ type: 'people' }, null)).status).to.equal(401)
    expect((await place.ask(ADMIN, 'GET', '/export/none')).status).to.equal(404)
  })

  it('may be asked for by a form', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const { json, status } = await place.ask(ADMIN, 'POST', '/export', Buffer.from('type=sites&locale=nl'), headers)
    expect([status, Object.keys(json as object)]).to.deep.equal([200, ['token']])
  })

  it('belong to the person who asked for them', async () => {
    const { json } = await post({ type: 'sites' })
    const path = `/export/${(json as { token: string }).token}`
    expect((await place.ask(SPECIALIST, 'GET', path)).status).to.equal(404)
    expect((await place.ask(ADMIN, 'GET', path)).status).to.equal(200)
  })

  describe('since a time', () => {
    it('are 204 when nothing has changed', async () => {
      expect((await post({ type: 'people,cis', from: LATER })).status).to.equal(204)
      for (const from of ['2020-01-01T00:00:00Z', '1000-01-01T00:00:00Z'])
        expect((await post({ type: 'people', from })).status).to.equal(200)
    })

    it('have the changed records alone: also those whose links or sub-records have changed', async () => {
      const admin = place.itsm.as(place.world.id(ADMIN))
      const { knex } = place.database
      const old = '2026-01-01 00:00:00'
      const changedOf = async (type: string, header: string) => {
        if ((await post({ type, from: '2026-06-01T00:00:00Z' })).status === 204) return []
        return cellsOf(await exportedFile(place, ADMIN, type, '2026-06-01T00:00:00Z'), header)
      }
      const age = async () => {
        for (const table of ['teams', 'people', 'change_templates']) await knex(`itsm_${table}`).update({ updated_at: old })
        for (const table of ['audit_lines', 'notes', 'attachments']) await knex(`itsm_${table}`).update({ created_at: old })
        place.itsm.forget()
      }
      await age()
      expect(await changedOf('teams', 'Name')).to.deep.equal([])

      const team = await admin.create('team', { name: 'Night shift' })
      await age()
      await admin.link({ type: 'team', id: Number(team['id']) }, 'members', place.world.id(SPECIALIST))
      expect(await changedOf('teams', 'Name')).to.deep.equal(['Night shift'])

      const person = { type: 'person', id: place.world.id(SPECIALIST) }
      await age()
      await admin.create('contact', { label: 'work', telephone: '+31 1 2345' }, person)
      expect(await changedOf('people', 'Name')).to.deep.equal(['Sam Peters'])
      expect(await changedOf('people_contact_details', 'Contact URI')).to.include('\t+31 1 2345')

      const template = { type: 'change_template', id: place.world.id('@patch-servers') }
      const pair = { predecessor_id: place.world.id('@assess-risk'), successor_id: place.world.id('@install-patches') }
      await age()
      const { id } = await admin.create('task_sequence', pair, template)
      expect(await changedOf('change_templates', 'Change')).to.deep.equal(["'Assess the risk' => 'Install the patches'"])
      await age()
      await admin.remove('task_sequence', Number(id), template)
      expect(await changedOf('change_templates', 'Change')).to.deep.equal([''])
    })
  })

  describe('of people with other roles', () => {
    it('have the rows of their lists', async () => {
      for (const type of ['requests', 'people', 'organizations', 'services', 'cis']) {
        for (const as of [ADMIN, SPECIALIST, USER, '@audrey', '@dana']) {
          const listed = await place.ask(as, 'GET', `/${type}?per_page=100&fields=id&sort=id`)
          const { status } = await post({ type }, as)
          expect(status, `${type} as ${as}`).to.equal(listed.status)
          if (status !== 200) continue
          const ids = (listed.json as { id: number }[]).map(({ id }) => String(id))
          expect(await cellsOf(await exportedFile(place, as, type), 'ID'), `${type} as ${as}`).to.deep.equal(ids)
        }
      }
    })

    it('are closed to tokens for other types, and their links, too', async () => {
      const made = await place.ask(null, 'POST', '/me/tokens', { name: 'teams only', record_types: ['team'] }, byPassword())
      const { token } = made.json as { token: string }
      const headers = { Authorization: `Basic ${Buffer.from(`${token}:x`).toString('base64')}` }
      expect((await place.ask(null, 'POST', '/export', { type: 'people' }, headers)).status).to.equal(403)
      expect((await place.ask(null, 'POST', '/export', { type: 'teams,people' }, headers)).status).to.equal(403)
      const { json } = await place.ask(null, 'POST', '/export', { type: 'teams' }, headers)
      const read = () => place.ask(null, 'GET', `/export/${(json as { token: string }).token}`, undefined, headers)
      let progress = await read()
      while ((progress.json as { state: string }).state !== 'done') progress = await read()
      const text = await (await fetch((progress.json as { url: string }).url)).text()
      expect(await cellsOf(text, 'Name')).to.include('Service Desk')
      expect(new Set(await cellsOf(text, 'Members'))).to.deep.equal(new Set(['']))
      expect((await cellsOf(await exportedFile(place, ADMIN, 'teams'), 'Members')).join('')).to.include('@')
    })
  })

  it('are read by code of the host row by row', async () => {
    const admin = place.itsm.as(place.world.id(ADMIN))
    const names: (string | undefined)[] = []
    for await (const row of admin.export('sites')) names.push(row['Name'])
    expect(names).to.deep.equal(await cellsOf(await exportedFile(place, ADMIN, 'sites'), 'Name'))
    for await (const row of admin.export('sites', { from: new Date(LATER) })) expect(row).to.equal(null)
    const first = admin.export('unicorns')[Symbol.asyncIterator]().next()
    expect(
      await first.then(
        () => null,
        (error: Error) => error.message,
      ),
    ).to.match(/Validation Failed/)
  })

  function byPassword() {
    const { email, password } = place.world.signIn(ADMIN)
    return { Authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` }
  }
})
