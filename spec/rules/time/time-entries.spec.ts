import { expect } from 'chai'
import { notLocked } from '../../../plugin/rules/time/locked-dates.js'
import { allocationOfTimeEntry, personOfTimeEntry, positiveUnless } from '../../../plugin/rules/time/time-entries.js'
import { customerOfWork } from '../../../plugin/rules/time/time-entry-work.js'
import { timeSpent } from '../../../plugin/rules/time/time-spent.js'
import { run, type Surroundings } from '../context.js'

describe('rules of time entries', () => {
  describe('personOfTimeEntry', () => {
    const stored = {
      person: [
        { id: 1, organization_id: 70, manager_id: null },
        { id: 2, organization_id: 80, manager_id: 1 },
        { id: 3, organization_id: 90, manager_id: 2 },
      ],
    }
    const apply = (about: Surroundings) => run(personOfTimeEntry(), { stored, ...about })
    it('takes the caller when nobody is named, and the organization at the time', async () => {
      const { next, fails } = await apply({ next: { person_id: null } })
      expect(next).to.include({ person_id: 1, organization_id: 70 })
      expect(fails).to.deep.equal([])
    })
    it('lets managers and account administrators enter the time of others, and nobody else', async () => {
      expect((await apply({ next: { person_id: 2 } })).fails).to.deep.equal([])
      expect((await apply({ next: { person_id: 3 } })).fails).to.deep.equal([['person', 'not_allowed']])
      expect((await apply({ next: { person_id: 3 }, callRoles: ['account_administrator'] })).fails).to.deep.equal([])
    })
    it('keeps the organization when the person moves, and takes another one with another person', async () => {
      const before = { person_id: 1, organization_id: 60 }
      expect((await apply({ before, next: {} })).next['organization_id']).to.equal(60)
      expect((await apply({ before, next: { person_id: 2 } })).next['organization_id']).to.equal(80)
    })
  })

  describe('allocationOfTimeEntry', () => {
    const categories = { customer_category: 'none', service_category: 'none', description_category: 'hidden' }
    const stored = {
      time_allocation: [
        { id: 10, ...categories },
        { id: 11, customer_category: 'any', service_category: 'any', description_category: 'optional' },
        { id: 12, customer_category: 'selected', service_category: 'selected', description_category: 'required' },
        { id: 13, ...categories },
      ],
    }
    const links = [
      ...[10, 11, 12].map((id) => `time_allocation ${id} organizations 70`),
      'time_allocation 12 customers 5',
      'time_allocation 12 services 6',
    ]
    const empty = { organization_id: 70, customer_id: null, service_id: null, description: null }
    const apply = (next: object, before?: object) =>
      run(allocationOfTimeEntry(), {
        stored,
        links,
        next: { ...empty, ...next },
        ...(before ? { before: { ...empty, ...before } } : {}),
      })
    it('is required, unless the entry was made for work', async () => {
      expect((await apply({ time_allocation_id: null })).fails).to.deep.equal([['time_allocation', 'blank']])
      expect((await apply({ time_allocation_id: null, task_id: 4 })).fails).to.deep.equal([])
      const removed = await apply({ time_allocation_id: null }, { time_allocation_id: 10 })
      expect(removed.fails).to.deep.equal([['time_allocation', 'blank']])
    })
    it('must be one of the organization of the person', async () => {
      expect((await apply({ time_allocation_id: 13 })).fails).to.deep.equal([['time_allocation', 'not_of_organization']])
      const homeless = await apply({ time_allocation_id: 10, organization_id: null })
      expect(homeless.fails).to.deep.equal([['time_allocation', 'not_of_organization']])
    })
    it('has no use for a customer, a service and a description unless it says so', async () => {
      const { next, fails } = await apply({ time_allocation_id: 10, customer_id: 5, service_id: 6, description: 'x' })
      expect(next).to.include({ customer_id: null, service_id: null, description: null })
      expect(fails).to.deep.equal([])
    })
    it('asks for any customer and any service, or for one of those that it is linked to', async () => {
      const both = [
        ['customer', 'blank'],
        ['service', 'blank'],
      ]
      expect((await apply({ time_allocation_id: 11 })).fails).to.deep.equal(both)
      expect((await apply({ time_allocation_id: 11, customer_id: 8, service_id: 9 })).fails).to.deep.equal([])
      expect((await apply({ time_allocation_id: 12, customer_id: 8, service_id: 9, description: 'x' })).fails).to.deep.equal([
        ['customer', 'not_of_allocation'],
        ['service', 'not_of_allocation'],
      ])
      expect((await apply({ time_allocation_id: 12, customer_id: 5, service_id: 6, description: 'x' })).fails).to.deep.equal([])
    })
    it('takes no customer and no service that is disabled, unless the entry has it already', async () => {
      const both = { time_allocation_id: 11, customer_id: 8, service_id: 9 }
      const disabled = { organization: [{ id: 8, disabled: true }], service: [{ id: 9, disabled: true }] }
      const fails = async (before?: object) =>
        (
          await run(allocationOfTimeEntry(), {
            stored: { ...stored, ...disabled },
            links,
            next: { ...empty, ...both, description: 'x' },
            ...(before ? { before: { ...empty, ...before } } : {}),
          })
        ).fails
      expect(await fails()).to.deep.equal([
        ['customer', 'disabled_reference'],
        ['service', 'disabled_reference'],
      ])
      expect(await fails(both)).to.deep.equal([])
    })
    it('asks for a description', async () => {
      const { fails } = await apply({ time_allocation_id: 12, customer_id: 5, service_id: 6, description: ' ' })
      expect(fails).to.deep.equal([['description', 'blank']])
    })
    const chosen = { customer_id: 5, service_id: 6, description: 'x' }
    const none = { customer_id: null, service_id: null, description: null }
    const changes: readonly (readonly [string, before: object, next: object, is: object, fails: unknown])[] = [
      ['one without choices', { time_allocation_id: 12, ...chosen }, { time_allocation_id: 10 }, none, []],
      [
        'one with choices',
        { time_allocation_id: 10 },
        { time_allocation_id: 11 },
        none,
        [
          ['customer', 'blank'],
          ['service', 'blank'],
        ],
      ],
      ['one with choices, and what it needs', { time_allocation_id: 10 }, { time_allocation_id: 12, ...chosen }, chosen, []],
      [
        'no customer any more',
        { time_allocation_id: 11, ...chosen },
        { customer_id: null },
        { service_id: 6 },
        [['customer', 'blank']],
      ],
      [
        'a customer that is not linked',
        { time_allocation_id: 12, ...chosen },
        { customer_id: 8 },
        { customer_id: 8 },
        [['customer', 'not_of_allocation']],
      ],
      ['no description, if it may have one', { time_allocation_id: 11, ...chosen }, { description: null }, {}, []],
      [
        'no description, if it must have one',
        { time_allocation_id: 12, ...chosen },
        { description: '' },
        {},
        [['description', 'blank']],
      ],
      ['a description and a customer that are not used', { time_allocation_id: 10 }, chosen, none, []],
      [
        'another organization, with its person',
        { time_allocation_id: 10 },
        { organization_id: 71 },
        {},
        [['time_allocation', 'not_of_organization']],
      ],
    ]
    for (const [name, before, body, is, fails] of changes)
      it(`follows a change: ${name}`, async () => {
        const result = await apply({ ...before, ...body }, before)
        expect(result.next).to.include(is)
        expect(result.fails).to.deep.equal(fails)
      })
    it('lets an entry alone that it would not allow any more, while nothing of this changes', async () => {
      expect((await apply({ time_allocation_id: 13, time_spent: 9 }, { time_allocation_id: 13 })).fails).to.deep.equal([])
    })
  })

  describe('customerOfWork', () => {
    const here = { account_id: 'acme' }
    const stored = {
      organization: [70, 71, 72].map((id) => ({ id, ...here })),
      service: [{ id: 90, ...here, disabled: true }],
      service_instance: [{ id: 91, service_id: 90 }],
      project: [{ id: 5, customer_id: 71, service_id: 90 }],
      project_task: [{ id: 6, project_id: 5 }],
      change: [
        { id: 7, service_id: 90, project_id: null },
        { id: 8, service_id: 90, project_id: 5 },
      ],
      task: [
        { id: 9, change_id: 7 },
        { id: 10, change_id: 8 },
      ],
      problem: [
        { id: 11, service_id: 90, project_id: null },
        { id: 12, service_id: 90, project_id: 5 },
      ],
      request: [
        { id: 13, organization_id: 72, service_instance_id: 91 },
        { id: 14, organization_id: null, service_instance_id: null },
      ],
    }
    const apply = (about: Surroundings) => run(customerOfWork(), { stored, ...about })
    const cases: readonly (readonly [string, object, customer: number | null, service: number | null])[] = [
      ['a request: of the organization it is for', { request_id: 13 }, 72, 90],
      ['a request of a person without an organization, about no service', { request_id: 14 }, null, null],
      ['a problem: the organization of the account', { problem_id: 11 }, 70, 90],
      ['a problem of a project: the customer of the project', { problem_id: 12 }, 71, 90],
      ['a task: the organization of the account', { task_id: 9 }, 70, 90],
      ['a task of a change of a project', { task_id: 10 }, 71, 90],
      ['a project task', { project_task_id: 6 }, 71, 90],
      ['no work', { time_allocation_id: 3, customer_id: 1, service_id: 2 }, 1, 2],
    ]
    for (const [name, body, customer_id, service_id] of cases)
      it(`gives an entry its customer and its service: ${name}`, async () => {
        const { next, fails } = await apply({ next: { customer_id: null, service_id: null, ...body } })
        expect(next).to.include({ customer_id, service_id })
        expect(fails).to.deep.equal([])
      })
    it('names no organization of the account that is gone, or in an account that this one does not trust', async () => {
      for (const organizationId of [null, 1234]) {
        const { next } = await apply({ account: { organizationId }, next: { task_id: 9 } })
        expect(next['customer_id']).to.equal(null)
      }
      const { next } = await apply({
        stored: { ...stored, organization: [{ id: 70, account_id: 'stranger' }] },
        next: { task_id: 9 },
      })
      expect(next['customer_id']).to.equal(null)
    })
    it('keeps what an entry of work has, whatever becomes of the work', async () => {
      const before = { request_id: 13, customer_id: 70, service_id: null, time_allocation_id: null, time_spent: 5 }
      expect((await apply({ before, next: { time_spent: 6 } })).next).to.include({ customer_id: 70, service_id: null })
      const next = { customer_id: 71, service_id: 90, time_allocation_id: 3 }
      expect((await apply({ before, next })).fails).to.deep.equal([
        ['customer', 'cannot_be_changed'],
        ['service', 'cannot_be_changed'],
        ['time_allocation', 'cannot_be_changed'],
      ])
      expect((await apply({ before: { ...before, request_id: null }, next })).fails).to.deep.equal([])
    })
  })

  describe('positiveUnless', () => {
    const fails = async (next: object, before: object | null = null) =>
      (
        await run(positiveUnless('time', { flag: 'correction' }), {
          before: before && { ...before },
          next: { ...next },
        })
      ).fails
    const refused = [['time', 'less_than', { min: 1 }]]
    it('wants a minute at least', async () => {
      expect(await fails({ time: 1, correction: false })).to.deep.equal([])
      expect(await fails({ time: 0, correction: false })).to.deep.equal(refused)
      expect(await fails({ time: -5, correction: false })).to.deep.equal(refused)
    })
    it('lets corrections take time away', async () => {
      expect(await fails({ time: -5, correction: true })).to.deep.equal([])
      expect(await fails({ correction: false }, { time: -5, correction: true })).to.deep.equal(refused)
      expect(await fails({ other: 1 }, { time: -5, correction: false })).to.deep.equal([])
    })
  })

  describe('timeSpent', () => {
    const saves = async (about: Surroundings) =>
      (await run(timeSpent('time_spent'), { type: 'request', next: { id: 7 }, ...about }, 'written')).saves
    it('makes an entry of the caller, of the day on the clocks of the caller', async () => {
      const body = { person_id: 1, time_spent: 20, request_id: 7 }
      const [here] = await saves({ input: { time_spent: 20 } })
      expect(here).to.deep.equal(['time_entry', null, { ...body, date: '2026-11-21' }])
      const [there] = await saves({ input: { time_spent: 20 }, timeZone: 'Auckland' })
      expect(there).to.deep.equal(['time_entry', null, { ...body, date: '2026-11-21' }])
      const [far] = await saves({ input: { time_spent: 20 }, timeZone: 'International Date Line West' })
      expect(far).to.deep.equal(['time_entry', null, { ...body, date: '2026-11-20' }])
    })
    it('makes none without time, and none for the service itself', async () => {
      expect(await saves({})).to.deep.equal([])
      expect(await saves({ input: { time_spent: 0 } })).to.deep.equal([])
      expect(await saves({ input: { time_spent: 20 }, actor: null })).to.deep.equal([])
    })
  })

  describe('notLocked', () => {
    const use = notLocked('date', { unless: 'correction' })
    const account = { timeEntriesLockedUntil: '2026-10-31' }
    const fails = async (next: object, before: object | null = null, own: object = account) =>
      (await run(use, { account: own, before: before as never, next: { ...next } })).fails
    it('refuses dates up to the one of the account, on which a record is or was', async () => {
      expect(await fails({ date: '2026-10-31' })).to.deep.equal([['date', 'locked']])
      expect(await fails({ date: '2026-11-01' })).to.deep.equal([])
      expect(await fails({ date: '2026-11-01' }, { date: '2026-10-01' })).to.deep.equal([['date', 'locked']])
      expect(await fails({ date: null })).to.deep.equal([])
    })
    it('lets corrections and accounts without such a date pass', async () => {
      expect(await fails({ date: '2026-10-31', correction: true })).to.deep.equal([])
      expect(await fails({ date: '2026-10-31' }, null, {})).to.deep.equal([])
      expect(await fails({ date: '2026-10-31' }, null, { timeEntriesLockedUntil: null })).to.deep.equal([])
    })
    it('does not mind a save that changes nothing', async () => {
      expect(await fails({}, { date: '2026-10-01', time_spent: 5 })).to.deep.equal([])
      expect(await fails({ time_spent: 6 }, { date: '2026-10-01', time_spent: 5 })).to.deep.equal([['date', 'locked']])
    })
  })
})
