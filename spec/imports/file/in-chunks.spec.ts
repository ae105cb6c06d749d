import { expect } from 'chai'
import { inChunks } from '../../../plugin/imports/file/in-chunks.js'

describe('pieces of a file in chunks', () => {
  it('are counted, and the last chunk has the rest', async () => {
    expect(await chunksOf(inChunks(pieces(1, 2, 3, 4, 5), 2))).to.deep.equal([[1, 2], [3, 4], [5]])
    expect(await chunksOf(inChunks(pieces(1, 2), 2))).to.deep.equal([[1, 2]])
    expect(await chunksOf(inChunks(pieces(), 2))).to.deep.equal([])
  })

  it('are weighed: a chunk ends with the piece that makes it full', async () => {
    const chunks = inChunks(pieces(1, 1, 5, 1, 2), 3, (piece) => piece)
    expect(await chunksOf(chunks)).to.deep.equal([
      [1, 1, 5],
      [1, 2],
    ])
  })

  it('that stand before a place that cannot be read come before the error', async () => {
    const seen: (readonly number[])[] = []
    const read = async () => {
      for await (const chunk of inChunks(unreadableAfter(1, 2, 3), 2)) seen.push(chunk)
    }
    const error = await read().catch((caught: Error) => caught.message)
    expect([seen, error]).to.deep.equal([[[1, 2], [3]], 'unreadable'])
  })
})

async function* pieces(...all: readonly number[]): AsyncGenerator<number> {
  yield* all
}

async function* unreadableAfter(...all: readonly number[]): AsyncGenerator<number> {
  yield* all
  throw new Error('unreadable')
}

async function chunksOf(chunks: AsyncIterable<readonly number[]>): Promise<readonly (readonly number[])[]> {
  const found: (readonly number[])[] = []
  for await (const chunk of chunks) found.push(chunk)
  return found
}
