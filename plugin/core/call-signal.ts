/**
 * The part of `AbortSignal` that calls need: `aborted`, `reason`, `throwIfAborted`, `addEventListener` and
 * `removeEventListener`. Every HTTP call has one, and an `AbortController` costs more than a query.
 */
export interface CallSignal {
  readonly aborted: boolean
  readonly reason: unknown
  /** @throws the reason once the signal has aborted */
  throwIfAborted(): void
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** Signal of one call. */
export class CallEnd implements CallSignal {
  aborted = false
  reason: unknown = undefined
  private listeners: Set<() => void> | null = null

  throwIfAborted(): void {
    if (this.aborted) throw this.reason
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.listeners ??= new Set()
    this.listeners.add(listener)
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.listeners?.delete(listener)
  }

  /** Calls the listeners, once. */
  abort(reason: unknown): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    const listeners = [...(this.listeners ?? [])]
    this.listeners = null
    for (const listener of listeners) listener()
  }
}
