import { expect } from 'chai'
import { Invalid } from '../../../plugin/core/errors.js'
import { createFestival, festival } from '../../support/festival.js'
import { withHouse } from '../../support/house.js'

/** What must hold however many transactions run at once, on each kind of database. */
for (const many of [2, 20]) {
  describe(`${many} transactions at once`, function () {
    this.timeout(60_000)
    const house = withHouse({ records: festival, migrations: [createFestival], file: true })
    let admin = 0
    before(async () => {
      admin = await house.addPerson('Ada Admin', ['account_administrator', 'account_owner'])
    })
    const each = <T>(work: (index: number) => Promise<T>) =>
      Promise.allSettled(Array.from({ length: many }, (_, index) => work(index)))
    /** Number of the works that came through; the others must have been refused, not have failed. */
    const done = (results: readonly PromiseSettledResult<unknown>[]) => {
      for (const result of results) if (result.status === 'rejected') expect(result.reason).to.be.instanceOf(Invalid)
      return results.filter(({ status }) => status === 'fulfilled').length
    }
    const inTurn = async (make: (index: number) => Promise<number>) => {
      const ids: number[] = []
      for (let index = 0; index < many; index++) ids.push(await make(index))
      return ids
    }
    const save = async (type: string, id: number | null, body: object) =>
      house.operations.save(await house.by(admin), type, id, body)

    it('store a unique value once', async () => {
      const results = await each(() => save('site', null, { name: `Only one of ${many}` }))
      expect(done(results)).to.equal(1)
      expect((await house.table('sites')).filter(({ name }) => name === `Only one of ${many}`)).to.have.length(1)
    })

    it('count each of the records that refer to one', async () => {
      const [genre, stage] = [await house.add('genre', { name: 'Folk' }), await house.add('stage', { name: 'Main' })]
      expect(
        done(await each((index) => save('act', null, { subject: `${index}`, stage_id: stage, genre_id: genre }))),
      ).to.equal(many)
      expect(await house.row('genre', genre)).to.include({ times_played: many })
    })

    it('give each part a position of its own', async () => {
      const row = { account_id: 'acme', subject: 'Project' }
      const [id = 0] = await house.storage.knex(house.storage.table('projects')).insert(row)
      const owner = { type: 'project', id }
      expect(done(await each((index) => house.add('project_phase', { name: `${index}` }, { owner })))).to.equal(many)
      const positions = (await house.table('project_phases')).map((row) => Number(row['position'])).sort((a, b) => a - b)
      expect(positions).to.deep.equal(Array.from({ length: many }, (_, index) => index + 1))
    })

    it('leave no two parts that overlap', async () => {
      const owner = { type: 'calendar', id: await house.add('calendar', { name: `Office ${many}` }) }
      const hours = (index: number) => ({ weekday: 'mon', time_from: `0${index % 9}:00`, time_until: '18:00' })
      expect(done(await each((index) => house.add('calendar_hour', hours(index), { owner })))).to.equal(1)
    })

    it('close no circle of parents', async () => {
      const ids = await inTurn((index) => house.add('organization', { name: `O ${many} ${index}` }))
      const results = await each((index) => save('organization', ids[index] ?? 0, { parent_id: ids[(index + 1) % many] }))
      expect(done(results)).to.equal(many - 1)
    })

    it('close no circle of links', async () => {
      const stage = await house.add('stage', { name: 'Circus' })
      const ids = await inTurn((index) => house.add('act', { subject: `A ${index}`, stage_id: stage }))
      const link = async (index: number) =>
        house.operations.link(
          await house.by(admin),
          { type: 'act', id: ids[index] ?? 0 },
          'successors',
          ids[(index + 1) % many] ?? 0,
        )
      expect(done(await each(link))).to.equal(many - 1)
    })

    it('keep all links that are made at once', async () => {
      const stage = await house.add('stage', { name: 'Links' })
      const act = await house.add('act', { subject: 'Choir', stage_id: stage })
      const ids = await inTurn((index) => house.add('performer', { name: `Singer ${index}` }))
      const link = async (index: number) =>
        house.operations.link(await house.by(admin), { type: 'act', id: act }, 'performers', ids[index] ?? 0)
      expect(done(await each(link))).to.equal(many)
      const pairs = await house.storage.knex(house.storage.table('act_performers')).where({ act_id: act })
      expect(pairs).to.have.length(many)
    })

    it('write down the roles of a person as they followed each other', async () => {
      const person = await house.addPerson('Rita Roles')
      const roles = ['specialist', 'auditor', 'problem_manager', 'key_contact'] as const
      const call = await house.by(admin)
      const one = (index: number) => house.permissions.replace(call, person, 'acme', [roles[index % roles.length] ?? 'auditor'])
      expect(done(await each(one))).to.equal(many)
      expect(await house.storage.knex(house.storage.table('permissions')).where({ person_id: person })).to.have.length(1)
      const steps = (await house.table('audit_lines'))
        .filter((line) => line['owner_type'] === 'person' && Number(line['owner_id']) === person && line['action'] === 'update')
        .map((line) => JSON.parse(String(line['changes']))['roles in acme'] as [string | null, string | null])
      expect(steps.map(([from]) => from)).to.deep.equal([null, ...steps.slice(0, -1).map(([, to]) => to)])
    })
  })
}
