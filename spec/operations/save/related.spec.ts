import { expect } from 'chai'
import { errorOf, refusalOf, withHouse } from '../../support/house.js'

describe('what is stored with a record', () => {
  const house = withHouse()
  let admin = 0
  let agent = 0
  let user = 0
  let team = 0

  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
    agent = await house.addPerson('Aart Agent', ['specialist'])
    user = await house.addPerson('Ulla User')
    team = await house.add('team', { name: 'Desk', member_ids: [agent] })
  })
  beforeEach(() => house.clock.set('2026-11-21T09:30:00Z'))

  const save = async (by: number, type: string, id: number | null, body: object) =>
    house.operations.save(await house.by(by), type, id, body)
  const request = async (by: number, more: object = {}) =>
    Number((await save(by, 'request', null, { subject: 'Help', category: 'other', team_id: team, ...more }))['id'])
  const notesOf = async (id: number) =>
    (await house.table('notes'))
      .filter((row) => Number(row['owner_id']) === id)
      .map((row) => [row['text'], Number(row['internal']) === 1, Number(row['person_id'])])
  const eventsOf = async (id: number) =>
    (await house.table('outbox'))
      .filter((row) => Number(row['record_id']) === id && row['record_type'] === 'request')
      .map((row) => row['event'])

  describe('notes', () => {
    it('come with a new request as part of its creation', async () => {
      const id = await request(user, { note: 'It is\r\nbroken', internal_note: 'hidden' })
      // An end user writes no internal notes: the field is ignored (behaviour: Requests).
      expect(await notesOf(id)).to.deep.equal([['It is\nbroken', false, user]])
      expect(await eventsOf(id)).to.deep.equal(['request.create'])
    })

    it('are public or internal for people who may read internal ones', async () => {
      const id = await request(agent, { note: 'public', internal_note: 'internal' })
      expect(await notesOf(id)).to.deep.equal([
        ['public', false, agent],
        ['internal', true, agent],
      ])
    })

    it('of an update are an event of their own, between the update and what else changed', async () => {
      const id = await request(user)
      house.clock.pass(60_000)
      await save(agent, 'request', id, { note: 'On it', status: 'in_progress', member_id: agent })
      expect(await eventsOf(id)).to.deep.equal([
        'request.create',
        'request.update',
        'request.note-added',
        'request.status-changed',
        'request.member-changed',
      ])
    })

    it('alone are no update and leave no audit line, but the record counts as changed', async () => {
      const id = await request(user)
      const lines = (await house.table('audit_lines')).length
      house.clock.pass(60_000)
      await save(user, 'request', id, { note: 'And another thing', status: 'completed', subject: 'mine' })
      expect(await eventsOf(id)).to.deep.equal(['request.create', 'request.note-added'])
      expect(await house.table('audit_lines')).to.have.length(lines)
      // The requester may only add notes: the other fields are ignored.
      expect(await house.row('request', id)).to.include({
        status: 'assigned',
        subject: 'Help',
        updated_at: '2026-11-21T09:31:00Z',
      })
    })

    it('posted by themselves are the same event, with the note, and change the record likewise', async () => {
      const id = await request(user)
      house.clock.pass(60_000)
      const dispatchWakes = house.dispatchWakes()
      const note = await house.operations.save(await house.by(user), 'note', null, { text: 'Posted' }, { type: 'request', id })
      expect(await eventsOf(id)).to.deep.equal(['request.create', 'request.note-added'])
      const event = (await house.table('outbox')).at(-1)
      expect(JSON.parse(String(event?.['snapshot']))).to.include({ note_id: note['id'], status: 'assigned', team_id: team })
      expect([Number(event?.['person_id']), event?.['audit_line_id']]).to.deep.equal([user, null])
      expect(await house.row('request', id)).to.include({ updated_at: '2026-11-21T09:31:00Z' })
      expect(house.dispatchWakes()).to.equal(dispatchWakes + 1)
    })

    it('that are refused are not stored, and the record is not changed', async () => {
      const id = await request(user)
      expect(await refusalOf(save(agent, 'request', id, { note: 'x'.repeat(65_537), status: 'accepted' }))).to.deep.equal([
        ['note', 'too_big_text'],
      ])
      expect(await notesOf(id)).to.deep.equal([])
      expect(await house.row('request', id)).to.include({ status: 'assigned' })
    })

    it('need their text, an owner that they can have, and that is seen', async () => {
      const id = await request(user)
      const stranger = await house.addPerson('Sven Stranger')
      const post = async (by: number, body: object, type = 'request') =>
        house.operations.save(await house.by(by), 'note', null, body, { type, id })
      expect(await refusalOf(post(user, { text: ' ' }))).to.deep.equal([['text', 'blank']])
      expect((await errorOf(post(stranger, { text: 'hello' }))).name).to.equal('NotFound')
      expect((await errorOf(post(admin, { text: 'hello' }, 'team'))).name).to.equal('NotFound')
      expect((await errorOf(save(admin, 'note', null, { text: 'of nothing' }))).name).to.equal('NotFound')
    })

    it('that are blank are no notes', async () => {
      const id = await request(agent, { note: ' ', internal_note: null })
      expect(await notesOf(id)).to.deep.equal([])
    })
  })

  describe('parts', () => {
    const monday = { weekday: 'mon', time_from: '08:00', time_until: '12:00' }
    const friday = { weekday: 'fri', time_from: '00:00', time_until: '24:00' }
    const hoursOf = async (id: number) =>
      (await house.table('calendar_hours'))
        .filter((row) => Number(row['owner_id']) === id)
        .map((row) => [row['weekday'], row['time_from'], row['time_until']])

    it('that are given replace those that were there, and that is a change of the record', async () => {
      const id = await house.add('calendar', { name: 'Office', calendar_hours: [monday] })
      house.clock.pass(60_000)
      await save(admin, 'calendar', id, { calendar_hours: [{ ...friday, time_until: '00:00' }, monday] })
      expect(await hoursOf(id)).to.deep.equal([
        ['fri', '00:00', '24:00'],
        ['mon', '08:00', '12:00'],
      ])
      expect(await house.row('calendar', id)).to.include({ updated_at: '2026-11-21T09:31:00Z' })
      const line = (await house.table('audit_lines')).at(-1)
      expect(JSON.parse(String(line?.['changes']))).to.deep.equal({ calendar_hours: [[monday], [friday, monday]] })
    })

    it('stay when they are not given, and when the same are given', async () => {
      const id = await house.add('calendar', { name: 'Same', calendar_hours: [monday] })
      const ids = async () =>
        (await house.table('calendar_hours')).filter((row) => Number(row['owner_id']) === id).map((row) => row['id'])
      const before = await ids()
      house.clock.pass(60_000)
      await save(admin, 'calendar', id, { name: 'Same' })
      await save(admin, 'calendar', id, { calendar_hours: [monday] })
      expect(await ids()).to.deep.equal(before)
      expect(await house.row('calendar', id)).to.include({ updated_at: '2026-11-21T09:30:00Z' })
    })

    it('do not overlap, not even when they come at the same time', async () => {
      const owner = { type: 'calendar', id: await house.add('calendar', { name: 'Crowded' }) }
      const call = await house.by(admin)
      const additions = [1, 2, 3].map(() => house.operations.save(call, 'calendar_hour', null, monday, owner))
      const refused = (await Promise.allSettled(additions)).filter(({ status }) => status === 'rejected')
      expect(refused).to.have.length(2)
      expect(await hoursOf(owner.id)).to.have.length(1)
    })

    it('are all taken away by an empty list', async () => {
      const id = await house.add('calendar', { name: 'Emptied', calendar_hours: [monday, friday] })
      await save(admin, 'calendar', id, { calendar_hours: [] })
      expect(await hoursOf(id)).to.deep.equal([])
    })

    it('do not overlap when they are saved together', async () => {
      const owner = { type: 'calendar', id: await house.add('calendar', { name: 'Together' }) }
      const hours = [
        { weekday: 'mon', time_from: '08:00', time_until: '12:00' },
        { weekday: 'mon', time_from: '11:00', time_until: '13:00' },
        { weekday: 'tue', time_from: '11:00', time_until: '13:00' },
      ]
      const items = hours.map((body) => ({ id: null, body, owner }))
      const outcomes = await house.operations.saveAll(await house.system(), 'calendar_hour', items)
      expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['created', 'refused', 'created'])
      const [first] = outcomes
      const id = first?.outcome === 'created' ? Number(first.row['id']) : 0
      // What moves away makes room for what comes after it.
      const moved = await house.operations.saveAll(await house.system(), 'calendar_hour', [
        { id, body: { time_from: '14:00', time_until: '15:00' }, owner },
        { id: null, body: { weekday: 'mon', time_from: '08:00', time_until: '12:00' }, owner },
      ])
      expect(moved.map(({ outcome }) => outcome)).to.deep.equal(['updated', 'created'])
    })

    it('must not overlap on one weekday, nor end before they start', async () => {
      const overlapping = [monday, { weekday: 'mon', time_from: '11:59', time_until: '13:00' }]
      const backwards = [{ weekday: 'mon', time_from: '12:00', time_until: '12:00' }]
      expect(await refusalOf(house.add('calendar', { name: 'Bad', calendar_hours: overlapping }))).to.deep.equal([
        ['time_from', 'overlaps', { place: 2 }],
      ])
      expect(await refusalOf(house.add('calendar', { name: 'Bad', calendar_hours: backwards }))).to.deep.equal([
        ['time_until', 'end_before_start', { place: 1 }],
      ])
      expect((await house.table('calendars')).map((row) => row['name'])).to.not.include('Bad')
      const touching = [monday, { weekday: 'mon', time_from: '12:00', time_until: '13:00' }, { ...monday, weekday: 'tue' }]
      await house.add('calendar', { name: 'Good', calendar_hours: touching })
    })

    it('are not a list: refused', async () => {
      for (const calendar_hours of ['08:00', { mon: '08:00' }, [null], [1]]) {
        expect(await refusalOf(house.add('calendar', { name: 'List', calendar_hours }))).to.deep.equal([
          ['calendar_hours', 'invalid'],
        ])
      }
    })

    it('belong to the account of their owner', async () => {
      await house.accounts.put({ id: 'acme', name: 'Acme', directoryAccountId: 'globex' })
      const shared = await house.add('person', { name: 'Dora', primary_email: 'dora@globex.example' }, { account: 'globex' })
      const contact = { protocol: 'telephone', label: 'work', uri: '1' }
      await house.add('contact', contact, { owner: { type: 'person', id: shared } })
      expect((await house.table('contacts')).at(-1)).to.include({ account_id: 'globex' })
      // Roles in acme are no roles in globex, though its people are seen here.
      const call = await house.by(admin)
      const work = house.operations.save(call, 'contact', null, contact, { type: 'person', id: shared })
      expect((await errorOf(work)).name).to.equal('Forbidden')
      expect((await errorOf(house.operations.save(call, 'person', shared, { name: 'Mine' }))).name).to.equal('Forbidden')
      await house.accounts.put({ id: 'acme', name: 'Acme', directoryAccountId: null })
    })
  })

  describe('links', () => {
    const membersOf = async (id: number) =>
      (await house.storage.knex(house.storage.table('team_members')).where({ team_id: id }).orderBy('person_id')).map((row) =>
        Number(row.person_id),
      )

    it('are made exactly what is given, with an audit line', async () => {
      const id = await house.add('team', { name: 'Linked', member_ids: [agent, user, agent] })
      house.clock.pass(60_000)
      await save(admin, 'team', id, { member_ids: [String(user), { id: admin }] })
      expect(await membersOf(id)).to.deep.equal([admin, user].sort((a, b) => a - b))
      const line = (await house.table('audit_lines')).at(-1)
      expect(JSON.parse(String(line?.['changes']))).to.deep.equal({
        members: [
          [agent, user],
          [user, admin],
        ],
      })
      expect(await house.row('team', id)).to.include({ updated_at: '2026-11-21T09:31:00Z' })
      await save(admin, 'team', id, { member_ids: null })
      expect(await membersOf(id)).to.deep.equal([])
    })

    it('are refused when one of the others is not there, and none is made', async () => {
      for (const wrong of [99_999, 0, -1, 1.5, true, 'x', '', null, [agent], 2 ** 53]) {
        expect(await refusalOf(house.add('team', { name: 'Wrong', member_ids: [agent, wrong] })), String(wrong)).to.deep.equal([
          ['members', 'cannot_be_found'],
        ])
      }
      expect(await refusalOf(house.add('team', { name: 'Wrong', member_ids: 'Al' }))).to.deep.equal([
        ['members', 'cannot_be_found'],
      ])
      const foreign = await house.add('person', { name: 'U', primary_email: 'u@umbrella.example' }, { account: 'umbrella' })
      expect(await refusalOf(house.add('team', { name: 'Wrong', member_ids: [foreign] }))).to.deep.equal([
        ['members', 'cannot_be_found'],
      ])
    })

    it('may lead to records of trusted accounts', async () => {
      const trusted = await house.add('person', { name: 'G', primary_email: 'g@globex.example' }, { account: 'globex' })
      const id = await house.add('team', { name: 'Mixed', member_ids: [trusted] })
      expect(await membersOf(id)).to.deep.equal([trusted])
    })

    it('are given together with what depends on them: the coordinator is a member', async () => {
      expect(await refusalOf(house.add('team', { name: 'Led', coordinator_id: agent }))).to.deep.equal([
        ['coordinator', 'coordinator_not_member'],
      ])
      const id = await house.add('team', { name: 'Led', coordinator_id: agent, member_ids: [agent] })
      expect(await refusalOf(save(admin, 'team', id, { coordinator_id: user }))).to.deep.equal([
        ['coordinator', 'coordinator_not_member'],
      ])
      await save(admin, 'team', id, { coordinator_id: user, member_ids: [user] })
      expect(await house.row('team', id)).to.include({ coordinator_id: user })
    })
  })
})
