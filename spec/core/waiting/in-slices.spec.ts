/** Long computations in slices: the same result, and others take their turn in between. */
import { expect } from 'chai'
import { atOnce, inSlices, type Sliced } from '../../../plugin/core/waiting/in-slices.js'

/** Takes about this many milliseconds, and can pause after each of them. */
function* lasting(milliseconds: number): Sliced<string> {
  for (let count = 0; count < milliseconds; count++) {
    const end = performance.now() + 1
    while (performance.now() < end);
    yield
  }
  return 'done'
}

describe('core/in-slices', () => {
  it('computes at once what it is asked for at once', () => {
    expect(atOnce(lasting(3))).to.equal('done')
  })

  it('lets others take their turn', async () => {
    let turns = 0
    let isOver = false
    const others = () => {
      turns++
      if (!isOver) setImmediate(others)
    }
    setImmediate(others)
    expect(await inSlices(lasting(40))).to.equal('done')
    isOver = true
    expect(turns).to.be.above(4)
  })

  it('fails with the error of the computation', async () => {
    // biome-ignore lint/correctness/useYield: it fails before it could pause
    function* failing(): Sliced<string> {
      throw new RangeError('too long')
    }
    const failed = await inSlices(failing()).catch((error: unknown) => error)
    expect(failed).to.be.instanceOf(RangeError)
  })
})
