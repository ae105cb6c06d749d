/**
 * Targets of random histories of requests against a replay of the audit trail: slow, minute by minute, and without the code
 * that it tests. A failure names the seed with which it can be run again.
 */
import { expect } from 'chai'
import { Invalid } from '../../plugin/core/errors.js'
import { withHouse } from '../support/house.js'
import { seeded } from '../support/minute-by-minute.js'
import { formatted, type History, replay, type World } from '../support/replay-targets.js'

const MINUTE = 60_000
const HISTORIES = 8
const STEPS = 16
const ZONES = { Amsterdam: 'Europe/Amsterdam', Newfoundland: 'America/St_Johns', Sydney: 'Australia/Sydney' } as const
const HOURS = {
  office: ['mon', 'tue', 'wed', 'thu', 'fri'].map((weekday) => ({ weekday, time_from: '09:00', time_until: '17:00' })),
  // Over the hours at which clocks change.
  night: ['sat', 'sun', 'mon'].map((weekday) => ({ weekday, time_from: '00:00', time_until: '24:00' })),
  never: [],
}
const HOLIDAY = { start_at: '2026-10-26T00:00', end_at: '2026-10-27T12:00' }

describe('targets of a request', function () {
  this.timeout(240_000)
  const house = withHouse({ file: true })
  let serial = 0

  /** People, teams, and a service with two agreements: one for Desi, one for nobody who reports anything here. */
  const createWorld = async (chance: () => number): Promise<World> => {
    serial += 1
    const one = <T>(all: readonly T[]): T => all[Math.floor(chance() * all.length)] as T
    const organization = await house.add('organization', { name: `Org ${serial}` })
    const mailOf = (name: string) => ({ primary_email: `${name}${serial}@acme.example` })
    const sam = await house.addPerson('Sam', ['specialist', 'service_level_manager'], mailOf('sam'))
    const desi = await house.addPerson('Desi', [], mailOf('desi'))
    const other = await house.addPerson('Otto', [], mailOf('otto'))
    const teams: number[] = []
    for (const name of ['First', 'Second', 'Third']) {
      teams.push(await house.add('team', { name: `${name} ${serial}`, member_ids: [sam] }))
    }
    const calendars = new Map<number, { hours: (typeof HOURS)['office']; holidays: (typeof HOLIDAY)[] }>()
    for (const [name, calendar_hours] of Object.entries(HOURS)) {
      const id = await house.add('calendar', { name: `${name} ${serial}`, calendar_hours })
      await house.add('holiday', { name: `${name} ${serial}`, ...HOLIDAY, calendar_ids: [id] })
      calendars.set(id, { hours: calendar_hours, holidays: [HOLIDAY] })
    }
    const [office = 0, night = 0, never = 0] = [...calendars.keys()]
    const zone = one(Object.keys(ZONES)) as keyof typeof ZONES
    const promised = Object.fromEntries(
      ['low', 'medium', 'high', 'top'].map((impact) => {
        const hours = one([office, office, night, null, ...(chance() < 0.1 ? [never] : [])])
        return [impact, { hours, response: one([null, 0, 7, 45, 600]), resolution: one([null, 0, 61, 480, 2000]) }] as const
      }),
    )
    const service = await house.add('service', { name: `Mail ${serial}`, provider_id: organization })
    const offering = await house.add('service_offering', {
      ...{ name: `Standard ${serial}`, service_id: service, time_zone: zone },
      ...Object.fromEntries(
        Object.entries(promised).flatMap(([impact, { hours, resolution, response }]) => [
          [`support_hours_${impact}_id`, hours],
          [`response_target_${impact}`, response],
          [`resolution_target_${impact}`, resolution],
        ]),
      ),
    })
    const [first = 0, second = 0] = teams
    const at = { service_id: service, first_line_team_id: first, support_team_id: second }
    const mail = await house.add('service_instance', { name: `Mail ${serial}`, ...at })
    const server = await house.add('service_instance', { name: `Server ${serial}`, service_id: service })
    const below = { service_instance_id: server, impact_relation: 'degraded' }
    await house.add('child_service_instance', below, { owner: { type: 'service_instance', id: mail } })
    const slas: { id: number; covers: number }[] = []
    for (const covers of [desi, 0]) {
      const id = await house.add('sla', {
        ...{ name: `SLA ${serial} ${covers}`, service_offering_id: offering, customer_id: organization },
        ...{ service_instance_id: mail, status: 'active', coverage: 'people', person_ids: covers ? [covers] : [] },
      })
      slas.push({ id, covers })
    }
    return { sam, people: [desi, other], teams, mail, server, slas, promised, calendars, zone: ZONES[zone] }
  }

  /** What happens next: values of the request, or of one of its affected SLAs. */
  const stepOf = (chance: () => number, { mail, people, server, teams }: World, now: number): object => {
    const one = <T>(all: readonly T[]): T => all[Math.floor(chance() * all.length)] as T
    const later = formatted(now + Math.floor(chance() * 4000 - 500) * MINUTE)
    const kind = chance()
    if (kind < 0.45) {
      const status = one([
        'assigned',
        'accepted',
        'in_progress',
        'waiting_for',
        'waiting_for_customer',
        'declined',
        'completed',
      ])
      return { status, ...(status === 'completed' && { completion_reason: 'solved' }) }
    }
    if (kind < 0.6) return { impact: one(['low', 'medium', 'high', 'top']) }
    if (kind < 0.7) return { team_id: one(teams) }
    if (kind < 0.78) return { desired_completion_at: one([later, later, null]) }
    if (kind < 0.88) return { service_instance_id: one([mail, mail, server, null]) }
    if (kind < 0.93) return { requested_for_id: one(people) }
    if (kind < 0.96) return one([{ category: 'rfc' }, { category: 'complaint' }])
    return { category: 'incident', impact: one(['low', 'top']), service_instance_id: mail }
  }

  const historyOf = async (request: number): Promise<History> => {
    const lines = await house.table('audit_lines')
    const rows = (await house.table('affected_slas')).filter((row) => Number(row['request_id']) === request)
    const ids = rows.map(({ id }) => Number(id))
    const ofType = (type: string, some: readonly number[]) =>
      lines
        .filter((line) => line['owner_type'] === type && some.includes(Number(line['owner_id'])))
        .map((line) => ({
          id: Number(line['owner_id']),
          at: Date.parse(`${String(line['created_at']).replace(' ', 'T')}Z`),
          changes: JSON.parse(String(line['changes'])),
        }))
    return {
      request: ofType('request', [request]),
      affected: ofType('affected_sla', ids),
      slaOf: new Map(rows.map((row) => [Number(row['id']), Number(row['sla_id'])])),
    }
  }

  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    it(`are those of a replay of its audit trail: history ${seed}`, async () => {
      const chance = seeded(seed)
      // Some days before clocks change.
      let now = Date.parse('2026-10-22T06:00:00Z') + Math.floor(chance() * 2000) * MINUTE
      const at = (time: number) => {
        now = time
        house.clock.set(formatted(time))
      }
      at(now)
      const world = await createWorld(chance)
      const save = async (type: string, id: number | null, body: object) =>
        house.operations.save(await house.by(world.sam), type, id, body)
      const { id } = await save('request', null, {
        ...{ subject: `Slow ${seed}`, category: 'incident', impact: 'low', service_instance_id: world.mail },
        ...{ team_id: world.teams[0], requested_by_id: world.people[0] },
      })
      const request = Number(id)
      const rowsOf = async () => {
        const where = { path: ['request'], op: 'in', values: [request] } as const
        return house.queries.rows({}, { type: house.catalog.type('affected_sla'), where })
      }
      for (let step = 0; step < STEPS; step += 1) {
        at(now + (1 + Math.floor(chance() ** 3 * 3000)) * MINUTE)
        const [row] = await rowsOf()
        try {
          if (row && chance() < 0.06) {
            const accountability = chance() < 0.5 ? 'sla_not_affected' : 'provider'
            await save('affected_sla', Number(row['id']), { accountability })
          } else await save('request', request, stepOf(chance, world, now))
        } catch (error) {
          expect(error).to.be.instanceOf(Invalid)
        }
        const expected = replay(world, await historyOf(request))
        const found = await rowsOf()
        const place = `seed ${seed}, step ${step}`
        expect(found.map((one) => Number(one['sla_id'])).sort(), place).to.deep.equal([...expected.affected.keys()].sort())
        for (const one of found) expect(one, place).to.include(expected.affected.get(Number(one['sla_id'])) ?? {})
        expect(await house.row('request', request), place).to.include(expected.request)
      }
    })
  }
})
