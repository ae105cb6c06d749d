/**
 * Groups what a file contains into chunks. What stands before a place that cannot be read is returned before the error.
 *
 * @param size the weight at which a chunk is full
 * @param weightOf weight of one piece; by default they are counted
 */
export async function* inChunks<T>(
  pieces: AsyncIterable<T>,
  size: number,
  weightOf: (piece: T) => number = () => 1,
): AsyncGenerator<readonly T[]> {
  let chunk: T[] = []
  let weight = 0
  try {
    for await (const piece of pieces) {
      chunk.push(piece)
      weight += weightOf(piece)
      if (weight < size) continue
      const full = chunk
      chunk = []
      weight = 0
      yield full
    }
  } catch (error) {
    if (chunk.length > 0) yield chunk
    throw error
  }
  if (chunk.length > 0) yield chunk
}
