import { expect } from 'chai'
import { refusalOf, withHouse } from '../support/house.js'

describe('the rules of', () => {
  const house = withHouse()
  const save = async (type: string, id: number, body: object) => house.operations.save(await house.system(), type, id, body)

  describe('organizations', () => {
    const organization = (name: string, more: object = {}) => house.add('organization', { name, ...more })
    const unitAndRegion = async (id: number) => {
      const row = await house.row('organization', id)
      return [row?.['business_unit_organization_id'], row?.['region']]
    }

    it('lead to the nearest business unit above, from the first save on', async () => {
      const unit = await organization('Unit', { business_unit: true, region: 'North' })
      const child = await organization('Child', { parent_id: unit })
      const grandchild = await organization('Grandchild', { parent_id: child })
      for (const id of [unit, child, grandchild]) expect(await unitAndRegion(id)).to.deep.equal([unit, 'North'])
      expect(await unitAndRegion(await organization('Alone'))).to.deep.equal([null, null])
    })

    it('carry changes down the tree, with an audit line and an event each, up to the next business unit', async () => {
      const top = await organization('Top', { business_unit: true, region: 'North' })
      const middle = await organization('Middle', { parent_id: top })
      const bottom = await organization('Bottom', { parent_id: middle })
      const other = await organization('Other unit', { parent_id: middle, business_unit: true, region: 'East' })
      await save('organization', top, { region: 'South' })
      expect(await unitAndRegion(bottom)).to.deep.equal([top, 'South'])
      expect(await unitAndRegion(other)).to.deep.equal([other, 'East'])
      await save('organization', middle, { business_unit: true })
      expect(await unitAndRegion(bottom)).to.deep.equal([middle, 'South'])
      const about = (await house.table('outbox')).filter((event) => Number(event['record_id']) === bottom)
      expect(about.map((event) => event['event'])).to.deep.equal([
        'organization.create',
        'organization.update',
        'organization.update',
      ])
      const line = (await house.table('audit_lines')).filter((one) => Number(one['owner_id']) === bottom).at(-1)
      expect(JSON.parse(String(line?.['changes']))).to.deep.equal({ business_unit_organization_id: [top, middle] })
    })

    it('carry them to every child, beyond a hundred', async () => {
      const top = await organization('Wide', { business_unit: true, region: 'North' })
      const items = Array.from({ length: 120 }, (_, index) => ({ id: null, body: { name: `Wide ${index}`, parent_id: top } }))
      await house.operations.saveAll(await house.system(), 'organization', items)
      await save('organization', top, { region: 'South' })
      const children = (await house.table('organizations')).filter((row) => Number(row['parent_id']) === top)
      expect(children.map((row) => row['region'])).to.deep.equal(children.map(() => 'South'))
      expect(children).to.have.length(120)
    }).timeout(60_000)

    it('are no trees with circles', async () => {
      const top = await organization('Circle top')
      const bottom = await organization('Circle bottom', { parent_id: top })
      expect(await refusalOf(save('organization', top, { parent_id: bottom }))).to.deep.equal([['parent', 'descendant_parent']])
      expect(await refusalOf(save('organization', top, { parent_id: top }))).to.deep.equal([['parent', 'descendant_parent']])
    })

    it('are no trees with circles, not even when two change their parents at once', async () => {
      const [one, two] = [await organization('Circle one'), await organization('Circle two')]
      for (let round = 0; round < 4; round++) {
        const moves = [save('organization', one, { parent_id: two }), save('organization', two, { parent_id: one })]
        const refused = (await Promise.allSettled(moves)).filter(({ status }) => status === 'rejected')
        expect(refused).to.have.length(1)
        for (const id of [one, two]) await save('organization', id, { parent_id: null })
      }
    })
  })

  describe('people', () => {
    it('fill in what the account and the site say', async () => {
      const own = await house.add('organization', { name: 'Own' })
      await house.accounts.put({ id: 'acme', name: 'Acme', locale: 'nl', timeZone: 'Amsterdam', organizationId: own })
      const tokyo = await house.add('site', { name: 'Tokyo office', time_zone: 'Asia/Tokyo' })
      const id = await house.add('person', { name: 'P', primary_email: ' P.One@Acme.Example ', site_id: tokyo })
      const row = await house.row('person', id)
      expect(row).to.include({ primary_email: 'p.one@acme.example', organization_id: own, locale: 'nl' })
      // Osaka, Sapporo and Tokyo share one zone; an IANA name is kept as one of its list names.
      expect(row?.['time_zone']).to.equal((await house.row('site', tokyo))?.['time_zone'])
      await house.accounts.put({ id: 'acme', name: 'Acme', organizationId: null })
    })

    it('want an address of their own that can be one', async () => {
      for (const primary_email of ['nobody', 'a@b@c', 'a b@c', '@c', 'a@', 'a@b,c@d', '<a@b>', 'a\u0001@b']) {
        expect(await refusalOf(house.add('person', { name: 'P', primary_email })), primary_email).to.deep.equal([
          ['primary_email', 'invalid'],
        ])
      }
      expect(await refusalOf(house.add('person', {}))).to.deep.equal([
        ['name', 'blank'],
        ['primary_email', 'blank'],
      ])
    })

    it('may change their own preferences, and nothing else of themselves or of others', async () => {
      const [one, other] = [await house.addPerson('Pia Person'), await house.addPerson('Otto Other')]
      const call = await house.by(one)
      const body = {
        information: 'hi',
        locale: 'de',
        time_zone: 'Berlin',
        time_format_24h: false,
        name: 'Queen',
        vip: true,
        disabled: true,
      }
      await house.operations.save(call, 'person', one, body)
      expect(await house.row('person', one)).to.include({
        information: 'hi',
        locale: 'de',
        time_zone: 'Berlin',
        time_format_24h: false,
        name: 'Pia Person',
        vip: false,
        disabled: false,
      })
      const error = await house.operations.save(call, 'person', other, { information: 'hi' }).then(
        () => null,
        (refusal: Error) => refusal,
      )
      expect(error?.name).to.equal('Forbidden')
    })
  })

  describe('requests', () => {
    let agent = 0
    let user = 0
    let team = 0
    before(async () => {
      agent = await house.addPerson('Aart Agent', ['specialist'])
      const organization = await house.add('organization', { name: 'Where Ulla works' })
      user = await house.addPerson('Ulla User', [], { organization_id: organization })
      team = await house.add('team', { name: 'Desk', member_ids: [agent] })
    })
    const create = async (by: number, more: object = {}) =>
      house.operations.save(await house.by(by), 'request', null, { subject: 's', category: 'other', team_id: team, ...more })

    it('fill in people, organization and the figures that follow from status and team', async () => {
      const row = await create(user)
      expect(row).to.include({
        created_by_id: user,
        requested_by_id: user,
        requested_for_id: user,
        organization_id: (await house.row('person', user))?.['organization_id'],
        status: 'assigned',
        new_assignment: true,
        assignment_count_: 1,
        completed_at: null,
      })
    })

    it('take the requester for the one it is for, unless somebody else is named', async () => {
      expect(await create(agent, { requested_by_id: user })).to.include({
        created_by_id: agent,
        requested_by_id: user,
        requested_for_id: user,
      })
      expect(await create(agent, { requested_for_id: user })).to.include({ requested_by_id: agent, requested_for_id: user })
    })

    it('take the team of the caller, or ask for one', async () => {
      expect(await create(agent, { team_id: null })).to.include({ team_id: team })
      expect(await refusalOf(create(user, { team_id: null }))).to.deep.equal([['team', 'blank']])
    })

    it('stamp completion and take it back', async () => {
      const id = Number((await create(agent))['id'])
      const change = async (body: object) => house.operations.save(await house.by(agent), 'request', id, body)
      expect(await change({ status: 'completed' })).to.include({ completed_at: '2026-11-21T09:30:00Z', new_assignment: false })
      house.clock.pass(60_000)
      expect(await change({ subject: 'again' })).to.include({ completed_at: '2026-11-21T09:30:00Z' })
      expect(await change({ status: 'assigned' })).to.include({ completed_at: null, new_assignment: true })
      house.clock.set('2026-11-21T09:30:00Z')
    })

    it('keep the organization in which the requester was', async () => {
      const row = await create(user)
      await save('person', user, { organization_id: await house.add('organization', { name: 'Elsewhere' }) })
      expect(await save('request', Number(row['id']), { subject: 'later' })).to.include({
        organization_id: row['organization_id'],
      })
    })

    it('tell each of their events what the status was and is', async () => {
      const id = Number((await create(agent))['id'])
      await house.operations.save(await house.by(agent), 'request', id, { status: 'waiting_for', member_id: agent })
      const events = (await house.table('outbox')).filter(
        (event) => Number(event['record_id']) === id && event['record_type'] === 'request',
      )
      expect(events.map((event) => event['event'])).to.deep.equal([
        'request.create',
        'request.update',
        'request.status-changed',
        'request.member-changed',
      ])
      const snapshots = events.map((event) => JSON.parse(String(event['snapshot'])) as Record<string, unknown>)
      expect(snapshots[2]).to.include({ status: 'waiting_for', previous_status: 'assigned', team_id: team, member_id: agent })
      expect(snapshots[1]).to.not.have.property('previous_status')
    })
  })

  describe('holidays', () => {
    it('read wall-clock times, and midnight at the end as the day after', async () => {
      const id = await house.add('holiday', { name: 'Day', start_at: '2026-12-25T00:00', end_at: '2026-12-25T24:00' })
      expect(await house.row('holiday', id)).to.include({ start_at: '2026-12-25T00:00', end_at: '2026-12-26T00:00' })
      const wrong = { name: 'Wrong', start_at: '2026-12-25T24:00', end_at: '2026-12-25' }
      expect(await refusalOf(house.add('holiday', wrong))).to.deep.equal([
        ['start_at', 'invalid_datetime'],
        ['end_at', 'invalid_datetime'],
      ])
      const backwards = { name: 'Backwards', start_at: '2026-12-25T00:00', end_at: '2026-12-25T00:00' }
      expect(await refusalOf(house.add('holiday', backwards))).to.deep.equal([['end_at', 'end_before_start']])
    })
  })
})
