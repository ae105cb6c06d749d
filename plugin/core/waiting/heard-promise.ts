/**
 * A promise that knows whether anybody waits for its result. If nobody does, its failure does not end the process: whoever made it
 * has to see to that.
 */
export class HeardPromise<T> extends Promise<T> {
  /** What follows from it is an ordinary promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  /** True once somebody waits for it. `await` also calls `then`. */
  isHeard = false

  /** @param failed told of a failure, heard or not, as soon as anybody is */
  static watch<T>(work: Promise<T>, failed: (error: unknown, promise: HeardPromise<T>) => void): HeardPromise<T> {
    const made = new HeardPromise<T>((resolve, reject) => {
      work.then(resolve, (error: unknown) => {
        failed(error, made)
        reject(error)
      })
    })
    Promise.prototype.then.call(made, undefined, () => {})
    return made
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  override then<A = T, B = never>(
    onDone?: ((value: T) => A | PromiseLike<A>) | null,
    onFailed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.isHeard = true
    return super.then(onDone, onFailed)
  }
}
