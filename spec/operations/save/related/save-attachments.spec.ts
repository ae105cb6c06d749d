import { expect } from 'chai'
import { addColumns, type Migration, recordTable } from '../../../../migrations/tools.js'
import { createFiles } from '../../../../plugin/files/files.js'
import { common, defineRecord, extendRecord, parts, string, text } from '../../../../plugin/index.js'
import { refusalOf, withHouse } from '../../../support/house.js'

/** A record type of a host, with everything that files can be attached to. */
const voyage = defineRecord('voyage', {
  path: 'voyages',
  fields: {
    ...common,
    name: string(60, { required: true }),
    remarks: text(),
    note: text({ writeOnly: true, note: 'public' }),
    attachments: parts('attachment', { readOnly: true }),
  },
  parts: ['note'],
  operations: ['single', 'create', 'remove'],
  collection: { fields: 'id name', sort: 'name', filterable: 'id' },
  access: { create: ['anyone'], update: ['anyone'], remove: ['anyone'] },
})

const addVoyages: Migration = {
  name: 'host_0001_add_voyages',
  up: (schema) =>
    recordTable(schema, 'voyages', (table) => {
      table.string('source', 30)
      table.string('sourceID', 128)
      table.string('name', 60)
      table.text('remarks')
      table.datetime('created_at')
      table.datetime('updated_at')
      table.unique('account_id', 'source', 'sourceID')
    }),
  down: async () => {},
}

const addSecret: Migration = {
  name: 'host_0002_add_secret_remarks',
  up: (schema) => addColumns(schema, 'sites', (table) => table.text('secret_remarks')),
  down: async () => {},
}

interface Shown {
  readonly id: number
  readonly key: string
  readonly name: string
}

