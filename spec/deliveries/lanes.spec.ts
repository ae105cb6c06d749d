import { expect } from 'chai'
import { createLanes, type LaneDelivery } from '../../plugin/deliveries/lanes.js'

interface Numbered extends LaneDelivery {
  readonly number: number
}

function some(lane: string, keys: readonly string[]): Numbered[] {
  return keys.map((key, index) => ({ lane, key, number: index + 1 }))
}

function takeAll(lanes: ReturnType<typeof createLanes<Numbered>>): Numbered[] {
  const taken: Numbered[] = []
  for (let next = lanes.take(); next; next = lanes.take()) taken.push(next)
  return taken
}

describe('lanes', () => {
  it('give out the deliveries of one receiver in order', () => {
    const lanes = createLanes<Numbered>(64, 16)
    lanes.add('1', some('1', ['a', 'b', 'c']))
    expect(takeAll(lanes).map(({ number }) => number)).to.deep.equal([1, 2, 3])
    expect(lanes.take()).to.equal(undefined)
  })

  it('never have two deliveries about the same record in flight', () => {
    const lanes = createLanes<Numbered>(64, 16)
    lanes.add('1', some('1', ['a', 'a', 'b', 'a']))
    const [first, other] = takeAll(lanes)
    expect([first?.number, other?.number]).to.deep.equal([1, 3])
    if (first) lanes.done(first)
    const second = lanes.take()
    expect(second?.number).to.equal(2)
    expect(lanes.take()).to.equal(undefined)
    if (second) lanes.done(second)
    expect(lanes.take()?.number).to.equal(4)
  })

  it('prefer what waited behind a delivery to what came later', () => {
    const lanes = createLanes<Numbered>(1, 1)
    lanes.add('1', some('1', ['a', 'a', 'b']))
    const first = lanes.take()
    if (first) lanes.done(first)
    expect(lanes.take()?.number).to.equal(2)
  })

  it('send the same record to two receivers at the same time', () => {
    const lanes = createLanes<Numbered>(64, 16)
    lanes.add('1', some('1', ['a']))
    lanes.add('2', some('2', ['a']))
    expect(takeAll(lanes).map(({ lane }) => Number(lane))).to.deep.equal([1, 2])
  })

  it('hold at most 16 in flight for one receiver and 64 in total', () => {
    const lanes = createLanes<Numbered>(64, 16)
    const keys = Array.from({ length: 100 }, (_, index) => String(index))
    for (const id of [1, 2, 3, 4, 5]) lanes.add(String(id), some(String(id), keys))
    const taken = takeAll(lanes)
    expect(taken).to.have.length(64)
    for (const id of [1, 2, 3, 4, 5]) expect(taken.filter(({ lane }) => lane === String(id)).length).to.be.within(12, 16)
    expect(lanes.inFlight()).to.equal(64)
  })

  it('let receivers take turns', () => {
    const lanes = createLanes<Numbered>(64, 16)
    lanes.add('1', some('1', ['a', 'b', 'c']))
    lanes.add('2', some('2', ['a', 'b', 'c']))
    expect(takeAll(lanes).map(({ lane }) => Number(lane))).to.deep.equal([1, 2, 1, 2, 1, 2])
  })

  it('leave half of all places to receivers that are not slow', () => {
    const lanes = createLanes<Numbered>(8, 4)
    for (let id = 1; id <= 10; id += 1) {
      lanes.limit(String(id), 1)
      lanes.add(String(id), some(String(id), ['a', 'b']))
    }
    expect(takeAll(lanes)).to.have.length(4)
    lanes.add('99', some('99', ['a', 'b', 'c', 'd', 'e']))
    expect(takeAll(lanes).map(({ lane }) => Number(lane))).to.deep.equal([99, 99, 99, 99])
  })

  it('forget a closed receiver but count what is in flight', () => {
    const lanes = createLanes<Numbered>(64, 1)
    lanes.add('1', some('1', ['a', 'b']))
    const first = lanes.take()
    lanes.close('1')
    expect(lanes.waiting('1')).to.equal(0)
    expect(lanes.inFlight()).to.equal(1)
    if (first) lanes.done(first)
    expect(lanes.inFlight()).to.equal(0)
    expect(lanes.take()).to.equal(undefined)
  })
})
