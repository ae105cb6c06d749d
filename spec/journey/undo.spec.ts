/** Imports that are undone (behaviour: Undo of imports). All files of the fixtures are undone in `import-files.spec.ts`. */
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import { purgeImports } from '../../plugin/imports/progress/import-list.js'
import { saveLastLine } from '../../plugin/imports/undo/undo-progress.js'
import { rowsOfCsv } from '../support/csv.js'
import { imported, undone, upload } from '../support/file-clients.js'
import { extendVehicles, fleet, fleetRecords } from '../support/fleet.js'
import { withMounted } from '../support/mounted.js'
import { differencesBetween, dumpRecords } from '../support/record-dump.js'
import { createVehicles, vehicle } from '../support/vehicle.js'

/** An administrator, another one, and a person who is none. */
const [ADMIN, OTHER, NOBODY] = ['@owen', '@marc', '@dana']
const NOTHING = { created: 0, updated: 0, deleted: 0, unchanged: 0, failures: 0, errors: 0 }

describe('Undo of imports', () => {
  const place = withMounted('bare')
  before('starts, with a second administrator', async () => {
    await place.itsm.start()
    const path = `/people/${place.world.id(OTHER)}/permissions/widgets`
    expect((await place.ask(ADMIN, 'POST', path, { roles: ['account_administrator'] })).status).to.equal(200)
  })

  const json = async <T>(method: string, path: string, body?: object, as = ADMIN) =>
    (await place.ask(as, method, path, body)).json as T
  const newest = async () => (await json<{ id: number }[]>('GET', '/imports?per_page=1'))[0]?.id ?? 0
  const failures = async (id: number) => rowsOfCsv((await place.ask(ADMIN, 'GET', `/imports/${id}/failures`)).text)
  const idOf = async (path: string, name: string) =>
    (await json<{ id: number }[]>('GET', `/${path}?name=${encodeURIComponent(name)}`))[0]?.id
  const lines = (from: number, to: number, line: (index: number) => string) =>
    Array.from({ length: to - from }, (_, index) => line(from + index))

  it('disables what was created, and puts back what was changed', async () => {
    const was = await dumpRecords(place)
    const { results } = await imported(
      place,
      ADMIN,
      'sites',
      'Name,City,Source,Source ID\nHouston,El Paso,Facilities,HOU\nBergen,Bergen,Gis,1\n',
    )
    expect(results).to.include({ created: 1, updated: 1 })
    const end = await undone(place, ADMIN)
    expect(end, end.log).to.deep.include({ state: 'done', results: { ...NOTHING, updated: 2 } })
    expect(differencesBetween(place, was, await dumpRecords(place))).to.deep.equal([])
    expect(await json('GET', `/sites/${await idOf('sites', 'Bergen')}`)).to.include({ disabled: true })
    const entry = await json<{ line: number; lines: number }>('GET', `/imports/${await newest()}`)
    expect(entry.line).to.equal(entry.lines)
    expect(end.log.split('\n')[0]).to.match(/INFORMATION line 1: Undo of import \d+ \(sites\) started$/)
  })

  it('removes what cannot be disabled, with its notes', async () => {
    const was = await dumpRecords(place)
    const file = 'Source,Source ID,Subject,Category,Impact,Requested By,Notes,Internal Notes\n'
    const rows = lines(1, 4, (at) => `Old,R-${at},Request ${at},incident,low,ines@widgets.example,A note,An internal note`)
    expect((await imported(place, ADMIN, 'requests', `${file}${rows.join('\n')}\n`)).results).to.include({ created: 3 })
    const end = await undone(place, ADMIN)
    expect(end.results, end.log).to.deep.include({ failures: 0, errors: 0 })
    expect(differencesBetween(place, was, await dumpRecords(place))).to.deep.equal([])
  })

  it('is an import of its own: in the list, in the trail, with the right events', async () => {
    await imported(place, ADMIN, 'sites', 'Source,Source ID,City\nFacilities,HOU,El Paso\n')
    const id = await newest()
    const since = Number((await place.database.knex('itsm_audit_lines').max({ id: 'id' }))[0]?.['id'])
    await undone(place, OTHER, id)
    const [undo, imported_] = await json<Record<string, unknown>[]>('GET', '/imports?per_page=2')
    expect(undo).to.deep.include({ type: 'sites', undo_of: id, undone_by: null, dry_run: false, state: 'done' })
    expect(undo?.['created_by']).to.deep.include({ id: place.world.id(OTHER) })
    expect(undo?.['line']).to.equal(undo?.['lines'])
    expect(imported_).to.deep.include({ id, undo_of: null, undone_by: undo?.['id'] })
    const trail = await place.database.knex('itsm_audit_lines').where('id', '>', since)
    expect(trail).to.have.lengthOf(1)
    expect(trail[0]).to.include({ cause: `undo of import ${id}`, origin: 'import', created_by_id: place.world.id(OTHER) })
    expect(JSON.parse(trail[0].changes)).to.deep.include({ city: ['El Paso', 'Houston'] })
  })

  it('leaves what somebody has changed since, and lists it with who and when', async () => {
    const rows = lines(0, 6, (at) => `Site ${at},City ${at},Map,${at}`)
    await imported(place, ADMIN, 'sites', `Name,City,Source,Source ID\n${rows.join('\n')}\n`)
    const first = await newest()
    const again = lines(0, 6, (at) => `Map,${at},Town ${at}`)
    await imported(place, ADMIN, 'sites', `Source,Source ID,City\n${again.join('\n')}\n`)
    const second = await newest()
    const [changed, other] = [await idOf('sites', 'Site 2'), await idOf('sites', 'Site 4')]
    await json('PATCH', `/sites/${changed}`, { remarks: 'Mind the gap' }, OTHER)
    await json('PATCH', `/sites/${other}`, { city: 'Somewhere else' }, OTHER)

    const end = await undone(place, ADMIN, second)
    expect(end.results, end.log).to.deep.equal({ ...NOTHING, updated: 4, failures: 2 })
    expect(await json('GET', `/sites/${changed}`)).to.include({ city: 'Town 2', remarks: 'Mind the gap' })
    expect(await json('GET', `/sites/${other}`)).to.include({ city: 'Somewhere else' })
    const [header, ...left] = await failures(await newest())
    expect(header).to.deep.equal(['Record Type', 'ID', 'Name', 'Changed By', 'Changed At', 'Line', 'Field', 'Reason'])
    expect(left.map((cells) => cells.slice(0, 4))).to.have.deep.members([
      ['site', String(changed), 'Site 2', 'Marc Dubois'],
      ['site', String(other), 'Site 4', 'Marc Dubois'],
    ])
    for (const cells of left) {
      expect(cells[4]).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/)
      expect(cells.at(-1)).to.match(/^Changed by Marc Dubois at .*: it stays as it is$/)
    }
    expect(end.log).to.match(/ERROR line \d+: site ID \d+ \(Site 4\): Changed by Marc Dubois at/)

    // The undone import counts no more; what a person has changed does.
    const both = await undone(place, ADMIN, first)
    expect(both.results, both.log).to.deep.equal({ ...NOTHING, updated: 4, failures: 2 })
    expect(await json('GET', `/sites/${await idOf('sites', 'Site 0')}`)).to.include({ disabled: true, city: 'City 0' })
    expect(await json('GET', `/sites/${changed}`)).to.include({ disabled: false })
  })

  it('leaves a new record with the note or the reference of somebody', async () => {
    const header = 'Source,Source ID,Subject,Category,Impact,Requested By\n'
    const rows = lines(10, 14, (at) => `Old,R-${at},Request ${at},incident,low,ines@widgets.example`)
    await imported(place, ADMIN, 'requests', `${header}${rows.join('\n')}\n`)
    const id = await newest()
    const all = await json<{ id: number; subject: string }[]>('GET', '/requests?source=Old&sort=id&fields=subject')
    const [noted, grouping, grouped] = all
    await json('POST', `/requests/${noted?.id}/notes`, { text: 'I call back' }, OTHER)
    const free = await json<{ id: number }>(
      'POST',
      '/requests',
      { subject: 'Mine', category: 'incident', impact: 'low' },
      OTHER,
    )
    await json('PATCH', `/requests/${free.id}`, { problem_id: null, grouped_into_id: grouping?.id }, OTHER)
    expect(grouped).to.be.an('object')
    const end = await undone(place, ADMIN, id)
    expect(end.results['failures'], end.log).to.be.greaterThan(0)
    expect((await place.ask(ADMIN, 'GET', `/requests/${noted?.id}/notes`)).text).to.include('I call back')
    expect((await place.ask(ADMIN, 'GET', `/requests/${all[3]?.id}`)).status).to.equal(404)
    const reasons = (await failures(await newest())).slice(1).map((cells) => [cells[1], cells[3], cells[4]?.slice(10)])
    expect(reasons.map((cells) => cells.slice(0, 2))).to.deep.include([String(noted?.id), 'Marc Dubois'])
    expect(reasons.find(([left]) => left === String(noted?.id))?.[2]).to.match(/^T\d\d:\d\d:\d\dZ$/)
  })

  it('computes again what others have a part in', async () => {
    const service = async () => json<{ impact: string }>('GET', `/service_instances/${place.world.id('@laptops')}`)
    const header = 'Source,Source ID,Subject,Category,Impact,Requested By,Service Instance\n'
    await imported(place, ADMIN, 'service_instances', `ID,Remarks\n${place.world.id('@laptops')},Old\n`)
    await imported(place, ADMIN, 'requests', `${header}Lap,1,All,incident,top,ines@widgets.example,Laptops\n`)
    expect(await service()).to.include({ impact: 'top' })
    const mine = { subject: 'Mine', category: 'incident', impact: 'high', service_instance_id: place.world.id('@laptops') }
    expect((await place.ask('@sam', 'POST', '/requests', mine)).status).to.equal(201)
    const end = await undone(place, ADMIN)
    expect(end.results, end.log).to.include({ failures: 0, errors: 0 })
    expect(await service()).to.include({ impact: 'high' })
  })

  it('leaves the service levels of a request that it leaves', async () => {
    const header = 'Source,Source ID,Subject,Category,Impact,Requested By,Service Instance\n'
    const rows = lines(0, 2, (at) => `Desk,${at},Slow ${at},incident,high,ines@widgets.example,Email Europe`)
    await imported(place, ADMIN, 'requests', `${header}${rows.join('\n')}\n`)
    const [one, two] = await json<{ id: number }[]>('GET', '/requests?source=Desk&sort=id')
    await json('POST', `/requests/${one?.id}/notes`, { text: 'I call back' }, OTHER)
    const levels = (id: number | undefined) => place.database.knex('itsm_affected_slas').where({ request_id: id ?? 0 })
    const was = await levels(one?.id)
    expect(was).to.have.lengthOf(1)
    const end = await undone(place, ADMIN)
    expect(end.results, end.log).to.include({ deleted: 2, failures: 1, errors: 0 })
    expect(await levels(one?.id)).to.deep.equal(was)
    expect((await place.ask(ADMIN, 'GET', `/requests/${two?.id}`)).status).to.equal(404)
  })

  it('takes the links that the import has made, not those made since from the other side', async () => {
    await imported(place, ADMIN, 'teams', 'Source,Source ID,Members\nHR,TEAM-7,"ines@widgets.example\neva@widgets.example"\n')
    const team = place.world.id('@email-support')
    const linked = await place.ask(OTHER, 'POST', `/people/${place.world.id(NOBODY)}/teams/${team}`)
    expect(linked.status).to.equal(200)
    const was = await json<{ name: string }[]>('GET', `/teams/${team}/members`)
    const end = await undone(place, ADMIN)
    expect(end.results, end.log).to.deep.equal({ ...NOTHING, updated: 1 })
    const names = (await json<{ name: string }[]>('GET', `/teams/${team}/members`)).map(({ name }) => name)
    expect(names).to.include('Dana Kowalski').and.not.include('Ines Álvarez')
    expect(names.length).to.be.lessThan(was.length + 2)
  })

  it('tells who has removed a record since', async () => {
    const header = 'Source,Source ID,Name,Description\n'
    await imported(place, ADMIN, 'service_categories', `${header}Catalog,SC-1,Leisure,One\n`)
    await imported(place, ADMIN, 'service_categories', `${header}Catalog,SC-1,Leisure,Two\n`)
    const id = await idOf('service_categories', 'Leisure')
    expect((await place.ask(ADMIN, 'DELETE', `/service_categories/${id}`)).status).to.equal(204)
    const end = await undone(place, ADMIN)
    expect(end.results, end.log).to.deep.equal({ ...NOTHING, failures: 1 })
    const [, left] = await failures(await newest())
    expect(left?.slice(0, 4)).to.deep.equal(['service_category', String(id), '', 'Owen Wright'])
    expect(left?.[4]).to.match(/^\d{4}-\d\d-\d\dT/)
  })

  it('puts sub-records back together with their record, and what follows from it far from it in the file', async () => {
    const was = await dumpRecords(place)
    const [floor, archive] = [place.world.id('@choose-floor'), place.world.id('@paper-archive')]
    const header = 'ID,Source,Source ID,Project,Template,Planned Duration,Subject,Category,Status'
    const more = lines(0, 210, (at) => `,M,M-${at},${archive},Hire the movers,60,Shelf ${at},activity,`)
    const file = [header, `${floor},Planner,PT-1,,Hire the movers,60,Choose a floor,activity,completed`, ...more]
    const done = await imported(place, ADMIN, 'project_tasks', `${file.join('\n')}\n`)
    expect(done.results, done.log).to.include({ created: 210, updated: 1, failures: 0 })
    const end = await undone(place, ADMIN)
    expect(end.results, end.log).to.include({ deleted: 210, failures: 0, errors: 0 })
    expect(differencesBetween(place, was, await dumpRecords(place))).to.deep.equal([])
  })

  it('leaves a sub-record that somebody has changed since, and tells who', async () => {
    const task = place.world.id('@choose-floor')
    const path = `/project_tasks/${task}/assignments`
    const sent = `Project Task,Assignee,Planned Effort\n${task},ines@widgets.example,77\n${task},sam@widgets.example,78\n`
    const done = await imported(place, ADMIN, 'project_task_assignments', sent)
    expect(done.results, done.log).to.include({ updated: 2 })
    const effort = async () => (await json<{ planned_effort: number }[]>('GET', path)).map((one) => one.planned_effort)
    const [first] = await json<{ id: number }[]>('GET', path)
    const changed = await place.ask('@petra', 'PATCH', `${path}/${first?.id}`, { planned_effort: 99 })
    expect(changed.status, changed.text).to.equal(200)
    const end = await undone(place, ADMIN)
    expect(end.results, end.log).to.include({ failures: 1, errors: 0 })
    const [, left] = await failures(await newest())
    expect(left?.slice(0, 4)).to.deep.equal(['project_task', String(task), 'Choose a floor', 'Petra Novotny'])
    expect(await effort()).to.include(99)
  })

  it('removes a record that was made for many older ones', async () => {
    const was = await dumpRecords(place)
    const rows = lines(
      0,
      210,
      (at) => `Heap,${at},Request ${at},incident,low,ines@widgets.example,${place.world.id('@praise')}`,
    )
    const header = 'Source,Source ID,Subject,Category,Impact,Requested By,Grouped Into'
    const done = await imported(place, ADMIN, 'requests', `${[header, ...rows].join('\n')}\n`)
    expect(done.results, done.log).to.include({ created: 210, failures: 0 })
    const end = await undone(place, ADMIN)
    expect(end.results, end.log).to.include({ deleted: 211, failures: 0, errors: 0 })
    expect(differencesBetween(place, was, await dumpRecords(place))).to.deep.equal([])
  })

  it('puts back links and references to later rows, and removes their records', async () => {
    const was = await dumpRecords(place)
    const people = [
      'Primary Email,Name,Manager,Organization',
      ...lines(0, 30, (at) => `chain${at}@widgets.example,Chain ${at},chain${at + 1}@widgets.example,Widget IT`),
      'chain30@widgets.example,Chain 30,owen@widgets.example,Widget IT',
      'ines@widgets.example,Ines Álvarez,chain0@widgets.example,Widget IT',
    ]
    const done = await imported(place, ADMIN, 'people', `${people.join('\n')}\n`)
    expect(done.results, done.log).to.include({ created: 31, failures: 0 })
    const teams = 'Name,Members\nChain gang,"chain1@widgets.example\nchain2@widgets.example"\n'
    await imported(place, ADMIN, 'teams', teams)
    const second = await undone(place, ADMIN)
    expect(second.results, second.log).to.include({ failures: 0, errors: 0 })
    const first = await undone(place, ADMIN, (await newest()) - 2)
    expect(first.results, first.log).to.include({ failures: 0, errors: 0 })
    expect(differencesBetween(place, was, await dumpRecords(place))).to.deep.equal([])
  })

  it('puts back the order of task templates, also if these were unlinked', async () => {
    const [risk, plan, patch] = ['@assess-risk', '@approve-plan', '@install-patches'].map((name) => place.world.id(name))
    const template = place.world.id('@patch-servers')
    for (const [predecessor_id, successor_id] of [
      [risk, plan],
      [plan, patch],
    ])
      await json('POST', `/change_templates/${template}/task_sequences`, { predecessor_id, successor_id })
    const was = await dumpRecords(place)
    const rows = [
      `${template},"${risk}\n${patch}","${risk} => ${patch}"`,
      `${template},"${risk}\n${patch}",`,
      `${template},"${risk}\n${plan}\n${patch}","'Approve the plan' => 'Assess the risk'"`,
    ]
    for (const some of [rows, rows.slice(0, 1), rows.slice(1, 2), [`${template},,`]]) {
      const done = await imported(place, ADMIN, 'change_templates', ['ID,Task Templates,Change', ...some, ''].join('\n'))
      expect(done.results, done.log).to.include({ updated: some.length, failures: 0 })
      expect(differencesBetween(place, was, await dumpRecords(place))).to.not.deep.equal([])
      const end = await undone(place, ADMIN)
      expect(end.results, end.log).to.include({ failures: 0, errors: 0 })
      expect(differencesBetween(place, was, await dumpRecords(place)), some.join()).to.deep.equal([])
    }
  })

  it('does it once: a repeat gets the same undo', async () => {
    await imported(place, ADMIN, 'sites', 'Source,Source ID,City\nFacilities,HOU,El Paso\n')
    const id = await newest()
    const all = await Promise.all(lines(0, 4, () => `/imports/${id}/undo`).map((path) => place.ask(ADMIN, 'POST', path)))
    expect(all.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200])
    expect(new Set(all.map(({ text }) => text))).to.have.lengthOf(1)
    await undone(place, ADMIN, id)
    expect((await place.ask(OTHER, 'POST', `/imports/${id}/undo`)).text).to.equal(all[0]?.text)
    expect(await json('GET', `/sites/${await idOf('sites', 'Houston')}`)).to.include({ city: 'Houston' })

    // One that has failed is begun again, and finds what is left to do.
    await place.database.knex('itsm_imports').where({ undo_of: id }).update({ state: 'error' })
    const again = await undone(place, ADMIN, id)
    expect(again.results, again.log).to.deep.equal({ ...NOTHING, unchanged: 1 })
    expect((await place.ask(ADMIN, 'POST', `/imports/${id}/undo`)).text).to.not.equal(all[0]?.text)
  })

  it('tells nothing of what an earlier undo has put back', async () => {
    const time = place.world.id('@eva-develops')
    await imported(place, ADMIN, 'time_entries', `ID,Time Spent\n${time},201\n`)
    const id = await newest()
    expect((await undone(place, ADMIN, id)).results).to.deep.equal({ ...NOTHING, updated: 1 })
    await place.database.knex('itsm_imports').where({ undo_of: id }).update({ state: 'error' })
    const again = await undone(place, ADMIN, id)
    expect(again.results, again.log).to.deep.equal(NOTHING)
  })

  it('is refused while an import of the account has not ended', async () => {
    await imported(place, ADMIN, 'sites', 'Source,Source ID,City\nFacilities,HOU,El Paso\n')
    const id = await newest()
    const rows = lines(0, 3000, (at) => `slow${at}@widgets.example,Slow ${at}`)
    await upload(place, ADMIN, { type: 'people', file: `Primary Email,Name\n${rows.join('\n')}\n` })
    const refused = await place.ask(ADMIN, 'POST', `/imports/${id}/undo`)
    expect(refused.status).to.equal(409)
    expect(refused.json).to.deep.equal({ message: 'An import of this account has not come to its end' })
    expect((await place.ask(ADMIN, 'DELETE', `/imports/${await newest()}`)).status).to.equal(204)
    for (;;) {
      const entry = await json<{ state: string }>('GET', `/imports/${await newest()}`)
      if (entry.state === 'error') break
    }
    // What a stopped import has done can be undone, too.
    const end = await undone(place, ADMIN)
    expect(end.results, end.log).to.include({ failures: 0, errors: 0 })
    const left = await json<object[]>('GET', '/people?name=~Slow&disabled=false')
    expect(left).to.deep.equal([])
  }).timeout(60_000)

  it('is for administrators, for imports that have stored something, of their account', async () => {
    const id = await newest()
    expect((await place.ask(NOBODY, 'POST', `/imports/${id}/undo`)).status).to.equal(403)
    expect((await place.ask(ADMIN, 'POST', '/imports/999999/undo')).status).to.equal(404)
    expect((await place.ask('@pat', 'POST', `/imports/${id}/undo`)).status).to.equal(403)
    const of = async (undoId: number) => (await json<{ errors: string[][] }>('POST', `/imports/${undoId}/undo`)).errors
    expect(await of(id)).to.deep.equal([['id', 'An undo cannot be undone']])
    await imported(place, ADMIN, 'sites', 'Name\nTrondheim\n', { dry_run: 'true' })
    expect(await of(await newest())).to.deep.equal([['id', 'A dry run has stored nothing that could be undone']])
    await imported(place, ADMIN, 'sites', 'Name\nTrondheim\n')
    await place.database
      .knex('itsm_imports')
      .where({ id: await newest() })
      .update({ lines_after: null, lines_until: null })
    expect(await of(await newest())).to.deep.equal([['id', 'This import cannot be undone']])
    expect((await place.ask(ADMIN, 'GET', `/imports/${id}/undo`)).status).to.equal(404)
  })

  it('is refused for an import that a process of an older version has begun', async () => {
    const { knex, storage } = place.database
    await imported(place, ADMIN, 'sites', 'Name\nTromsø\n')
    const id = await newest()
    await knex('itsm_imports').where({ id }).update({ lines_after: null, lines_until: null })
    await saveLastLine(storage, knex, { id, line: 2 }, 1_000_000)
    expect((await place.ask(ADMIN, 'POST', `/imports/${id}/undo`)).status).to.equal(422)
  })

  it('keeps an old import while its undo waits', async () => {
    const { knex, storage } = place.database
    await imported(place, ADMIN, 'sites', 'Name\nHammerfest\n')
    const id = await newest()
    await undone(place, ADMIN, id)
    const undo = () => knex('itsm_imports').where({ undo_of: id })
    await undo().update({ state: 'processing', finished_at: null })
    const tomorrow = new Date(Date.now() + 86_400_000)
    await purgeImports(storage, tomorrow)
    expect(await knex('itsm_imports').pluck('id')).to.have.members([id, await newest()])
    await undo().update({ state: 'done', finished_at: '2026-01-01 00:00:00' })
    await purgeImports(storage, tomorrow)
    expect(await knex('itsm_imports').pluck('id')).to.deep.equal([])
  })
})

