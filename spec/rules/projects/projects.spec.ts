import { expect } from 'chai'
import {
  clearedOnRemoval,
  fillWithPosition,
  mustBePartOf,
  removableWhile,
  removableWithout,
} from '../../../plugin/rules/projects/phases.js'
import { costsOfProject, defaultsOfProject } from '../../../plugin/rules/projects/projects.js'
import { run } from '../context.js'

describe('rules of projects', () => {
  describe('costsOfProject', () => {
    const result = async (cost_of_effort: string | null, cost_of_purchases: string | null, value: string | null) => {
      const { next, fails } = await run(costsOfProject(), {
        next: { cost_of_effort, cost_of_purchases, value },
      })
      return fails[0] ?? [next['total_cost'], next['roi']]
    }
    it('adds up the costs, and compares them with the value in whole percents', async () => {
      expect(await result('100.0', '50.5', '301.0')).to.deep.equal(['150.5', 100])
      expect(await result('0.1', '0.2', '0.1')).to.deep.equal(['0.3', -67])
    })
    it('counts nothing for what is empty', async () => {
      expect(await result('80.0', null, null)).to.deep.equal(['80.0', -100])
      expect(await result(null, '80.25', '80.25')).to.deep.equal(['80.25', 0])
    })
    it('knows no return without costs', async () => {
      expect(await result(null, null, '1000.0')).to.deep.equal(['0.0', null])
    })
    it('stays within what the columns hold', async () => {
      expect(await result('0.01', null, '999999999999.99')).to.deep.equal(['0.01', 2_147_483_647])
      expect(await result('999999999999.0', '0.0', '0.0')).to.deep.equal(['999999999999.0', -100])
      expect(await result('999999999999.99', '0.0', '0.0')).to.deep.equal(['999999999999.99', -100])
      expect(await result('-999999999999.99', null, '0.0')).to.deep.equal(['-999999999999.99', -100])
      const max = 999_999_999_999.99
      expect(await result('999999999999.99', '0.01', '0.0')).to.deep.equal(['total_cost', 'greater_than', { max }])
      expect(await result('-999999999999.99', '-0.01', '0.0')).to.deep.equal(['total_cost', 'less_than', { min: -max }])
    })
    it('rounds the return to whole percents', async () => {
      for (const [value, roi] of [
        ['999.9', 0],
        ['1004.9', 0],
        ['1005.0', 1],
        ['994.0', -1],
      ] as const)
        expect(await result('1000.0', null, value), value).to.deep.equal(['1000.0', roi])
    })
  })

  describe('defaultsOfProject', () => {
    const week = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
    const wholeDay = { time_from: '00:00', time_until: '24:00' }
    const about = {
      account: { timeZone: 'London' },
      links: ['team 1 members 4', 'team 2 members 4', 'team 3 members 5'],
      stored: {
        team: [
          { id: 1, disabled: false, work_hours_id: 10 },
          { id: 2, disabled: false, work_hours_id: 11 },
          { id: 3, disabled: true, work_hours_id: 11 },
        ],
        calendar: [
          { id: 10, disabled: true },
          { id: 11, disabled: false },
          { id: 12, disabled: false },
        ],
      },
    }
    it('takes the zone of the account and the work hours of a team of the manager', async () => {
      const { next } = await run(defaultsOfProject(), { ...about, next: { manager_id: 4 } })
      expect(next).to.deep.equal({ manager_id: 4, time_zone: 'London', work_hours_id: 11 })
    })
    it('takes a calendar that is always active when no team has work hours', async () => {
      const calendar_hour = week.map((weekday, day) => ({ id: day + 1, owner_id: 12, weekday, ...wholeDay }))
      const whole = { ...about, stored: { ...about.stored, calendar_hour } }
      const { next } = await run(defaultsOfProject(), { ...whole, next: { manager_id: 5 } })
      expect(next['work_hours_id']).to.equal(12)
    })
    it('takes none that has a gap', async () => {
      const calendar_hour = week.slice(1).map((weekday, day) => ({ id: day + 1, owner_id: 12, weekday, ...wholeDay }))
      const whole = { ...about, stored: { ...about.stored, calendar_hour } }
      const { next } = await run(defaultsOfProject(), { ...whole, next: { manager_id: 5 } })
      expect(next['work_hours_id']).to.equal(null)
    })
    it('keeps what is given, and what is stored', async () => {
      const given = { manager_id: 4, time_zone: 'Paris', work_hours_id: 12 }
      expect((await run(defaultsOfProject(), { ...about, next: { ...given } })).next).to.deep.equal(given)
      const before = { manager_id: 4, time_zone: null, work_hours_id: null }
      expect((await run(defaultsOfProject(), { ...about, before })).next).to.deep.equal(before)
    })
  })

  describe('fillWithPosition', () => {
    const use = fillWithPosition('position')
    const owner = { owner_type: 'plan', owner_id: 1 }
    const stored = {
      phase: [
        { id: 5, ...owner, position: 1 },
        { id: 6, ...owner, position: 2 },
        { id: 7, ...owner, position: 3 },
      ],
    }
    const position = async (next: object, before: object | null = null) =>
      (await run(use, { type: 'phase', stored, before: before as never, next: { ...next } })).next['position']
    it('comes after the last one of the owner', async () => {
      expect(await position(owner)).to.equal(4)
      expect(await position({ ...owner, owner_id: 2 })).to.equal(1)
    })
    it('keeps what is given, and what is stored', async () => {
      expect(await position({ ...owner, position: 0 })).to.equal(0)
      expect(await position({}, { ...owner, position: null })).to.equal(null)
    })
  })

  describe('mustBePartOf', () => {
    const use = mustBePartOf('phase', { owner: 'plan', code: 'other' })
    const about = { refs: { phase: 'phase', plan: 'plan' }, stored: { phase: [{ id: 5, owner_id: 1 }] } }
    const fails = async (next: object, before: object | null = null) =>
      (await run(use, { ...about, before: before as never, next: { ...next } })).fails
    it('refuses a part of another record', async () => {
      expect(await fails({ phase_id: 5, plan_id: 2 })).to.deep.equal([['phase', 'other']])
      expect(await fails({ plan_id: 2 }, { phase_id: 5, plan_id: 1 })).to.deep.equal([['phase', 'other']])
    })
    it('takes a part of the same one, and none; one that is not there is for others to refuse', async () => {
      expect(await fails({ phase_id: 5, plan_id: 1 })).to.deep.equal([])
      expect(await fails({ phase_id: null, plan_id: 1 })).to.deep.equal([])
      expect(await fails({ phase_id: 9, plan_id: 1 })).to.deep.equal([])
    })
    it('does not come back to what was there before', async () => {
      expect(await fails({ name: 'x' }, { phase_id: 5, plan_id: 2 })).to.deep.equal([])
    })
  })

  describe('removal', () => {
    it('is for what has not been started', async () => {
      const use = removableWhile('status', { value: 'new', code: 'started' })
      const fails = async (status: string) => (await run(use, { before: { status } }, 'remove')).fails
      expect(await fails('new')).to.deep.equal([])
      expect(await fails('busy')).to.deep.equal([['base', 'started']])
    })
    it('of all parts waits until no record refers to their owner', async () => {
      const use = removableWithout('task', { by: 'plan', code: 'in_use' })
      const fails = async (owner_id: number) =>
        (await run(use, { stored: { task: [{ id: 8, plan_id: 1 }] }, next: { owner_id } }, 'removeAll')).fails
      expect(await fails(1)).to.deep.equal([['base', 'in_use']])
      expect(await fails(2)).to.deep.equal([])
    })
    it('clears the references of all records', async () => {
      const stored = { task: [1, 2, 3, 4].map((id) => ({ id, phase_id: id === 4 ? 9 : 5 })) }
      const use = clearedOnRemoval('task', { field: 'phase' })
      const { saves } = await run(use, { stored, before: { id: 5 } }, 'removed')
      expect(saves).to.deep.equal([
        ['task', 1, { phase_id: null }],
        ['task', 2, { phase_id: null }],
        ['task', 3, { phase_id: null }],
      ])
    })
  })
})
