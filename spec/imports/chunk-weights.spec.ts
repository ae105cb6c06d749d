import { expect } from 'chai'
import { CHUNK_ROWS, weightOfGroups } from '../../plugin/imports/chunk-weights.js'
import { inChunks } from '../../plugin/imports/file/in-chunks.js'

describe('weight of groups', () => {
  it('is the number of rows, whatever few characters they have', async () => {
    expect(await sizes(Array.from({ length: 1100 }, () => group(1, 1000)))).to.deep.equal([500, 500, 100])
    expect(weightOfGroups(0)(group(7, 10))).to.equal(7)
  })

  it('ends a chunk of long texts after two million characters', async () => {
    expect(await sizes(Array.from({ length: 70 }, () => group(1, 65_000)))).to.deep.equal([31, 31, 8])
    expect(await sizes([group(1, 5_000_000), group(1, 10), group(1, 10)])).to.deep.equal([1, 2])
  })

  it('counts the characters of all rows of a group', () => {
    expect(weightOfGroups(0)(group(4, 500_000))).to.equal(CHUNK_ROWS)
  })

  it('fills a chunk with each group of the rows that are done one by one', async () => {
    const groups = Array.from({ length: 5 }, () => group(1, 10))
    expect(await sizes(groups, 3)).to.deep.equal([1, 1, 1, 2])
  })
})

/** A group of rows with two cells, of so many characters each row. */
function group(rows: number, characters: number) {
  const cells = ['a'.repeat(characters - 1), 'b']
  return { rows: Array.from({ length: rows }, (_, index) => ({ line: index + 2, cells })) }
}

/** Numbers of groups in the chunks of an import. */
async function sizes(groups: readonly ReturnType<typeof group>[], singles = 0): Promise<readonly number[]> {
  async function* read() {
    yield* groups
  }
  const found: number[] = []
  for await (const chunk of inChunks(read(), CHUNK_ROWS, weightOfGroups(singles))) found.push(chunk.length)
  return found
}
