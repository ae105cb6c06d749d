import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { Invalid } from '../../plugin/core/errors.js'
import { inTransaction } from '../../plugin/storage/database/transaction.js'
import { refusalOf, withHouse } from '../support/house.js'
import { timersOf } from '../support/house-timers.js'
import { seeded } from '../support/minute-by-minute.js'

describe('an organization', function () {
  this.timeout(60_000)
  const house = withHouse({ file: true })
  let root = 0
  before(async () => {
    root = await house.add('organization', { name: 'Root' })
    await house.accounts.put({ id: 'acme', name: 'ACME', organizationId: root })
  })
  const patch = async (id: number, body: object) => house.operations.save(await house.system(), 'organization', id, body)
  const of = async (id: number) => {
    const { business_unit, business_unit_organization_id: unit, region } = (await house.row('organization', id)) ?? {}
    return [business_unit, unit, region]
  }

  it('is a business unit inside of the account only: whoever is moved out is none, with all below', async () => {
    const refused = [['business_unit', 'internal_only']]
    expect(await refusalOf(house.add('organization', { name: 'Supplier', business_unit: true }))).to.deep.equal(refused)
    const supplier = await house.add('organization', { name: 'Supplier', region: 'Asia' })
    expect(await of(supplier)).to.deep.equal([false, null, null])
    const unit = { business_unit: true, parent_id: root }
    const europe = await house.add('organization', { name: 'Europe', ...unit, region: 'EU' })
    const office = await house.add('organization', { name: 'Office', parent_id: europe })
    const desk = await house.add('organization', { name: 'Desk', parent_id: office, business_unit: true, region: 'NL' })
    const chair = await house.add('organization', { name: 'Chair', parent_id: desk })
    expect(await of(office)).to.deep.equal([false, europe, 'EU'])
    expect(await of(chair)).to.deep.equal([false, desk, 'NL'])
    expect(await refusalOf(patch(europe, { business_unit: true, parent_id: supplier }))).to.deep.equal(refused)
    await patch(europe, { parent_id: supplier })
    for (const id of [europe, office, desk, chair]) expect(await of(id)).to.deep.equal([false, null, null])
    await patch(europe, { parent_id: root, business_unit: true, region: 'Europe' })
    for (const id of [europe, office, desk, chair]) expect(await of(id)).to.deep.equal([id === europe, europe, 'Europe'])
    const lines = (await house.table('audit_lines')).filter(
      (line) => line['owner_type'] === 'organization' && line['owner_id'] === chair,
    )
    expect(lines).to.have.length(3)
  })

  it('moved in one batch with those below it counts where the batch puts it', async () => {
    const [inside, outside] = [
      await house.add('organization', { name: 'In', parent_id: root }),
      await house.add('organization', { name: 'Out' }),
    ]
    const flags = async (parent_id: number, name: string) => {
      const above = await house.add('organization', { name, parent_id: parent_id === inside ? outside : inside })
      const below = await house.add('organization', { name: `${name} below`, parent_id: above })
      const items = [
        { id: above, body: { parent_id } },
        { id: below, body: { business_unit: true } },
      ]
      return (await house.operations.saveAll(await house.system(), 'organization', items)).map(({ outcome }) => outcome)
    }
    expect(await flags(outside, 'Leaves')).to.deep.equal(['updated', 'refused'])
    expect(await flags(inside, 'Comes')).to.deep.equal(['updated', 'updated'])
  })

  it('gets the region from far above, and has at most 100 levels above it', async () => {
    const top = await house.add('organization', { name: 'Top', business_unit: true, parent_id: root, region: 'one' })
    let last = top
    // The account's own organization is the first level.
    for (let level = 2; level <= 100; level++)
      last = await house.add('organization', { name: `Level ${level}`, parent_id: last })
    const deep = [['parent', 'too_deep', { max: 100 }]]
    expect(await refusalOf(house.add('organization', { name: 'Level 101', parent_id: last }))).to.deep.equal(deep)
    await patch(top, { region: 'two' })
    expect(await of(last)).to.deep.equal([false, top, 'two'])
  })

  it('gets the region of its parent although both are written at the same time', async () => {
    const many = 6
    const above = await Promise.all(
      Array.from({ length: many }, (_, n) =>
        house.add('organization', { name: `Region ${n}`, business_unit: true, parent_id: root, region: 'old' }),
      ),
    )
    const moved = await Promise.all(above.map((_, n) => house.add('organization', { name: `Moved ${n}`, parent_id: root })))
    const made: number[] = []
    await Promise.all(
      above.flatMap((parent_id, n) => [
        patch(parent_id, { region: 'new' }),
        house.add('organization', { name: `Made ${n}`, parent_id }).then((id) => made.push(id)),
        patch(moved[n] ?? 0, { parent_id }),
      ]),
    )
    for (const id of [...made, ...moved]) expect((await of(id))[2]).to.equal('new')
  })

  it('has the values of the unit above it, although that passes them down while it moves or joins', async () => {
    const unit = (name: string) =>
      house.add('organization', { name, business_unit: true, parent_id: root, region: `${name} old` })
    const [old, other] = [await unit('Old'), await unit('Other')]
    const names = ['Moves', 'Joins']
    const [moves = 0, joins = 0] = await Promise.all(
      names.map((name) => house.add('organization', { name, parent_id: old, business_unit: name === 'Joins' })),
    )
    let passing: Promise<unknown> = Promise.resolve()
    await inTransaction(house.storage, await house.system(), async (inside) => {
      await house.operations.save(inside, 'organization', moves, { parent_id: other })
      passing = patch(old, { region: 'new' })
      await sleep(300)
    })
    await passing
    expect(await of(moves)).to.deep.equal([false, other, 'Other old'])
    await inTransaction(house.storage, await house.system(), async (inside) => {
      await house.operations.save(inside, 'organization', old, { region: 'newer' })
      passing = patch(joins, { business_unit: false })
      await sleep(300)
    })
    await passing
    expect(await of(joins)).to.deep.equal([false, old, 'newer'])
  })

  it('agrees with those above it, whatever others do at the same time', async () => {
    const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
    const chance = seeded(seed)
    const outside = await house.add('organization', { name: 'Outside' })
    const ids = [root, outside]
    const any = () => ids[Math.floor(chance() * ids.length)] ?? root
    const add = async (body: object) => ids.push(await house.add('organization', { parent_id: any(), ...body }))
    const steps: readonly ((name: string) => Promise<unknown>)[] = [
      (name) => add({ name }),
      (name) => add({ name, business_unit: true, region: name }),
      () => {
        const id = any()
        return patch(id, { parent_id: id === root || id === outside ? null : any() })
      },
      () => patch(any(), { business_unit: chance() < 0.6 }),
      (region) => patch(any(), { region }),
    ]
    const step = async (name: string) => {
      try {
        await steps[Math.floor(chance() * steps.length)]?.(name)
      } catch (error) {
        // Cycles, and business units outside.
        if (!(error instanceof Invalid)) throw error
      }
    }
    for (let round = 0; round < 20; round++) await Promise.all([...'abcdef'].map((name) => step(`${name} ${round}`)))

    const rows = new Map((await house.table('organizations')).map((row) => [Number(row['id']), row]))
    for (const [id, { business_unit, business_unit_organization_id: unit, region }] of rows) {
      const above: number[] = []
      for (let at = id; at && !above.includes(at); at = Number(rows.get(at)?.['parent_id'] ?? 0)) above.push(at)
      const told = `organization ${id} (SEED=${seed})`
      expect(rows.get(above.at(-1) ?? 0)?.['parent_id'], told).to.equal(null)
      if (business_unit) expect(above, told).to.include(root)
      const nearest = above.find((one) => rows.get(one)?.['business_unit']) ?? null
      expect(unit === null ? null : Number(unit), told).to.equal(nearest)
      if (!business_unit) expect(region, told).to.equal(nearest === null ? null : rows.get(nearest)?.['region'])
    }
  })
})

