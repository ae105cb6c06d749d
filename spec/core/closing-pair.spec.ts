import { expect } from 'chai'
import { closingPair } from '../../plugin/core/closing-pair.js'

describe('the pair that closes a cycle', () => {
  const cases: readonly (readonly [name: string, pairs: readonly (readonly [number, number])[], place: number])[] = [
    ['is none without pairs', [], -1],
    [
      'is none in a chain, in any order',
      [
        [2, 3],
        [1, 2],
        [1, 3],
        [3, 4],
      ],
      -1,
    ],
    [
      'is one of the same with itself',
      [
        [1, 2],
        [3, 3],
      ],
      1,
    ],
    [
      'is the last one of a circle',
      [
        [1, 2],
        [2, 3],
        [3, 1],
        [3, 4],
      ],
      2,
    ],
    [
      'is the first of several',
      [
        [5, 6],
        [1, 2],
        [2, 1],
        [6, 5],
      ],
      2,
    ],
    [
      'may be the last of all',
      [
        [1, 2],
        [1, 2],
        [2, 3],
        [3, 4],
        [4, 2],
      ],
      4,
    ],
  ]
  for (const [name, pairs, place] of cases) it(name, () => expect(closingPair(pairs)).to.equal(place))

  it('is found among a hundred thousand at once', () => {
    const chain = Array.from({ length: 100_000 }, (_, at) => [at, at + 1] as const)
    expect(closingPair([...chain, [100_000, 0], [7, 6]])).to.equal(100_000)
  }).timeout(20_000)
})
