/** Plans of the console: order, layers, the deciding chain, places and scales, compared with naive computations. No browser. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { type GraphLayout, layOut, NODE_HEIGHT, NODE_WIDTH } from '../../plugin/console/browser/pages/plan/graph-layout.js'
import {
  decidingChain,
  edgesOf,
  forwardEdges,
  inOrder,
  layersOf,
  type Work,
} from '../../plugin/console/browser/pages/plan/task-graph.js'
import { scaleFor } from '../../plugin/console/browser/pages/plan/time-scale.js'
import { seeded } from '../support/minute-by-minute.js'

const task = (id: number, after: readonly number[] = [], more: Partial<Work> = {}): Work => ({
  id,
  after,
  time: null,
  isFinished: false,
  hours: 1,
  ...more,
})
const ids = (tasks: readonly { readonly id: number }[]) => tasks.map(({ id }) => id)

/** A graph without circles, whose ids say nothing of the order. */
function randomGraph(seed: number, most: number): readonly Work[] {
  const chance = seeded(seed)
  const count = 1 + Math.floor(chance() * most)
  const names = Array.from({ length: count }, (_, index) => index + 1).sort(() => chance() - 0.5)
  return names
    .map((id, index) => {
      const after = names.slice(0, index).filter(() => chance() < 2 / (index + 1))
      const time = chance() < 0.3 ? null : Math.floor(chance() * 1e6)
      return task(id, after, { time, isFinished: chance() < 0.3, hours: Math.floor(chance() * 5) })
    })
    .sort((a, b) => a.id - b.id)
}

/** All chains of open tasks, one by one. */
function longestHours(tasks: readonly Work[]): number | null {
  const open = new Map(tasks.filter(({ isFinished }) => !isFinished).map((one) => [one.id, one]))
  const hoursTo = (one: Work): number =>
    one.hours + Math.max(0, ...one.after.flatMap((id) => open.get(id) ?? []).map((before) => hoursTo(before)))
  return open.size === 0 ? null : Math.max(...[...open.values()].map(hoursTo))
}

function depthOf(tasks: readonly Work[], id: number): number {
  const one = tasks.find((other) => other.id === id)
  return Math.max(0, ...(one?.after ?? []).map((before) => depthOf(tasks, before) + 1))
}

describe('the order of a plan', () => {
  it('has each task after those before it, and each once', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const tasks = randomGraph(seed, 30)
      const ordered = inOrder(tasks)
      expect(
        [...ids(ordered)].sort((a, b) => a - b),
        `seed ${seed}`,
      ).to.deep.equal(ids(tasks))
      for (const [place, { after }] of ordered.entries())
        for (const before of after)
          expect(
            ordered.findIndex(({ id }) => id === before),
            `seed ${seed}`,
          ).to.be.below(place)
    }
  })

  it('goes by the begin of tasks that could come next, then by their ids', () => {
    const tasks = [task(1, [4]), task(2, [], { time: 9 }), task(3, [], { time: 5 }), task(4), task(5)]
    expect(ids(inOrder(tasks))).to.deep.equal([3, 2, 4, 1, 5])
  })

  it('leaves out tasks that are not there, a task before itself, and pairs that occur twice', () => {
    const tasks = [task(1, [99, 1]), task(2, [1, 1, 98])]
    expect(edgesOf(tasks)).to.deep.equal([{ from: 1, to: 2 }])
    expect(ids(inOrder(tasks))).to.deep.equal([1, 2])
  })

  it('ends with circles, too, and draws each as a line', () => {
    const tasks = [task(1, [3]), task(2, [1]), task(3, [2]), task(4, [3]), task(5, [5])]
    const ordered = inOrder(tasks)
    expect(ids(ordered)).to.have.members([1, 2, 3, 4, 5])
    expect(forwardEdges(ordered)).to.have.deep.members([
      { from: 1, to: 2 },
      { from: 2, to: 3 },
      { from: 3, to: 4 },
    ])
    expect([...layersOf(ordered).values()]).to.have.members([0, 0, 1, 2, 3])
    expect(decidingChain(ordered)?.hours).to.equal(4)
    expect(layOut(ordered).corners.size).to.equal(5)
  })
})

describe('the layers of a plan', () => {
  it('are the longest ways from the start', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const tasks = randomGraph(seed, 12)
      const layers = layersOf(inOrder(tasks))
      for (const { id } of tasks) expect(layers.get(id), `seed ${seed}, task ${id}`).to.equal(depthOf(tasks, id))
    }
  })
})

describe('the chain that decides the end', () => {
  it('is a chain of open tasks with the most hours', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const tasks = randomGraph(seed, 12)
      const chain = decidingChain(inOrder(tasks))
      expect(chain?.hours ?? null, `seed ${seed}`).to.equal(longestHours(tasks))
      for (const [index, one] of (chain?.tasks ?? []).entries()) {
        expect(one.isFinished, `seed ${seed}`).to.equal(false)
        if (index > 0) expect(one.after, `seed ${seed}`).to.include(chain?.tasks[index - 1]?.id)
      }
      expect(
        chain?.tasks.reduce((sum, { hours }) => sum + hours, 0),
        `seed ${seed}`,
      ).to.equal(chain?.hours)
    }
  })

  it('ends with the milestones behind it, which take no time', () => {
    const tasks = [task(1, [], { hours: 8 }), task(2, [1], { hours: 0 }), task(3, [], { hours: 7 })]
    expect(ids(decidingChain(tasks)?.tasks ?? [])).to.deep.equal([1, 2])
  })

  it('is none when all are finished, or there are none', () => {
    expect(decidingChain([task(1, [], { isFinished: true })])).to.equal(null)
    expect(decidingChain([])).to.equal(null)
  })

  it('does not go through what is finished', () => {
    const tasks = [task(1, [], { hours: 5 }), task(2, [1], { isFinished: true }), task(3, [2], { hours: 6 })]
    expect(ids(decidingChain(tasks)?.tasks ?? [])).to.deep.equal([3])
  })
})

