/** Times without an offset, flags of notes, and long names of monitoring tools, as callers send them (behaviour: Value formats). */
import { expect } from 'chai'
import { withMounted } from '../support/mounted.js'

describe('values of callers', function () {
  this.timeout(60_000)
  const mounted = withMounted('mounted under a prefix', { rateLimit: { burst: false, perHour: 1_000_000 } })
  const { ask } = mounted
  const id = (name: string) => mounted.world.id(name)
  const idOf = (json: unknown) => (json as { id: number }).id
  const idsOf = (json: unknown) => (json as { id: number }[]).map((one) => one.id)

  describe('times without an offset', () => {
    const inZone = async (time_zone: string) => {
      const reply = await ask('@owen', 'PATCH', `/people/${id('@sam')}`, { time_zone })
      expect(reply.status, reply.text).to.equal(200)
    }
    /** A request that was made at this moment, in UTC. */
    const madeAt = async (moment: string) => {
      const reply = await ask('@sam', 'POST', '/requests', { subject: 'When', category: 'rfi' })
      expect(reply.status, reply.text).to.equal(201)
      const { knex, storage } = mounted.database
      await knex(storage.table('requests'))
        .where({ id: idOf(reply.json) })
        .update({ created_at: moment })
      return idOf(reply.json)
    }
    const found = async (filter: string) => {
      const reply = await ask('@sam', 'GET', `/requests?subject=When&${filter}`)
      expect(reply.status, `${filter} ${reply.text}`).to.equal(200)
      return idsOf(reply.json)
    }
    const shown = async (one: number) =>
      ((await ask('@sam', 'GET', `/requests/${one}`)).json as { created_at: string }).created_at

    it('are in the zone of the caller in filters, as in bodies', async () => {
      const one = await madeAt('2021-05-06 10:00:00')
      for (const zone of ['Tokyo', 'Pacific Time (US & Canada)', 'UTC', 'Amsterdam']) {
        await inZone(zone)
        const whole = await shown(one)
        const local = whole.slice(0, 19)
        const forms = [
          local,
          local.replace('T', '%20'),
          local.replace('T', '+'),
          local.slice(0, 16),
          local.replace(/[-:]/g, ''),
        ]
        for (const time of [...forms, encodeURIComponent(whole), whole.replace('+', ' ')])
          expect(await found(`created_at=${time}`), `${zone} ${time}`).to.deep.equal([one])
        expect(await found(`created_at=>=${local}<=${local}`), zone).to.deep.equal([one])
        expect(await found(`created_at=>${local}<2022-01-01`), zone).to.deep.equal([])
        const counts = await ask('@sam', 'GET', `/requests/counts?by=status&created_at=${local}`)
        expect(counts.text, zone).to.contain('1')
      }
    })

    it('mean the same in gaps and overlaps of the clock', async () => {
      await inZone('Amsterdam')
      const [gap, overlap] = [await madeAt('2021-03-28 01:30:00'), await madeAt('2021-10-31 00:30:00')]
      expect(await found('created_at=2021-03-28T02:30')).to.deep.equal([gap])
      expect(await found('created_at=2021-10-31T02:30')).to.deep.equal([overlap])
      const body = { subject: 'Gap', category: 'rfi', desired_completion_at: '2031-03-30T02:30' }
      expect(((await ask('@sam', 'POST', '/requests', body)).json as typeof body).desired_completion_at).to.equal(
        '2031-03-30T03:30:00+02:00',
      )
    })

    it('are midnight in UTC if they are dates alone', async () => {
      await inZone('Tokyo')
      expect(await found('created_at=2020-01-01')).to.deep.equal([])
      const one = await madeAt('2020-01-01 00:00:00')
      expect(await found('created_at=2020-01-01')).to.deep.equal([one])
    })
  })

  describe('the flag of internal notes', () => {
    const add = (internal: unknown, as = '@sam') =>
      ask(as, 'POST', `/requests/${id('@mail-is-slow')}/notes`, { text: `Note ${String(internal)}`, internal })

    it('is true or false in every known spelling', async () => {
      for (const internal of [true, 1, '1', 'T', 'y', 'TRUE', ' yes ', 'On'])
        expect(((await add(internal)).json as { internal: boolean }).internal, String(internal)).to.equal(true)
      for (const internal of [false, 0, '0', 'F', 'n', 'False', 'no', 'OFF', null, ''])
        expect(((await add(internal)).json as { internal: boolean }).internal, String(internal)).to.equal(false)
    })

    it('is refused in any other, so that no note is public by mistake', async () => {
      for (const internal of ['private', 'internal', 'ja', 'wahr', 'yess', '2', 2, -1, [], {}, [true]])
        expect((await add(internal)).status, JSON.stringify(internal)).to.equal(422)
      const system = mounted.itsm.asSystem('notes', 'widgets')
      const owner = { type: 'request', id: id('@mail-is-slow') }
      const fault = await system.create('note', { text: 'Secret', internal: 'private' as never }, owner).then(String, String)
      expect(fault).to.contain('internal')
    })
  })

  describe('long names of monitoring tools', () => {
    const NAME = 'prometheus-alertmanager.production.eu-west'
    const submit = (body: object) => ask('@sam', 'POST', '/events', body)

    it('stay two if they differ behind the thirtieth character', async () => {
      const made: number[] = []
      for (const end of ['-1', '-2']) {
        const first = await submit({ subject: 'Disk', source: NAME + end, sourceID: 'E1' })
        expect(first.status, first.text).to.equal(201)
        const again = await submit({ subject: 'Disk again', source: `${NAME}${end} `, source_id: 'E1' })
        expect([again.status, idOf(again.json)]).to.deep.equal([200, idOf(first.json)])
        const { source } = first.json as { source: string }
        expect(source).to.match(/^prometheus-alertmanag~[0-9a-f]{8}$/)
        const found = await ask('@sam', 'GET', `/requests?source=${NAME}${end}&sourceID=E1`)
        expect(idsOf(found.json)).to.deep.equal([idOf(first.json)])
        expect(idsOf((await ask('@sam', 'GET', `/requests?source=${source}`)).json)).to.deep.equal([idOf(first.json)])
        made.push(idOf(first.json))
      }
      expect(new Set(made).size).to.equal(2)
    })

    it('leave a completed request that fires again to be seen, and not to be found', async () => {
      const alert = { subject: 'Fires again', source: 'probe', sourceID: 'P-1' }
      const first = idOf((await submit(alert)).json)
      const done = { status: 'completed', completion_reason: 'gone' }
      expect((await submit({ ...alert, ...done })).status).to.equal(200)
      const again = await submit(alert)
      expect(again.status, again.text).to.equal(201)
      const found = async (path: string) => idsOf((await ask('@sam', 'GET', path)).json)
      expect(await found('/requests?sourceID=P-1')).to.deep.equal([idOf(again.json)])
      expect((await ask('@sam', 'GET', `/requests/${first}`)).json).to.include({
        source: 'probe',
        sourceID: 'P-1',
        status: 'completed',
      })
      const listed = (await ask('@sam', 'GET', `/requests?id=${first}&fields=sourceID`)).json as { sourceID: string }[]
      expect(listed.map(({ sourceID }) => sourceID)).to.deep.equal(['P-1'])
      const notes = await ask('@sam', 'GET', `/requests/${idOf(again.json)}/notes`)
      expect(notes.text).to.contain(`request ${first}`)
      const [changed] = (await ask('@owen', 'PATCH', '/requests', [{ source: 'probe', sourceID: 'P-1', subject: 'Changed' }]))
        .json as { id: number }[]
      expect(changed?.id).to.equal(idOf(again.json))
    })

    it('of completed requests in completed groups can fire again, too', async () => {
      const alert = { subject: 'In a group', source: 'probe', sourceID: 'P-2' }
      const [first, other] = [
        idOf((await submit(alert)).json),
        idOf((await submit({ subject: 'Other one', source: 'probe' })).json),
      ]
      const grouped = await ask('@sam', 'PATCH', `/requests/${first}`, { grouped_into_id: other })
      expect(grouped.status, grouped.text).to.equal(200)
      const group = (grouped.json as { grouped_into: { id: number } }).grouped_into.id
      const done = await ask('@sam', 'PATCH', `/requests/${group}`, { status: 'completed', completion_reason: 'solved' })
      expect(done.status, done.text).to.equal(200)
      expect((await ask('@sam', 'GET', `/requests/${first}`)).json).to.include({ status: 'completed' })
      const again = await submit(alert)
      expect(again.status, again.text).to.equal(201)
      expect((await ask('@sam', 'GET', `/requests/${first}`)).json).to.include({ status: 'completed', sourceID: 'P-2' })
    })

    it('stay as they are if they fit', async () => {
      const first = await submit({ subject: 'Thirty', source: 'x'.repeat(30) })
      expect(first.json).to.include({ source: 'x'.repeat(30) })
    })
  })

  describe('texts of filters', () => {
    it('may begin with the sign of an operator, behind a backslash', async () => {
      for (const subject of ['<b>', '>=1', '!important', 'a,b']) {
        const made = await ask('@sam', 'POST', '/requests', { subject, category: 'rfi' })
        const escaped = subject.replace(/^[<>!]/, '\\$&').replace(',', '\\,')
        for (const value of [escaped, encodeURIComponent(escaped)]) {
          const found = await ask('@sam', 'GET', `/requests?subject=${value}`)
          expect([found.status, found.status === 200 && idsOf(found.json)], `${value} ${found.text}`).to.deep.equal([
            200,
            [idOf(made.json)],
          ])
        }
      }
    })
  })
})
