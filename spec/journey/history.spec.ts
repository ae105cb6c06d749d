/** Imports of history: records keep their times, people, notes and statuses, and nobody is told (behaviour: History). */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import { csvLine } from '../../plugin/core/text/csv.js'
import { countStatements } from '../support/count-statements.js'
import { rowsOfCsv } from '../support/csv.js'
import { exportedFile, type ImportEnd, imported, upload } from '../support/file-clients.js'
import { withMounted } from '../support/mounted.js'

const ADMIN = '@owen'
const HISTORY = { history: 'true' }
const NOTHING = { created: 0, updated: 0, deleted: 0, unchanged: 0, failures: 0, errors: 0 }
/** What begins with a record: events, mails, agreements that it affects. */
const FOLLOWING = /^insert into \S?itsm_(outbox|affected_slas)\b/i

type Shown = Readonly<Record<string, unknown>> & { readonly id: number }
type Values = { readonly [header: string]: string }

const utc = (time: unknown) => (typeof time === 'string' ? new Date(time).toISOString().replace('.000', '') : time)

describe('Imports of history', () => {
  const place = withMounted('bare', { imports: { history: true }, rateLimit: { perHour: 1_000_000, burst: false } })
  before('starts, and waits for what timers still do with the world', async function () {
    this.timeout(60_000)
    await place.itsm.start()
    const isRenewed = async () =>
      (await place.database.knex('itsm_affected_slas').whereNotNull('renew_at').pluck('id')).length === 0
    for (let last = -1; last !== (await count('audit_lines')) || !(await isRenewed()); await sleep(1500))
      last = await count('audit_lines')
  })

  const get = async (path: string) => (await place.ask(ADMIN, 'GET', path)).json
  const one = async (path: string, sourceID: string) => {
    const [found] = (await get(`/${path}?sourceID=${sourceID}`)) as Shown[]
    return (await get(`/${path}/${found?.id}`)) as Shown
  }
  const notesOf = async (path: string, { id }: Shown) =>
    ((await get(`/${path}/${id}/notes`)) as Shown[]).map(({ created_at, person, text }) => {
      return { at: utc(created_at), by: (person as { name: string } | null)?.name ?? null, text }
    })
  const timesOf = (record: Shown, ...names: string[]) => names.map((name) => utc(record[name]))
  const count = async (table: string, where: object = {}) =>
    Number((await place.database.knex(`itsm_${table}`).where(where).count({ n: '*' }))[0]?.['n'])
  /** All but the mails that tell how an import went. */
  const mailsAboutRecords = async () => {
    const mails = place.database.knex('itsm_channel_deliveries').where({ channel: 'mail' })
    return (await mails.whereNot('content', 'like', '%"mail":"import_%').pluck('id')).length
  }
  const followingOf = async (work: () => Promise<unknown>) =>
    (await countStatements(place.database.knex).writesOf(work)).filter((sql) => FOLLOWING.test(sql))
  /** Imports a file from which nothing follows. */
  const importedQuietly = async (type: string, file: string, more: Values = {}) => {
    let end: ImportEnd | null = null
    const mails = await mailsAboutRecords()
    const following = await followingOf(async () => {
      end = await imported(place, ADMIN, type, file, { ...HISTORY, ...more })
    })
    expect(following).to.deep.equal([])
    expect(await mailsAboutRecords()).to.equal(mails)
    if (end === null) throw new Error('It has no end')
    return end as ImportEnd
  }
  const id = (name: string) => String(place.world.id(name))
  const auditOf = async (path: string, { id }: Shown) => (await get(`/${path}/${id}/audit`)) as Shown[]
  const newest = async () => ((await get('/imports?per_page=1')) as Shown[])[0]

  /** A file with the headers of all rows. */
  const fileOf = (...rows: readonly Values[]) => {
    const headers = [...new Set(rows.flatMap((row) => Object.keys(row)))]
    return [headers, ...rows.map((row) => headers.map((header) => row[header] ?? ''))].map(csvLine).join('')
  }
  /** Imports new records from which nothing follows. */
  const quietly = async (type: string, ...rows: readonly Values[]) => {
    const { log, results } = await importedQuietly(type, fileOf(...rows))
    expect(results, log).to.deep.equal({ ...NOTHING, created: rows.length })
    return log
  }

  const request = (values: Values) => ({
    Source: 'Old desk',
    'Requested By': 'hank@widgets.example',
    'Requested For': 'ines@widgets.example',
    Subject: 'The screen is dark',
    Category: 'incident',
    Impact: 'low',
    'Service Instance': 'Email Europe',
    Team: 'Email Support',
    Member: 'eva@widgets.example',
    Status: 'completed',
    'Completion Reason': 'solved',
    'Created By': 'ines@widgets.example',
    'Created At': '2019-03-01T08:00:00Z',
    'Completed At': '2019-03-02T09:30:00Z',
    ...values,
  })
  const change = (values: Values) => ({
    Source: 'Old desk',
    Template: id('new-mail-server'),
    Subject: 'Move the mail',
    Manager: 'carl@widgets.example',
    Category: 'standard',
    Service: 'Email',
    'Change Type': 'infrastructure_change',
    Justification: 'replacement',
    Release: id('winter-release'),
    'Created At': '2019-01-01T08:00:00Z',
    ...values,
  })
  const task = (values: Values) => ({
    Source: 'Old desk',
    Template: id('install-patches'),
    Subject: 'Move a box',
    Category: 'implementation',
    Team: 'Windows Servers',
    Member: 'ravi@widgets.example',
    'Planned Duration': '4',
    'Created At': '2019-01-01T09:00:00Z',
    ...values,
  })

  it('take times, people, statuses and notes from the file, and nothing follows', async () => {
    const text = [
      ...['ines@widgets.example 2019-03-01T10:00:00Z', 'It flickers.', '', 'Then it is dark.', ''],
      ...['eva@widgets.example 2019-03-02 10:00:00+01:00', 'New cable.', '', '2019-03-02T09:30:00Z', 'Closed.'],
    ].join('\n')
    const told = { 'Desired Completion': '2019-03-03T08:00:00Z', 'Internal Notes': 'Cable 7' }
    const log = await quietly(
      'requests',
      request({ 'Source ID': 'H-1', Notes: text, ...told }),
      request({ 'Source ID': 'H-2', Status: 'waiting_for', 'Completion Reason': '', 'Completed At': '', 'Created By': '' }),
    )
    expect(log).to.match(/line 1: New records get the times and people of the file/)
    const done = await one('requests', 'H-1')
    expect(timesOf(done, 'created_at', 'completed_at')).to.deep.equal(['2019-03-01T08:00:00Z', '2019-03-02T09:30:00Z'])
    expect(done).to.deep.include({ status: 'completed', resolution_target_at: null, next_target_at: null })
    expect(done['created_by']).to.deep.include({ name: 'Ines Álvarez' })
    expect(String(done['updated_at']) > '2026').to.equal(true)
    expect(await notesOf('requests', done)).to.deep.equal([
      { at: '2019-03-01T08:00:00Z', by: ((await get('/me')) as Shown)['name'], text: 'Cable 7' },
      { at: '2019-03-01T10:00:00Z', by: 'Ines Álvarez', text: 'It flickers.\n\nThen it is dark.' },
      { at: '2019-03-02T09:00:00Z', by: 'Eva Nováková', text: 'New cable.' },
      { at: '2019-03-02T09:30:00Z', by: null, text: 'Closed.' },
    ])
    const open = await one('requests', 'H-2')
    expect(open).to.deep.include({ status: 'waiting_for', completed_at: null })
    expect(open['created_by']).to.deep.include({ id: ((await get('/me')) as Shown).id })

    const entry = await newest()
    expect(entry).to.deep.include({ history: true, dry_run: false })
    const audit = await auditOf('requests', done)
    expect(audit).to.have.lengthOf(1)
    expect(audit[0]).to.deep.include({ cause: `import ${entry?.id}, history`, origin: 'import', action: 'create' })
    expect(String(audit[0]?.['created_at']) > '2026').to.equal(true)
  })

  it('differ from other imports, from which all that follows', async () => {
    const told = { 'Desired Completion': '2041-03-03T08:00:00Z', 'Source ID': 'N-1', 'Created By': '' }
    const mails = await mailsAboutRecords()
    const following = await followingOf(async () => {
      const { log, results } = await imported(place, ADMIN, 'requests', fileOf(request(told)))
      expect(results, log).to.deep.equal({ ...NOTHING, created: 1 })
    })
    for (const table of ['outbox', 'affected_slas']) expect(following.join('\n')).to.include(`itsm_${table}`)
    expect(await mailsAboutRecords()).to.equal(mails + 1)
    expect(String((await one('requests', 'N-1'))['created_at']) > '2026').to.equal(true)
  })

  it('leave stored records to the rules of all imports', async () => {
    const before = await one('requests', 'H-2')
    const row = request({ 'Source ID': 'H-2', Notes: 'Asked again', 'Created At': '2018-01-01T00:00:00Z' })
    const following = await followingOf(async () => {
      const { log, results } = await imported(place, ADMIN, 'requests', fileOf(row), HISTORY)
      expect(results, log).to.deep.equal({ ...NOTHING, updated: 1 })
    })
    expect(following).to.not.deep.equal([])
    const after = await one('requests', 'H-2')
    expect(after['created_at']).to.equal(before['created_at'])
    expect(String(after['completed_at']) > '2026').to.equal(true)
    expect((await auditOf('requests', after))[0]).to.deep.include({ cause: `import ${(await newest())?.id}` })
    const again = await imported(place, ADMIN, 'requests', fileOf(row), HISTORY)
    expect(again.results, again.log).to.deep.equal({ ...NOTHING, unchanged: 1 })
  })

  it('add no note of a file a second time, however its times are written', async () => {
    const text = (await notesOf('requests', await one('requests', 'H-1'))).length
    for (const offset of ['Z', '+00:00', ' 00:00']) {
      const Notes = `eva@widgets.example 2019-03-02T09:00:00${offset}\nNew cable.`
      const row = { Source: 'Old desk', 'Source ID': 'H-1', Notes: offset === ' 00:00' ? 'New cable.' : Notes }
      const { log, results } = await imported(place, ADMIN, 'requests', fileOf(row), HISTORY)
      expect(results, log).to.deep.equal({ ...NOTHING, unchanged: 1 })
    }
    expect((await notesOf('requests', await one('requests', 'H-1'))).length).to.equal(text)
  })

  it('refuse times and people that cannot be, with line and column', async () => {
    const requests = await count('requests')
    const wrong: readonly (readonly [Values, RegExp, string])[] = [
      [{ 'Created At': '2999-01-01T00:00:00Z' }, /: Created at must not be in the future \(Created At/, 'Created At'],
      [{ 'Created At': 'last year' }, /: Created at is not a valid date.*\(Created At "last year"\)/, 'Created At'],
      [{ 'Completed At': '2019-02-01T00:00:00Z' }, /must not be before the time of creation/, 'Completed At'],
      [{ Status: 'assigned', 'Completion Reason': '' }, /can only be set when the status is "Completed"/, 'Completed At'],
      [{ 'Created At': '' }, /must not be before the time of creation/, 'Completed At'],
      [{ 'Created By': 'gone@widgets.example' }, /Created By "gone@widgets.example" could not be found/, 'Created By'],
      [
        { Notes: 'gone@widgets.example 2019-03-02T09:00:00Z\nHello' },
        /Notes "gone@widgets.example" could not be found/,
        'Notes',
      ],
      [{ Notes: 'eva@widgets.example 2999-03-02T09:00:00Z\nHello' }, /must not be in the future/, 'Notes'],
      [{ Notes: 'eva@widgets.example 2019-03-02T09:00:00Z' }, /can't be blank/, 'Notes'],
      [{ Notes: '2019-03-02T09:00:00Z\nHm.\n\n'.repeat(1001) }, /Too many entries in Note \(maximum is 1000\)/, 'Notes'],
    ]
    const rows = wrong.map(([values], index) => request({ 'Source ID': `W-${index}`, ...values }))
    const { log, results } = await imported(place, ADMIN, 'requests', fileOf(...rows), HISTORY)
    expect(results, log).to.deep.equal({ ...NOTHING, failures: wrong.length })
    const failures = await place.ask(ADMIN, 'GET', `/imports/${(await newest())?.id}/failures`)
    const [, ...failed] = await rowsOfCsv(failures.text)
    const errors = log.split('\n').filter((line) => line.includes(' ERROR '))
    for (const [index, [, message, header]] of wrong.entries()) {
      expect(errors[index]).to.match(message)
      expect(failed[index]?.at(-2), String(message)).to.equal(header)
    }
    expect(await count('requests')).to.equal(requests)
  })

  it('move neither a change by its tasks, nor tasks by their change or each other', async () => {
    const tasks = await count('tasks')
    await quietly(
      'changes',
      change({
        'Source ID': 'C-1',
        Status: 'completed',
        'Completion Reason': 'complete',
        'Completed At': '2019-02-01T08:00:00Z',
        Impact: 'high',
      }),
      change({ 'Source ID': 'C-2', Status: 'progress_halted', 'Created At': '2019-01-01T08:00:00Z' }),
      change({ 'Source ID': 'C-3', Status: 'implementation', 'Start At': '2041-01-01T08:00:00Z' }),
    )
    expect(await count('tasks')).to.equal(tasks)
    const [first, second, third] = [await one('changes', 'C-1'), await one('changes', 'C-2'), await one('changes', 'C-3')]
    await quietly(
      'tasks',
      task({ 'Source ID': 'T-1', Change: String(first.id), Status: 'registered' }),
      task({ 'Source ID': 'T-2', Change: String(second.id), Status: 'completed', 'Finished At': '2019-01-05T10:00:00Z' }),
      task({ 'Source ID': 'T-3', Change: String(third.id), Status: 'completed', 'Finished At': '2019-01-06T10:00:00Z' }),
      task({
        'Source ID': 'T-4',
        Change: String(third.id),
        Status: 'registered',
        Notes: 'ravi@widgets.example 2019-01-02T08:00:00Z\nLater',
      }),
    )
    expect([await one('changes', 'C-1'), await one('changes', 'C-2'), await one('changes', 'C-3')]).to.deep.equal([
      first,
      second,
      third,
    ])
    expect(first).to.deep.include({ status: 'completed', completion_reason: 'complete', impact: 'high' })
    expect(utc(first['completed_at'])).to.equal('2019-02-01T08:00:00Z')
    expect([second['status'], third['status']]).to.deep.equal(['progress_halted', 'implementation'])
    expect(await one('tasks', 'T-1')).to.deep.include({ status: 'registered' })
    expect(utc((await one('tasks', 'T-2'))['finished_at'])).to.equal('2019-01-05T10:00:00Z')
    expect(await one('tasks', 'T-4')).to.deep.include({ status: 'registered' })
    expect(await notesOf('changes', third)).to.deep.equal([])
    // No timer waits for them.
    const { knex } = place.database
    expect(await knex('itsm_changes').where({ source: 'Old desk' }).whereNotNull('starts_at')).to.deep.equal([])
    expect(await knex('itsm_tasks').where({ source: 'Old desk' }).whereNotNull('starts_at')).to.deep.equal([])
  })

  it('are followed by ordinary work: people add notes and finish tasks, and settling applies again', async () => {
    const third = await one('changes', 'C-3')
    const open = await one('tasks', 'T-4')
    const noted = await place.ask(ADMIN, 'PATCH', `/changes/${third.id}`, { note: 'We found it in the cellar.' })
    expect(noted.status, noted.text).to.equal(200)
    const canceled = await place.ask(ADMIN, 'PATCH', `/tasks/${open.id}`, { status: 'canceled' })
    expect(canceled.status, canceled.text).to.equal(200)
    const after = await one('changes', 'C-3')
    expect(after).to.deep.include({ status: 'completed', completion_reason: 'complete' })
    const done = await one('requests', 'H-1')
    const said = await place.ask(ADMIN, 'PATCH', `/requests/${done.id}`, { note: 'Again, in 2026' })
    expect(said.status, said.text).to.equal(200)
    expect(await one('requests', 'H-1')).to.deep.include({ status: 'completed', completed_at: done['completed_at'] })
    expect(await count('affected_slas', { request_id: done.id })).to.equal(0)
  })

  it('take time and author of rows of notes, and add none twice', async () => {
    const record = await one('requests', 'H-1')
    const note = (values: Values) => ({ 'Record ID': String(record.id), Text: 'Any news?', ...values })
    const rows = [
      note({ 'Created At': '2019-03-01T11:00:00Z', Person: 'hank@widgets.example' }),
      note({ 'Created At': '2019-03-01T12:00:00Z', Person: 'hank@widgets.example' }),
      note({ Text: 'From today' }),
    ]
    const { log, results } = await importedQuietly('notes', fileOf(...rows))
    expect(results, log).to.deep.equal({ ...NOTHING, created: 3 })
    const notes = (await notesOf('requests', record)).filter(({ text }) => text === 'Any news?')
    expect(notes).to.deep.equal(
      ['11', '12'].map((hour) => ({ at: `2019-03-01T${hour}:00:00Z`, by: 'Hank Miller', text: 'Any news?' })),
    )
    const again = await importedQuietly('notes', fileOf(...rows))
    expect(again.results, again.log).to.deep.equal({ ...NOTHING, unchanged: 3 })
    const wrong = [
      note({ Text: 'a', Person: 'gone@widgets.example' }),
      note({ Text: 'b', 'Created At': '2999-01-01T00:00:00Z' }),
    ]
    const refused = await imported(place, ADMIN, 'notes', fileOf(...wrong), HISTORY)
    expect(refused.results, refused.log).to.deep.equal({ ...NOTHING, failures: 2 })
    expect(refused.log).to.match(/line 2: .*Person "gone@widgets.example" could not be found/)
    expect(refused.log).to.match(/line 3: .*must not be in the future/)
  })

  it('add approvals to tasks of the past without moving them', async () => {
    const stored = await one('tasks', 'T-1')
    const rows = [{ Task: String(stored.id), Approver: 'marc@widgets.example', Status: 'assigned' }]
    const { log, results } = await importedQuietly('task_approvals', fileOf(...rows))
    expect(results, log).to.deep.equal({ ...NOTHING, created: 1 })
    expect(await one('tasks', 'T-1')).to.deep.include({ status: stored['status'] })
  })

  it('work with references to later rows, with a mapping, and in dry runs', async () => {
    const { id: changeId } = await one('changes', 'C-2')
    const file = fileOf({
      ...task({ 'Source ID': 'T-10', Change: String(changeId), Status: 'completed' }),
      Done: '2019-01-05T10:00:00Z',
    })
    const mapping = JSON.stringify({ Done: 'Finished At' })
    const [tasks, audit] = [await count('tasks'), await count('audit_lines')]
    const dry = await importedQuietly('tasks', file, { mapping, dry_run: 'true' })
    expect(dry.results, dry.log).to.deep.equal({ ...NOTHING, created: 1 })
    expect([await count('tasks'), await count('audit_lines')]).to.deep.equal([tasks, audit])
    const examples = (await get(`/imports/${(await newest())?.id}/changes`)) as Shown[]
    expect(examples.map(({ field }) => field)).to.include.members(['finished_at', 'status'])
    const done = await importedQuietly('tasks', file, { mapping })
    expect(done.results, done.log).to.deep.equal({ ...NOTHING, created: 1 })
    expect(utc((await one('tasks', 'T-10'))['finished_at'])).to.equal('2019-01-05T10:00:00Z')

    const people = [
      {
        'Primary Email': 'young@widgets.example',
        Name: 'Yara Young',
        Organization: 'Widget Manufacturing',
        Manager: 'old@widgets.example',
        'Created At': '2011-05-01T08:00:00Z',
      },
      {
        'Primary Email': 'old@widgets.example',
        Name: 'Olaf Old',
        Organization: 'Widget Manufacturing',
        Manager: '',
        'Created At': '2001-05-01T08:00:00Z',
      },
    ]
    await quietly('people', ...people)
    const [young] = (await get('/people?primary_email=young@widgets.example')) as Shown[]
    const full = (await get(`/people/${young?.id}`)) as Shown
    expect(full['manager']).to.deep.include({ name: 'Olaf Old' })
    expect(utc(full['created_at'])).to.equal('2011-05-01T08:00:00Z')
    const causes = (await auditOf('people', full)).map(({ cause }) => cause)
    expect(new Set(causes)).to.deep.equal(new Set([`import ${(await newest())?.id}, history`]))
  })

  it('name people who have left since', async () => {
    const leaver = await place.ask(ADMIN, 'POST', '/people', {
      name: 'Lea Left',
      primary_email: 'lea.left@widgets.example',
      organization_id: ((await get('/organizations')) as Shown[])[0]?.id,
    })
    expect(leaver.status, leaver.text).to.equal(201)
    await place.ask(ADMIN, 'PATCH', `/people/${(leaver.json as Shown).id}`, { disabled: true })
    const Notes = 'lea.left@widgets.example 2019-03-01T10:00:00Z\nBye'
    await quietly(
      'requests',
      request({
        'Source ID': 'H-9',
        'Requested By': 'lea.left@widgets.example',
        'Created By': 'lea.left@widgets.example',
        Notes,
      }),
    )
    expect((await notesOf('requests', await one('requests', 'H-9')))[0]).to.deep.include({ by: 'Lea Left' })
  })

  /** Exported files without their ids, with another source. */
  const copyOf = async (type: string, edit: (row: Values) => Values = (row) => row) => {
    const [headers = [], ...rows] = await rowsOfCsv(await exportedFile(place, ADMIN, type))
    const named = rows.map((cells) => Object.fromEntries(headers.map((header, index) => [header, cells[index] ?? ''])))
    const own = named.filter((row) => row['Source'] === 'Old desk')
    return own.map((row) => edit({ ...row, ID: '', Source: 'Copy' }))
  }

  it('bring exported records back as they were', async () => {
    const problem = {
      Source: 'Old desk',
      Manager: 'marc@widgets.example',
      Category: 'reactive',
      Impact: 'low',
      Service: 'Email',
    }
    await quietly('problems', {
      ...{ ...problem, 'Source ID': 'P-1', Subject: 'Dark screens', Team: 'Email Support', Member: 'eva@widgets.example' },
      ...{ Status: 'solved', 'Solved At': '2019-04-01T08:00:00Z', 'Created At': '2019-03-05T08:00:00Z' },
      Notes: 'eva@widgets.example 2019-03-06T08:00:00Z\nBad cables.',
    })
    const ids = new Map<string, string>()
    for (const [type, path, times] of [
      ['requests', 'requests', ['created_at', 'completed_at']],
      ['problems', 'problems', ['created_at', 'solved_at']],
      ['changes', 'changes', ['created_at', 'completed_at']],
      ['tasks', 'tasks', ['created_at', 'assigned_at', 'finished_at']],
    ] as const) {
      const rows = await copyOf(type, (row) => ({
        ...row,
        ...(type === 'tasks' && { Change: ids.get(row['Change'] ?? '') ?? '' }),
      }))
      expect(rows).to.not.deep.equal([])
      await quietly(type, ...rows)
      for (const row of rows) {
        const find = async (source: string) => (await get(`/${path}?sourceID=${row['Source ID']}&source=${source}`)) as Shown[]
        const both = [...(await find('Copy')), ...(await find('Old%20desk'))]
        expect(both).to.have.lengthOf(2)
        const [copy, original] = await Promise.all(both.map(async (found) => (await get(`/${path}/${found.id}`)) as Shown))
        if (!copy || !original) throw new Error('One of them is missing')
        ids.set(String(original.id), String(copy.id))
        const told = (record: Shown) => [
          record['status'],
          record['impact'],
          record['completion_reason'],
          ...timesOf(record, ...times),
        ]
        expect(told(copy), `${type} ${row['Source ID']}`).to.deep.equal(told(original))
        const sorted = async (record: Shown) => (await notesOf(path, record)).map((note) => JSON.stringify(note)).sort()
        expect(await sorted(copy)).to.deep.equal(await sorted(original))
      }
    }
  }).timeout(30_000)

  it('let listed records refer to the new one quietly', async () => {
    const [listed, open] = [await one('requests', 'H-1'), await one('changes', 'C-2')]
    await quietly('problems', {
      ...{ Source: 'Old desk', 'Source ID': 'P-2', Subject: 'Why it is dark', Manager: 'marc@widgets.example', Impact: 'low' },
      ...{ Service: 'Email', Team: 'Email Support', Status: 'accepted', Requests: String(listed.id) },
    })
    expect((await one('requests', 'H-1'))['problem']).to.deep.include({ subject: 'Why it is dark' })
    expect((await auditOf('requests', listed))[0]).to.deep.include({ cause: `import ${(await newest())?.id}, history` })
    await quietly('releases', {
      ...{ Source: 'Old desk', 'Source ID': 'RL-2', Subject: 'Of 2019', Manager: 'carl@widgets.example', Status: 'completed' },
      ...{
        'Completion Reason': 'complete',
        'Created At': '2019-01-01',
        'Completed At': '2019-06-01',
        Changes: String(open.id),
      },
    })
    const release = await one('releases', 'RL-2')
    expect(release).to.deep.include({ status: 'completed', completion_reason: 'complete' })
    expect((await one('changes', 'C-2'))['release']).to.deep.include({ id: release.id })
  })

  it('are refused for files of roles and links, and for other values', async () => {
    const asked = async (type: string, history: string) => {
      const reply = await upload(place, ADMIN, { type, file: 'Name\n', history })
      return [reply.status, (reply.json as { errors?: unknown }).errors]
    }
    expect(await asked('people_roles', 'true')).to.deep.equal([422, [['history', 'History is not for files of this type']]])
    expect(await asked('organizations_time_allocations', '1')).to.deep.equal([
      422,
      [['history', 'History is not for files of this type']],
    ])
    expect(await asked('people_roles', 'false')).to.deep.include(200)
    expect(await asked('requests', 'perhaps')).to.deep.equal([422, [['history', 'History is not included in the list']]])
    expect((await upload(place, '@eva', { type: 'requests', file: 'Name\n', history: 'true' })).status).to.equal(403)
  })
})

describe('Imports of history that the host has not allowed', () => {
  const place = withMounted('bare')

  it('are refused, and other imports ignore the columns', async () => {
    for (const history of ['true', '1', 'perhaps']) {
      const reply = await upload(place, ADMIN, { type: 'requests', file: 'Subject\n', history })
      expect([reply.status, (reply.json as { errors?: unknown }).errors]).to.deep.equal([
        422,
        [['history', 'History is not allowed here']],
      ])
    }
    expect((await upload(place, ADMIN, { type: 'requests', file: 'Subject\n', history: 'false' })).status).to.equal(200)
  })
})
