import { expect } from 'chai'
import { createTimerWakes } from '../../plugin/jobs/run-timers.js'
import type { JobContext, RunJob } from '../../plugin/jobs/runs.js'
import { settableClock } from '../support/webhooks.js'

const CONTEXT: JobContext = { stopping: new AbortController().signal, cutOff: new AbortController().signal }

describe('the job of the timers', () => {
  const start = (next: () => Date | null = () => null) => {
    // Far from the time of the system, by which jobs go.
    const clock = settableClock('2031-01-01T00:00:00Z')
    const wakes: (number | null)[] = []
    let run: RunJob = async () => {}
    const jobs = {
      define: (_name: string, _options: object, work: RunJob) => {
        run = work
      },
      wake: async (_name: string, _ids?: object, at?: Date) => {
        wakes.push(at ? Math.round((at.getTime() - Date.now()) / 1000) : null)
      },
    }
    const timers = createTimerWakes({ jobs, clock })
    timers.define({ fireDue: async () => ({ saved: 0, unfired: 0, next: next() }) })
    return { clock, wakes, timers, run: () => run({}, CONTEXT) }
  }

  it('sleeps until the next moment, on the clock of the plugin', async () => {
    const { run, wakes } = start(() => new Date('2031-01-01T00:00:20Z'))
    await run()
    expect(wakes).to.deep.equal([20])
  })

  it('leaves it to the sweep when nothing is near', async () => {
    const { run, wakes } = start()
    await run()
    expect(wakes).to.deep.equal([])
  })

  it('is woken by a save with an earlier moment, and by no other', async () => {
    const { clock, run, timers, wakes } = start(() => new Date('2031-01-01T00:00:20Z'))
    await run()
    timers.expect('2031-01-01T00:00:25Z')
    timers.expect('2031-01-01T00:10:00Z')
    expect(wakes).to.deep.equal([20])
    timers.expect('2031-01-01T00:00:10Z')
    timers.expect('2031-01-01T00:00:15Z')
    expect(wakes).to.deep.equal([20, 10])
    timers.expect('2020-01-01T00:00:00Z')
    expect(wakes).to.deep.equal([20, 10, null])
    // A wake that has passed stands for nothing any more.
    clock.pass(60_000)
    timers.expect('2031-01-01T00:01:05Z')
    expect(wakes).to.deep.equal([20, 10, null, 5])
  })

  it('begins to plan anew when it has run', async () => {
    let next: Date | null = new Date('2031-01-01T00:00:20Z')
    const { run, timers, wakes } = start(() => next)
    await run()
    next = null
    await run()
    timers.expect('2031-01-01T00:00:25Z')
    expect(wakes).to.deep.equal([20, 25])
  })
})
