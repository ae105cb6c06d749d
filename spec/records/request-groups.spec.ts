import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { inTransaction } from '../../plugin/storage/database/transaction.js'
import { withHouse } from '../support/house.js'

describe('a group of requests', function () {
  this.timeout(60_000)
  const house = withHouse({ file: true })
  let [agent, team] = [0, 0]
  before(async () => {
    agent = await house.addPerson('Sam', ['specialist'])
    team = await house.add('team', { name: 'Desk' })
    await house.operations.link(await house.system(), { type: 'team', id: team }, 'members', agent)
  })
  const request = (subject: string, more: object = {}) => {
    const body = { subject, category: 'rfc', team_id: team, member_id: agent, requested_by_id: agent }
    return house.add('request', { ...body, status: 'assigned', ...more })
  }
  const statusOf = async (id: number) => (await house.row('request', id))?.['status']

  it('changes no request that leaves it, or is completed, at the same time', async () => {
    const [stays, leaves, ends] = [await request('Stays'), await request('Leaves'), await request('Ends')]
    const join = async (id: number, grouped_into_id: number) =>
      Number((await house.operations.save(await house.by(agent), 'request', id, { grouped_into_id }))['grouped_into_id'])
    const group = await join(leaves, stays)
    await join(ends, group)
    let passing: Promise<unknown> = Promise.resolve()
    await inTransaction(house.storage, await house.by(agent), async (inside) => {
      await house.operations.save(inside, 'request', leaves, { grouped_into_id: null })
      await house.operations.save(inside, 'request', ends, { status: 'completed', completion_reason: 'solved' })
      passing = house.operations.save(await house.by(agent), 'request', group, { status: 'in_progress' })
      await sleep(300)
    })
    await passing
    const statuses = [await statusOf(stays), await statusOf(leaves), await statusOf(ends)]
    expect(statuses).to.deep.equal(['in_progress', 'assigned', 'completed'])
  })

  it('opens again what was completed with it, and leaves what was completed on its own, or with another one', async () => {
    const [one, two, alone, moved] = [
      await request('One'),
      await request('Two'),
      await request('Alone'),
      await request('Moved'),
    ]
    const save = async (id: number, body: object) =>
      Number((await house.operations.save(await house.by(agent), 'request', id, body))['grouped_into_id'])
    const group = await save(two, { grouped_into_id: one })
    await save(alone, { grouped_into_id: group })
    await save(moved, { grouped_into_id: group })
    const done = { status: 'completed', completion_reason: 'solved' }
    await save(alone, done)
    // All in one second of the clock.
    await save(group, done)
    const other = await save(await request('Other', done), { grouped_into_id: await request('Another', done) })
    await save(moved, { grouped_into_id: other })
    await save(group, { completion_reason: 'workaround' })
    expect((await house.row('request', alone))?.['completion_reason']).to.equal('solved')
    await save(group, { status: 'assigned' })
    await save(other, { status: 'assigned' })
    expect(await Promise.all([one, two, alone, moved].map(statusOf))).to.deep.equal([
      'assigned',
      'assigned',
      'completed',
      'completed',
    ])
    // And so on, the next time.
    await save(two, done)
    await save(group, done)
    await save(group, { status: 'assigned' })
    expect(await Promise.all([one, two].map(statusOf))).to.deep.equal(['assigned', 'completed'])
  })

  describe('that waits for the customer', () => {
    let [hank, ines] = [0, 0]
    before(async () => {
      hank = await house.addPerson('Hank Hofman')
      ines = await house.addPerson('Ines Ives')
    })
    const save = async (person: number, id: number, body: object) =>
      house.operations.save(await house.by(person), 'request', id, body)
    const noteOn = async (person: number, id: number, body: object) =>
      house.operations.save(await house.by(person), 'note', null, body, { type: 'request', id })
    /** Two requests in a group that has asked. */
    const asking = async () => {
      const ofHank = await request('Mail of Hank', { requested_by_id: hank })
      const ofInes = await request('Mail of Ines', { requested_by_id: hank, requested_for_id: ines })
      const group = Number((await save(agent, ofInes, { grouped_into_id: ofHank }))['grouped_into_id'])
      await save(agent, group, { status: 'waiting_for_customer', note: 'Since when?' })
      return { ofHank, ofInes, group, all: [group, ofHank, ofInes] }
    }
    const statusesOf = (ids: readonly number[]) => Promise.all(ids.map(statusOf))
    const notesOf = async (id: number) =>
      (await house.table('notes')).flatMap(({ internal, owner_id, owner_type, person_id, text }) =>
        owner_type === 'request' && owner_id === id ? [[text, person_id, Boolean(internal)]] : [],
      )

    for (const [name, answer] of [
      ['on its own', (id: number) => noteOn(ines, id, { text: 'Since Monday.' })],
      ['with the request', (id: number) => save(ines, id, { note: 'Since Monday.' })],
    ] as const) {
      it(`is assigned with its requests when a requester answers in one of them, by a note ${name}`, async () => {
        const { all, group, ofHank, ofInes } = await asking()
        expect(await statusesOf(all)).to.deep.equal(['waiting_for_customer', 'waiting_for_customer', 'waiting_for_customer'])
        await answer(ofInes)
        expect(await statusesOf(all)).to.deep.equal(['assigned', 'assigned', 'assigned'])
        const copied = `From request ${ofInes}, Mail of Ines:\n\nSince Monday.`
        expect(await notesOf(group)).to.deep.equal([
          ['Since when?', agent, false],
          [copied, ines, true],
        ])
        // Others do not read it.
        expect(await notesOf(ofHank)).to.deep.equal([['Since when?', agent, false]])
        // Nothing is asked any more.
        await noteOn(hank, ofHank, { text: 'Since Sunday.' })
        expect(await notesOf(group)).to.have.length(2)
      })
    }

    it('reads the answer of a requester of another account, too', async () => {
      const body = { name: 'Gary', primary_email: 'gary@globex.example' }
      const gary = await house.add('person', body, { account: 'globex' })
      const { group, ofInes } = await asking()
      await house.operations.save(await house.system(), 'request', ofInes, { requested_for_id: gary })
      for (const answer of [() => noteOn(gary, ofInes, { text: 'Today.' }), () => save(gary, ofInes, { note: 'Today.' })]) {
        await save(agent, group, { status: 'waiting_for_customer' })
        await answer()
        const notes = (await house.table('notes')).filter((note) => note['owner_id'] === group && note['person_id'] === gary)
        expect(notes.at(-1)).to.include({ account_id: 'acme', text: `From request ${ofInes}, Mail of Ines:\n\nToday.` })
        expect(Boolean(notes.at(-1)?.['internal'])).to.equal(true)
      }
    })

    it('waits on when somebody else writes, or when the note is internal', async () => {
      const { all, ofInes } = await asking()
      await noteOn(agent, ofInes, { text: 'Me too.' })
      await noteOn(agent, ofInes, { text: 'Ask once more.', internal: true })
      expect(await statusesOf(all)).to.deep.equal(['waiting_for_customer', 'waiting_for_customer', 'waiting_for_customer'])
    })

    it('asks for those whose request does something else, and takes an answer of the longest text', async () => {
      const { group, ofInes } = await asking()
      await save(agent, ofInes, { status: 'in_progress' })
      await noteOn(ines, ofInes, { text: 'é'.repeat(32_768) })
      expect(await statusesOf([group, ofInes])).to.deep.equal(['assigned', 'assigned'])
      const [text] = (await notesOf(group)).at(-1) ?? []
      expect(Buffer.byteLength(String(text))).to.be.within(65_500, 65_536)
      expect(String(text).at(-1)).to.equal('é')
    })

    it('gets the answers of all who write at the same moment, or that of the first', async () => {
      const { all, group, ofHank, ofInes } = await asking()
      await Promise.all([noteOn(hank, ofHank, { text: 'Today.' }), save(ines, ofInes, { note: 'Yesterday.' })])
      expect(await statusesOf(all)).to.deep.equal(['assigned', 'assigned', 'assigned'])
      expect((await notesOf(group)).filter(([, , internal]) => internal)).to.have.length.within(1, 2)
    })
  })
})
