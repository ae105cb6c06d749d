/** What went wrong with a call, in the form that pages show. */

/** A mistake in a body: the field by its name in the catalog, and a sentence for people. */
export interface FieldMistake {
  readonly field: string
  readonly detail: string
  /** Of the sub-record in the list that was sent, from 1. */
  readonly place?: number
}

/** An answer that is not a success. */
export class CallFailed extends Error {
  /** Status of the answer; 0 if there was none. */
  readonly status: number
  readonly mistakes: readonly FieldMistake[]
  /** Seconds after which the server accepts another attempt; null if it did not say. */
  readonly retryAfter: number | null
  constructor(status: number, message: string, mistakes: readonly FieldMistake[] = [], retryAfter: number | null = null) {
    super(message)
    this.status = status
    this.mistakes = mistakes
    this.retryAfter = retryAfter
  }
  /** True if another attempt may succeed. */
  get mayPass(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
  /** True if what the call was about is not what the page shows any more. */
  get isOfAnotherState(): boolean {
    return this.status === 404 || this.status === 409 || this.status === 412
  }
}
