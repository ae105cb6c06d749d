import { type JobNotification, toJobId } from 'agenda'
import { expect } from 'chai'
import { CoalescingChannel } from '../../plugin/jobs/coalescing-channel.js'

function about(jobName: string, nextRunAt: number): JobNotification {
  return { jobId: toJobId('1'), jobName, nextRunAt: new Date(nextRunAt), priority: 0, timestamp: new Date() }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('the notification channel', () => {
  it('makes one more look of all that comes during a look, for each job name, with the earliest time', async () => {
    const looks: [string, number | undefined][] = []
    const channel = new CoalescingChannel()
    await channel.connect()
    channel.subscribe(async ({ jobName, nextRunAt }) => {
      looks.push([jobName, nextRunAt?.getTime()])
      await turn()
    })
    for (const time of [5, 9, 3, 7]) await channel.publish(about('deliver', time))
    await channel.publish(about('import', 8))
    await turn()
    await turn()
    await turn()
    expect(looks).to.deep.equal([
      ['deliver', 5],
      ['import', 8],
      ['deliver', 3],
    ])
    await channel.publish(about('deliver', 4))
    expect(looks.at(-1)).to.deep.equal(['deliver', 4])
  })

  it('says nothing more after it was disconnected', async () => {
    const channel = new CoalescingChannel()
    await channel.connect()
    let looks = 0
    channel.subscribe(() => {
      looks += 1
    })
    await channel.disconnect()
    await channel.publish(about('deliver', 1))
    await turn()
    expect(looks).to.equal(0)
  })
})