describe('attachments', () => {
  const house = withHouse({
    extend: [extendRecord('site', { fields: { secret_remarks: text({ read: ['account_administrator'] }) } })],
    records: [voyage],
    migrations: [addVoyages, addSecret],
    allowedExtensions: ['png', 'pdf'],
  })
  let admin = 0
  let other = 0
  let user = 0
  let team = 0
  let sites = 0

  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
    other = await house.addPerson('Otto Other', ['account_administrator'])
    user = await house.addPerson('Ulla User')
    team = await house.add('team', { name: 'Desk' })
  })
  beforeEach(() => house.clock.set('2026-11-21T09:30:00Z'))

  const filesOfHouse = () => createFiles({ ...house.filesDeps, sizeLimit: 1000, allowedExtensions: [] })
  const upload = async (personId: number | null, name = 'photo.png', accountId = 'acme', content = 'xx') => {
    async function* bytes() {
      yield Buffer.from(content)
    }
    const sent = { key: null, name, type: 'image/png', size: null, content: bytes() }
    return (await filesOfHouse().upload({ accountId, personId }, sent)).key
  }
  const stateOf = async (key: string) =>
    (await house.storage.knex('itsm_files').where({ key }).first('state'))?.state as string | undefined
  const save = async (by: number, type: string, id: number | null, body: object) =>
    house.operations.save(await house.by(by), type, id, body)
  const site = async (more: object = {}) => {
    sites += 1
    return Number((await save(admin, 'site', null, { name: `Site ${sites}`, ...more }))['id'])
  }
  const read = async (by: number, type: string, id: number) => house.operations.read(await house.by(by), type, id)
  const shown = async (type: string, id: number, by = admin) => (await read(by, type, id))['attachments'] as unknown as Shown[]
  const refused = (id: number, body: object, by = admin) => refusalOf(save(by, 'site', id, body))
  const auditOf = async (id: number) =>
    (await house.table('audit_lines'))
      .filter((row) => row['owner_type'] === 'site' && Number(row['owner_id']) === id)
      .map((row) => [row['action'], JSON.parse(String(row['changes']))['attachments']])

  it('come with the text that they belong to, and are shown with the record', async () => {
    const [one, another] = [await upload(admin), await upload(admin, 'plan.pdf')]
    const files = [{ key: one, filesize: 2, inline: true }, { key: another }]
    const id = await site({ remarks: `![](${one})`, remarks_attachments: files })
    const answer = await read(admin, 'site', id)
    expect(answer['remarks_attachments']).to.equal(undefined)
    const [first, second, ...more] = answer['attachments'] as unknown as Shown[]
    expect(more).to.deep.equal([])
    expect(first).to.deep.include({ key: one, name: 'photo.png', size: 2, inline: true })
    expect(first).to.deep.include({ created_at: '2026-11-21T10:30:00+01:00' })
    expect(second).to.deep.include({ key: another, name: 'plan.pdf', size: 2, inline: false })
    expect(Object.keys(first ?? {})).to.deep.equal(['id', 'key', 'name', 'size', 'inline', 'uri', 'created_at'])
    expect((first as unknown as { uri: string }).uri).to.match(
      new RegExp(`^https://desk.example/v1/${one}\\?expires=1795\\d{6}&signature=[0-9a-f]{64}$`),
    )
    expect([await stateOf(one), await stateOf(another)]).to.deep.equal(['used', 'used'])
  })

  it('alone are a change of the record, with an audit line and an event', async () => {
    const id = await site()
    house.clock.pass(60_000)
    const key = await upload(admin)
    await save(admin, 'site', id, { remarks_attachments: [{ key }] })
    expect(await read(admin, 'site', id)).to.deep.include({ updated_at: '2026-11-21T10:31:00+01:00', remarks: null })
    expect(await auditOf(id)).to.deep.equal([
      ['create', undefined],
      ['update', [[], ['photo.png']]],
    ])
  })

  it('are an update for those who listen', async () => {
    const eventsOf = async (type: string, id: number) =>
      (await house.table('outbox'))
        .filter((row) => row['record_type'] === type && Number(row['record_id']) === id)
        .map((row) => row['event'])
    const shift = Number((await save(admin, 'team', null, { name: 'Night shift' }))['id'])
    await save(admin, 'team', shift, { remarks_attachments: [{ key: await upload(admin) }] })
    expect(await eventsOf('team', shift)).to.deep.equal(['team.create', 'team.update'])
    const request = { subject: 'Help', category: 'other', team_id: team }
    const id = Number((await save(user, 'request', null, request))['id'])
    await save(user, 'request', id, { note: 'See the photo.', note_attachments: [{ key: await upload(user) }] })
    expect(await eventsOf('request', id)).to.deep.equal(['request.create', 'request.note-added'])
  })

  it('go again by key or id, and others stay', async () => {
    const keys = [await upload(admin), await upload(admin), await upload(admin)]
    const id = await site({ remarks_attachments: keys.map((key) => ({ key })) })
    const [, second] = await shown('site', id)
    const remove = [
      { key: keys[0], _destroy: true },
      { id: second?.id, _destroy: '1' },
      { key: await upload(admin, 'new.png') },
    ]
    await save(admin, 'site', id, { remarks_attachments: remove })
    expect((await shown('site', id)).map(({ name, key }) => [name, key === keys[2]])).to.deep.equal([
      ['photo.png', true],
      ['new.png', false],
    ])
    const unchanged = await save(admin, 'site', id, { remarks_attachments: [] })
    expect(unchanged['updated_at']).to.equal('2026-11-21T09:30:00Z')
    expect((await auditOf(id)).at(-1)).to.deep.equal([
      'update',
      [
        ['photo.png', 'photo.png', 'photo.png'],
        ['photo.png', 'new.png'],
      ],
    ])
  })

  it('may come as JSON text, as the first clients send them', async () => {
    const key = await upload(admin)
    const id = await site({ remarks_attachments: JSON.stringify([{ key, filesize: '2', inline: 'false' }]) })
    expect((await shown('site', id)).map((one) => one.key)).to.deep.equal([key])
    await save(admin, 'site', id, { remarks_attachments: '' })
    await save(admin, 'site', id, { remarks_attachments: null })
    expect(await shown('site', id)).to.have.length(1)
  })

  it('are taken once, and only by whoever uploaded them', async () => {
    const id = await site()
    const [used, foreign, removed] = [await upload(admin), await upload(other), await upload(admin)]
    const elsewhere = await upload(admin, 'photo.png', 'globex')
    await site({ remarks_attachments: [{ key: used }] })
    await house.storage.knex('itsm_files').where({ key: removed }).update({ state: 'removed' })
    const unknown = [foreign, elsewhere, removed, used.replace(/photo/, 'other'), 'nonsense', '../../etc/passwd', 'a\0b']
    for (const key of unknown) {
      const violations = await refused(id, { remarks_attachments: [{ key }] })
      expect(violations, key).to.deep.equal([['remarks_attachments', 'cannot_be_found']])
    }
    expect(await refused(id, { remarks_attachments: [{ key: used }] })).to.deep.equal([['remarks_attachments', 'file_taken']])
    const twice = await upload(admin)
    const list = [{ key: twice }, { key: twice }]
    expect(await refused(id, { remarks_attachments: list })).to.deep.equal([['remarks_attachments', 'file_taken']])
    expect([await stateOf(twice), await shown('site', id)]).to.deep.equal(['uploaded', []])
  })

  it('that two records want at the same time are taken by one of them', async () => {
    const [id, other, key] = [await site(), await site(), await upload(admin)]
    const outcomes = await Promise.allSettled(
      [id, other].map((one) => save(admin, 'site', one, { remarks_attachments: [{ key }] })),
    )
    expect(outcomes.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected'])
    expect([...(await shown('site', id)), ...(await shown('site', other))].map((one) => one.key)).to.deep.equal([key])
  })

  it('are refused with another size, or an ending that the host does not allow', async () => {
    const [id, key, program] = [await site(), await upload(admin), await upload(admin, 'a.exe')]
    const list = [{ key, filesize: 3 }, { key: program }]
    expect(await refused(id, { remarks_attachments: list })).to.deep.equal([
      ['remarks_attachments', 'invalid'],
      ['remarks_attachments', 'file_type'],
    ])
  })

  it('are refused when the list is none, and when it is too long', async () => {
    const id = await site()
    const key = await upload(admin)
    const nonsense = [5, true, 'x', '{}', {}, [5], [null], [{}], [{ key: 5 }], [{ key, filesize: 'x' }], [{ _destroy: true }]]
    for (const list of nonsense) {
      const violations = await refused(id, { remarks_attachments: list })
      expect(violations, JSON.stringify(list)).to.deep.equal([['remarks_attachments', 'invalid']])
    }
    const many = Array.from({ length: 101 }, () => ({ key }))
    expect(await refused(id, { remarks_attachments: many })).to.deep.equal([
      ['remarks_attachments', 'too_many_files', { max: 100 }],
    ])
    const gone = [{ id: 999_999, _destroy: true }]
    expect(await refused(id, { remarks_attachments: gone })).to.deep.equal([['remarks_attachments', 'cannot_be_found']])
  })

  it('are refused together with everything else that is wrong, and nothing is taken', async () => {
    const [id, key] = [await site(), await upload(admin)]
    expect(await refused(id, { name: '', remarks_attachments: [{ key }, { key: 'none' }] })).to.deep.equal([
      ['name', 'blank'],
      ['remarks_attachments', 'cannot_be_found'],
    ])
    expect(await stateOf(key)).to.equal('uploaded')
    await save(admin, 'site', id, { remarks_attachments: [{ key }] })
  })

  it('of a record that is refused late are free for the next attempt', async () => {
    const key = await upload(admin)
    const body = { name: 'Twins', remarks_attachments: [{ key }] }
    const twins = [
      { id: null, body },
      { id: null, body: { ...body, remarks_attachments: [] } },
    ]
    const outcomes = await house.operations.saveAll(await house.by(admin), 'site', twins)
    expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['created', 'refused'])
    expect(await stateOf(key)).to.equal('used')
  })

  it('are ignored where the caller may not write the text', async () => {
    const [id, key] = [await site(), await upload(user)]
    const requestId = Number((await save(user, 'request', null, { subject: 'Help', category: 'other', team_id: team }))['id'])
    await save(user, 'request', requestId, { internal_note: 'hidden', internal_note_attachments: [{ key }] })
    expect(await stateOf(key)).to.equal('uploaded')
    expect(await shown('site', id)).to.deep.equal([])
  })

  it('are seen by those who may read the text', async () => {
    const [open, secret] = [await upload(admin, 'open.png'), await upload(admin, 'secret.png')]
    const id = await site({ remarks_attachments: [{ key: open }], secret_remarks_attachments: [{ key: secret }] })
    const names = async (by: number) => (await shown('site', id, by)).map(({ name }) => name)
    expect(await names(admin)).to.have.members(['open.png', 'secret.png'])
    expect(await names(user)).to.deep.equal(['open.png'])
    // Audit lines have the names of all files.
    const auditor = await house.addPerson('Aldo Auditor', ['auditor'])
    const told = async (by: number) => {
      const request = { parameters: [], within: { type: 'site', id, path: 'audit' } }
      const { items } = await house.operations.list(await house.by(by), 'audit_line', request)
      return items[0]?.['changes'] as object
    }
    expect(await told(admin)).to.have.deep.property('attachments', [[], ['open.png', 'secret.png']])
    expect(await told(auditor))
      .to.include.keys('name')
      .and.not.have.any.keys('attachments', 'secret_remarks')
  })

  it('go with their record and with its notes, and so do their files', async () => {
    const [own, ofNote, ofOther] = [await upload(admin), await upload(admin), await upload(admin)]
    const body = { name: 'West', remarks_attachments: [{ key: own }], note: 'Ahoy', note_attachments: [{ key: ofNote }] }
    const id = Number((await save(admin, 'voyage', null, body))['id'])
    const other = await save(admin, 'voyage', null, { name: 'East', note: 'Ahoy', note_attachments: [{ key: ofOther }] })
    expect(Number(other['id'])).to.be.greaterThan(id)
    await house.operations.remove(await house.by(admin), 'voyage', id)
    await filesOfHouse().cleanUp()
    const left = (await house.storage.knex('itsm_attachments').whereIn('key', [own, ofNote, ofOther])).map(({ key }) => key)
    expect(left).to.deep.equal([ofOther])
    expect([await stateOf(own), await stateOf(ofNote), await stateOf(ofOther)]).to.deep.equal([undefined, undefined, 'used'])
  })

  describe('of notes', () => {
    const request = async () =>
      Number((await save(user, 'request', null, { subject: 'Help', category: 'other', team_id: team }))['id'])
    const notesOf = async (id: number) => {
      const page = await house.operations.list(await house.by(admin), 'note', {
        parameters: [['fields', 'text,attachments']],
        within: { type: 'request', id, path: 'notes' },
      })
      return page.items.map(
        (note) => [note['text'], (note['attachments'] as unknown as Shown[]).map(({ key }) => key)] as const,
      )
    }

    it('come with the field that makes the note', async () => {
      const [id, key] = [await request(), await upload(user)]
      await save(user, 'request', id, { note: 'See the photo.', note_attachments: [{ key, filesize: 2 }] })
      expect(await notesOf(id)).to.deep.equal([['See the photo.', [key]]])
      expect(await shown('request', id)).to.deep.equal([])
    })

    it('come with a note that is posted, under any of three names', async () => {
      const id = await request()
      const keys: string[] = []
      for (const name of ['attachments', 'note_attachments', 'text_attachments']) {
        const key = await upload(user)
        keys.push(key)
        const owner = { type: 'request', id }
        await house.operations.save(await house.by(user), 'note', null, { text: name, [name]: [{ key }] }, owner)
      }
      expect((await notesOf(id)).map(([, [key]]) => key)).to.deep.equal(keys)
    })

    it('need a note', async () => {
      const [id, key] = [await request(), await upload(user)]
      for (const body of [{ note_attachments: [{ key }] }, { note: ' ', note_attachments: [{ key }] }]) {
        expect(await refusalOf(save(user, 'request', id, body))).to.deep.equal([['note', 'blank']])
      }
      await save(user, 'request', id, { note_attachments: [] })
      expect(await notesOf(id)).to.deep.equal([])
    })

    it('are refused under the name that the caller has given', async () => {
      const id = await request()
      const body = { note: 'See.', note_attachments: [{ key: 'none' }] }
      expect(await refusalOf(save(user, 'request', id, body))).to.deep.equal([['note_attachments', 'cannot_be_found', {}]])
      expect(await notesOf(id)).to.deep.equal([])
    })
  })
})
