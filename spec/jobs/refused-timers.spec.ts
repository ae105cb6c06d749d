import { expect } from 'chai'
import type { DueRecord } from '../../plugin/jobs/due-records.js'
import { createRefusals } from '../../plugin/jobs/refused-timers.js'
import { DAY, MINUTE, settableClock } from '../support/webhooks.js'
import { recordLog } from './record-log.js'

const record = (id: number, version = 'a'): DueRecord => ({ id, version, accountId: 'acme', moment: '2026-11-21T09:00:00Z' })
const unfired = (id: number, version = 'a') => ({ id, version, reason: { violations: [['status', 'locked']] as const } })

describe('what a timer could not save', () => {
  const start = (maxRemembered = 1000) => {
    const clock = settableClock('2026-11-21T09:30:00Z')
    const { log, entries } = recordLog()
    const refusals = createRefusals({ log, type: 'permit', due: 'expires_at', maxRemembered })
    /** Goes through these records, all of which are refused when they are tried; answers which were. */
    const turn = (records: readonly DueRecord[]) => {
      const begun = clock.now()
      const from = refusals.beginTurn(begun)
      const seen = records.filter(({ moment }) => from === null || moment >= from)
      const tried = seen.filter((one) => !refusals.isLeftAlone(one, begun))
      refusals.add(
        tried.map(({ id, version }) => unfired(id, version)),
        begun,
      )
      refusals.endOfTurn({ from, begun }, clock.now())
      return tried.map(({ id }) => id)
    }
    return { clock, entries, refusals, turn }
  }

  it('is tried after 1, 2, 4 … 60 minutes, and then every hour', () => {
    const { clock, turn } = start()
    const tries: number[] = []
    for (let minute = 0; minute < 300; minute += 1) {
      if (turn([record(1)]).length > 0) tries.push(minute)
      clock.pass(MINUTE)
    }
    expect(tries).to.deep.equal([0, 1, 3, 7, 15, 31, 63, 123, 183, 243])
  })

  it('is tried at once when it has been changed, with pauses from the beginning', () => {
    const { clock, turn } = start()
    for (let n = 0; n < 40; n += 1) {
      turn([record(1)])
      clock.pass(MINUTE)
    }
    expect(turn([record(1)])).to.deep.equal([])
    expect(turn([record(1, 'b')])).to.deep.equal([1])
    expect(turn([record(1, 'b')])).to.deep.equal([])
    clock.pass(MINUTE)
    expect(turn([record(1, 'b')])).to.deep.equal([1])
  })

  it('is forgotten when it is no longer due', () => {
    const { turn } = start(1)
    turn([record(1)])
    turn([])
    turn([record(2)])
    expect(turn([record(2)])).to.deep.equal([])
  })

  it('does not fill the memory: when there is too much, everything is tried in turns, after pauses that grow', () => {
    const { clock, turn } = start(2)
    const all = [1, 2, 3, 4, 5].map((id) => record(id))
    expect(turn(all)).to.deep.equal([1, 2, 3, 4, 5])
    expect(turn(all)).to.deep.equal([])
    clock.pass(MINUTE)
    expect(turn(all)).to.deep.equal([1, 2, 3, 4, 5])
    clock.pass(MINUTE)
    expect(turn(all)).to.deep.equal([])
    clock.pass(MINUTE)
    expect(turn(all)).to.deep.equal([1, 2, 3, 4, 5])
  })

  it('keeps what becomes due meanwhile waiting in no case', () => {
    const { clock, turn } = start(2)
    const all = [1, 2, 3, 4, 5].map((id) => record(id))
    turn(all)
    clock.pass(10_000)
    const fresh = { ...record(9), moment: '2026-11-21T09:30:05Z' }
    expect(turn([...all, fresh])).to.deep.equal([9])
    clock.pass(10_000)
    expect(turn([...all, fresh])).to.deep.equal([])
    clock.pass(DAY)
    expect(turn([...all, fresh])).to.deep.equal([1, 2, 3, 4, 5, 9])
    // They are done with: the next ones are looked at as a whole again.
    clock.pass(DAY)
    turn([])
    expect(turn([record(7)])).to.deep.equal([7])
  })

  it('waits no longer than its pause when the clock is set back', () => {
    const { clock, turn } = start()
    expect(turn([record(1)])).to.deep.equal([1])
    clock.set('2025-01-01T00:00:00Z')
    expect(turn([record(1)])).to.deep.equal([1])
    expect(turn([record(1)])).to.deep.equal([])
  })

  it('keeps nothing else waiting when the clock is set back', () => {
    const { clock, turn } = start(1)
    const all = [1, 2].map((id) => ({ ...record(id), moment: '2024-12-31T00:00:00Z' }))
    expect(turn(all)).to.deep.equal([1, 2])
    clock.set('2025-01-01T00:00:00Z')
    expect(turn([...all, { ...record(3), moment: '2024-12-31T12:00:00Z' }])).to.include(3)
  })

  it('is logged, but not thousands of times a turn; what is as good as removed is not', () => {
    const { entries, refusals, turn } = start(5)
    turn(Array.from({ length: 300 }, (_, id) => record(id)))
    expect(entries).to.have.length(21)
    expect(entries.at(-1)).to.deep.include({ level: 'warn', details: { type: 'permit', due: 'expires_at', more: 280 } })
    refusals.add([{ id: 1, version: 'b', reason: null }], new Date())
    expect(entries).to.have.length(21)
  })
})