describe('the places of a graph', () => {
  const overlaps = ({ corners }: GraphLayout) => {
    const all = [...corners.values()]
    return all.flatMap((a, index) =>
      all
        .slice(index + 1)
        .filter((b) => Math.abs(a.x - b.x) < NODE_WIDTH && Math.abs(a.y - b.y) < NODE_HEIGHT)
        .map((b) => [a, b]),
    )
  }

  it('are apart, inside the drawing, and each after those before it', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const tasks = inOrder(randomGraph(seed, 40))
      const layout = layOut(tasks)
      expect(layout.corners.size, `seed ${seed}`).to.equal(tasks.length)
      expect(overlaps(layout), `seed ${seed}`).to.deep.equal([])
      for (const { x, y } of layout.corners.values()) {
        expect(Math.min(x, y), `seed ${seed}`).to.be.at.least(0)
        expect(x + NODE_WIDTH, `seed ${seed}`).to.be.at.most(layout.width)
        expect(y + NODE_HEIGHT, `seed ${seed}`).to.be.at.most(layout.height)
      }
      expect(layout.edges.length, `seed ${seed}`).to.equal(edgesOf(tasks).length)
      for (const { points } of layout.edges)
        for (const [index, { x }] of points.entries())
          if (index > 0) expect(x, `seed ${seed}`).to.be.above(points[index - 1]?.x ?? 0)
    }
  })

  it('untangle what could be untangled', () => {
    // Two chains side by side whose ids are crossed.
    const tasks = inOrder([task(1), task(2), task(3, [2]), task(4, [1]), task(5, [4]), task(6, [3])])
    const { corners } = layOut(tasks)
    const isAbove = (a: number, b: number) => (corners.get(a)?.y ?? 0) < (corners.get(b)?.y ?? 0)
    expect([isAbove(1, 2), isAbove(4, 3), isAbove(5, 6)]).to.satisfy((all: readonly boolean[]) => new Set(all).size === 1)
  })

  it('of a long chain, of many side by side, and of a thicket are found in little time', () => {
    const many = (of: (index: number) => readonly number[]) =>
      inOrder(Array.from({ length: 500 }, (_, index) => task(index + 1, of(index))))
    const before = performance.now()
    const chain = layOut(many((index) => (index === 0 ? [] : [index])))
    const wide = layOut(many(() => []))
    const star = layOut(many((index) => (index === 0 ? [] : [1])))
    const thicket = layOut(many((index) => Array.from({ length: index }, (_, other) => other + 1)))
    expect(performance.now() - before).to.be.below(4_000)
    expect(overlaps(chain)).to.deep.equal([])
    expect(new Set([...chain.corners.values()].map(({ y }) => y)).size).to.equal(1)
    expect(wide.width).to.be.below(6 * NODE_WIDTH)
    expect(overlaps(star)).to.deep.equal([])
    expect(thicket.edges).to.have.lengthOf((500 * 499) / 2)
  })
})

describe('the scale of a timeline', () => {
  const at = (text: string) => Date.parse(text)

  it('has marks that rise, hold all times, and are never too many', () => {
    const chance = seeded(7)
    for (let round = 0; round < 300; round++) {
      const first = at('1990-01-01T00:00Z') + chance() * 2e12
      const last = first + 10 ** (chance() * 13)
      const scale = scaleFor([first, last])
      if (!scale) throw new Error('There is a scale')
      expect(scale.from).to.be.at.most(first)
      expect(scale.to).to.be.at.least(last)
      expect(scale.marks.length).to.be.within(2, 80)
      expect(scale.width).to.be.within(700, 6_000)
      for (const [index, { x }] of scale.marks.entries()) if (index > 0) expect(x).to.be.above(scale.marks[index - 1]?.x ?? 0)
      expect(scale.at(first)).to.be.within(0, scale.width)
      expect(scale.at(last)).to.be.within(scale.at(first), scale.width + 0.001)
    }
  })

  it('goes from hours to years', () => {
    const unit = (until: string) => scaleFor([at('2026-11-23T09:00Z'), at(until)])?.unit
    expect(
      ['2026-11-23T17:00Z', '2026-12-20T17:00Z', '2027-05-01T09:00Z', '2028-11-01T09:00Z', '2066-11-01T09:00Z'].map(unit),
    ).to.deep.equal(['hour', 'day', 'week', 'month', 'year'])
  })

  it('is there for one moment, for centuries, and for the last times of the calendar, but not for none', () => {
    expect(scaleFor([])).to.equal(null)
    expect(scaleFor([at('2026-11-23T09:30Z')])?.marks.length).to.be.at.least(2)
    const ages = scaleFor([at('0001-01-01T00:00Z'), at('9999-12-31T00:00Z')])
    expect(ages?.unit).to.equal('year')
    expect(ages?.marks.length).to.be.at.most(80)
    const last = 8_640_000_000_000_000
    const end = scaleFor([last - 1_000, last])
    expect(end?.to).to.be.at.least(last)
    expect(end?.at(last)).to.be.at.most(end?.width ?? 0)
  })
})
