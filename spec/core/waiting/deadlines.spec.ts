import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { createDeadlines } from '../../../plugin/core/waiting/deadlines.js'

describe('time limits of much work at once', () => {
  it('end what has not ended in time, each once, in the order in which it began', async () => {
    const late: number[] = []
    const deadlines = createDeadlines<number>(30, (work) => late.push(work))
    for (const work of [1, 2, 3]) deadlines.add(work)
    deadlines.delete(2)
    await sleep(10)
    deadlines.add(4)
    deadlines.add(5)
    deadlines.delete(5)
    while (late.length < 3) await sleep(5)
    await sleep(50)
    expect(late).to.deep.equal([1, 3, 4])
  })

  it('begin anew after a time without any work, and may be added to by what is late', async () => {
    const late: string[] = []
    const deadlines = createDeadlines<string>(5, (work) => {
      late.push(work)
      if (work === 'first') deadlines.add('second')
    })
    deadlines.add('in time')
    deadlines.delete('in time')
    await sleep(20)
    deadlines.add('first')
    while (late.length < 2) await sleep(5)
    expect(late).to.deep.equal(['first', 'second'])
  })
})
