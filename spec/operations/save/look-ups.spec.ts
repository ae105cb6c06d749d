/** What rules look up of the records that a new one refers to is read with these, by one statement. */
import { expect } from 'chai'
import type { Knex } from 'knex'
import { rule } from '../../../plugin/index.js'
import type { LookUp } from '../../../plugin/schema/language/look-up.js'
import { countStatements } from '../../support/count-statements.js'
import { withHouse } from '../../support/house.js'

describe('look-ups', () => {
  let seen: unknown = null
  /** What a rule does before it looks. */
  let prepare: (db: Knex) => Promise<unknown> = async () => null
  const houseWith = (looksUp: readonly LookUp[]) => {
    const looking = rule('looking', () => ({
      looksUp,
      async check({ db, linked, load, next }) {
        await prepare(db)
        const person = await load('person', next['service_owner_id'])
        const site = await load('site', person?.['site_id'])
        const isIn = await linked('team', next['support_team_id'], 'members', next['service_owner_id'])
        seen = [String(site?.['name'] ?? '').split(' ')[0], isIn]
      },
    }))
    return withHouse({ extend: [{ extends: 'service', rules: [looking()] }] })
  }
  const listed = houseWith([
    { path: 'service_owner.site' },
    { path: 'support_team.members', to: 'service_owner' },
    // Nothing to read: no reference.
    { path: 'service_owner.name' },
  ])
  const unlisted = houseWith([])

  const worldOf = async (house: typeof listed) => {
    const site = await house.add('site', { name: 'Harbor' })
    const inside = await house.addPerson('Ina Inside', [], { site_id: site })
    const outside = await house.addPerson('Otto Outside')
    const team = await house.add('team', { name: 'Crew', member_ids: [inside] })
    const provider = await house.add('organization', { name: 'Provider' })
    const create = (owner: number | null) => {
      const body = { name: `Service ${Math.random()}`, provider_id: provider, support_team_id: team }
      return house.add('service', { ...body, ...(owner !== null && { service_owner_id: owner }) })
    }
    return { create, house, inside, outside, team }
  }
  const worlds: Awaited<ReturnType<typeof worldOf>>[] = []
  before('makes the same records in both houses', async () => {
    for (const house of [listed, unlisted]) worlds.push(await worldOf(house))
  })
  const ofListed = () => worlds[0] as (typeof worlds)[number]
  afterEach(() => {
    prepare = async () => null
  })

  it('tell rules the same as without being listed, with fewer statements', async () => {
    const counts: number[] = []
    for (const { create, house, inside, outside } of worlds) {
      await create(inside)
      expect(seen).to.deep.equal(['Harbor', true])
      await create(outside)
      expect(seen).to.deep.equal(['', false])
      await create(null)
      expect(seen).to.deep.equal(['', false])
      counts.push(await countStatements(house.storage.knex).during(() => create(inside)))
    }
    const [few = 0, many = 0] = counts
    expect(few).to.equal(many - 2)
  })

  it('of a change are those of the references that change', async () => {
    const { create, inside, outside } = ofListed()
    const service = await create(outside)
    await listed.operations.save(await listed.system(), 'service', service, { service_owner_id: inside })
    expect(seen).to.deep.equal(['Harbor', true])
    await listed.operations.save(await listed.system(), 'service', service, { service_owner_id: null })
    expect(seen).to.deep.equal(['', false])
  })

  it('are looked up again after a statement that may have changed them', async () => {
    const { create, inside, outside, team } = ofListed()
    prepare = (db) => db(listed.storage.table('team_members')).insert({ team_id: team, person_id: outside })
    await create(outside)
    expect(seen).to.deep.equal(['', true])
    prepare = (db) => db(listed.storage.table('people')).where({ id: inside }).update({ site_id: null })
    await create(inside)
    expect(seen).to.deep.equal(['', true])
  })
})
