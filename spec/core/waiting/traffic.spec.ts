import { expect } from 'chai'
import { createTraffic } from '../../../plugin/core/waiting/traffic.js'

describe('traffic', () => {
  let [load, now] = [0, 0]
  const heavyAfter = (traffic: ReturnType<typeof createTraffic>, ms: number, busy: number, arrivals: number) => {
    for (let arrival = 0; arrival < arrivals; arrival += 1) traffic.arrived()
    now += ms
    load = busy
    return traffic.isHeavy()
  }

  beforeEach(() => {
    ;[load, now] = [0, 0]
  })

  function traffic() {
    return createTraffic(
      () => load,
      () => now,
    )
  }

  it('is heavy while requests come to a processor that has no idle time', () => {
    const seen = traffic()
    expect(heavyAfter(seen, 50, 1, 1), 'busy, and a request').to.equal(true)
    expect(heavyAfter(seen, 50, 0.9, 9), 'idle time').to.equal(false)
    expect(heavyAfter(seen, 50, 1, 0), 'busy with other work').to.equal(false)
  })

  it('is looked at from time to time, and stays what it was in between', () => {
    const seen = traffic()
    expect(heavyAfter(seen, 49, 1, 5)).to.equal(false)
    expect(heavyAfter(seen, 1, 1, 0)).to.equal(true)
    expect(heavyAfter(seen, 49, 0, 0)).to.equal(true)
    expect(heavyAfter(seen, 1, 0, 0)).to.equal(false)
  })

  it('knows how busy this process is', async () => {
    const seen = createTraffic()
    const isHeavyAfter = async (work: () => unknown) => {
      seen.arrived()
      await work()
      return seen.isHeavy()
    }
    const until = performance.now() + 60
    const working = () => {
      while (performance.now() < until);
    }
    expect(await isHeavyAfter(working)).to.equal(true)
    expect(await isHeavyAfter(() => new Promise((resolve) => setTimeout(resolve, 60)))).to.equal(false)
  })
})