describe('Undo of imports of a host', () => {
  const place = withMounted('bare', {
    records: [vehicle, ...fleetRecords],
    extend: fleet,
    migrations: [createVehicles, extendVehicles],
    before: {
      'site.save': [
        ({ fail, next }) => {
          if (next['name'] === 'Bomb' && next['disabled'] === true) throw new Error('Tick')
          if (next['name'] === 'Shield' && next['disabled'] === true) fail('disabled', 'must not be, says the host')
        },
      ],
    },
  })
  before(() => place.itsm.start())

  it('lists the records that a hook of the host keeps, and undoes the others', async () => {
    await imported(place, ADMIN, 'sites', 'Name\nFirst\nBomb\nShield\nLast\n')
    const end = await undone(place, ADMIN)
    expect(end.results, end.log).to.deep.equal({ ...NOTHING, updated: 2, failures: 1, errors: 1 })
    const id = Number((await place.database.knex('itsm_imports').max({ id: 'id' }))[0]?.['id'])
    const [, ...left] = await rowsOfCsv((await place.ask(ADMIN, 'GET', `/imports/${id}/failures`)).text)
    expect(left.map((cells) => [cells[0], cells[2], cells.at(-1)])).to.have.deep.members([
      ['site', 'Shield', 'must not be, says the host'],
      ['site', '', 'An unexpected error occurred'],
    ])
  })

  it('covers record types and fields of the host', async () => {
    const { itsm } = place
    const by = itsm.asSystem('a vehicle for the undo', 'widgets')
    await by.create('vehicle', { name: 'Old van', license_plate: 'OV-1', color: 'black', driver_ids: [place.world.id(NOBODY)] })
    const was = await dumpRecords(place)
    const file = 'License Plate,Name,Color,Kind,Seats,Remarks\nOV-1,Old truck,red,truck,2,Dented\nNV-1,New van,white,van,3,\n'
    const { log, results } = await imported(place, ADMIN, 'vehicles', file)
    expect(results, log).to.include({ created: 1, updated: 1 })
    const end = await undone(place, ADMIN)
    expect(end.results, end.log).to.deep.equal({ ...NOTHING, updated: 2 })
    expect(differencesBetween(place, was, await dumpRecords(place))).to.deep.equal([])
  })
})
