/** Pauses that grow: before work is tried again that failed, or that somebody else was doing. */

/** How pauses grow. */
export interface Backoff {
  /** Milliseconds of the first pause. */
  readonly firstMs: number
  /** Each pause is so many times as long as the one before; default 2. */
  readonly factor?: number
  /** No pause is longer. */
  readonly mostMs: number
}

/** The pause after so many failures (1 for the first one), in milliseconds. */
export function pauseAfter(failures: number, { firstMs, factor = 2, mostMs }: Backoff): number {
  return Math.min(firstMs * factor ** Math.max(0, failures - 1), mostMs)
}
