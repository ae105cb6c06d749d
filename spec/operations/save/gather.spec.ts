import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { createGathering } from '../../../plugin/operations/save/gather.js'
import { errorOf } from '../../support/house.js'

describe('questions that are asked side by side', () => {
  /** Doubles numbers, and remembers which ones came together. */
  const doubling = () => {
    const together: (readonly number[])[] = []
    const { ask } = createGathering()
    const double = (key: string, number: number) =>
      ask(key, number, async (numbers: readonly number[]) => {
        together.push(numbers)
        await pause(1)
        return numbers.map((one) => one * 2)
      })
    return { together, double }
  }

  it('are answered together, each with its own answer, kind by kind', async () => {
    const { together, double } = doubling()
    const answers = await Promise.all([double('a', 1), double('b', 2), double('a', 3), double('a', 1)])
    expect(answers).to.deep.equal([2, 4, 6, 2])
    expect(together).to.deep.equal([[1, 3, 1], [2]])
  })

  it('are answered together at every step, however many promises lie between them', async () => {
    const { together, double } = doubling()
    const deep = async (levels: number): Promise<void> => (levels > 0 ? deep(levels - 1) : undefined)
    const run = async (number: number) => {
      await deep(number * 7)
      const first = await double('a', number)
      await deep(20 - number * 7)
      return double('a', first)
    }
    expect(await Promise.all([run(0), run(1), run(2)])).to.deep.equal([0, 4, 8])
    expect(together.map((numbers) => [...numbers].sort())).to.deep.equal([
      [0, 1, 2],
      [0, 2, 4],
    ])
  })

  it('are answered also when some of those who ask wait for something else', async () => {
    const { together, double } = doubling()
    const late = async () => {
      await pause(20)
      return double('a', 5)
    }
    expect(await Promise.all([double('a', 1), late(), double('a', 2)])).to.deep.equal([2, 10, 4])
    expect(together).to.deep.equal([[1, 2], [5]])
  })

  it('fail with the error of their kind, and no others with them', async () => {
    const { ask } = createGathering()
    const { double } = doubling()
    const broken = () =>
      ask('broken', 1, async () => {
        throw new Error('no database')
      })
    const [one, other, fine] = await Promise.allSettled([broken(), broken(), double('a', 4)])
    expect([one?.status, other?.status, fine]).to.deep.equal(['rejected', 'rejected', { status: 'fulfilled', value: 8 }])
    expect((await errorOf(broken())).message).to.equal('no database')
  })
})