describe('business units of an account', function () {
  this.timeout(60_000)
  const house = withHouse({ file: true })
  const timers = () => timersOf(house)
  /** Two seconds later, when all processes know the account. */
  const renewed = async () => {
    await timers().fireDue()
    house.clock.set('2026-11-21T09:30:02Z')
    await timers().fireDue()
    house.clock.set('2026-11-21T09:30:00Z')
  }
  const put = (organizationId: number | null) => house.accounts.put({ id: 'acme', name: 'ACME', organizationId })

  it('are none any more outside of the organization that it gets, with all below', async () => {
    const [own, other] = [
      await house.add('organization', { name: 'Own', business_unit: true, region: 'EU' }),
      await house.add('organization', { name: 'Other', business_unit: true, region: 'US' }),
    ]
    const below = await house.add('organization', { name: 'Below', parent_id: other })
    const of = async (id: number) => {
      const { business_unit, business_unit_organization_id: unit, region } = (await house.row('organization', id)) ?? {}
      return [business_unit, unit, region]
    }
    expect(await of(below)).to.deep.equal([false, other, 'US'])
    await put(own)
    await renewed()
    expect(await of(own)).to.deep.equal([true, own, 'EU'])
    expect(await of(other)).to.deep.equal([false, null, null])
    expect(await of(below)).to.deep.equal([false, null, null])
  })
})
