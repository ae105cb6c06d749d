/**
 * Follows what goes on at the server: asks again, less and less often, until it has ended or the page is left; and at once when
 * something was saved.
 */
import { useEffect, useState } from 'preact/hooks'
import { CallFailed } from './call-failed.js'
import { useSaved } from './use-app.js'

export interface Followed<T> {
  readonly data?: T
  /** Why the last question had no answer; it is asked again if that may help. */
  readonly error?: unknown
  /** Asks now, and goes on. */
  readonly reload: () => void
}

/** Milliseconds. */
const FIRST_WAIT = 400
const LONGEST_WAIT = 8000
const GROWTH = 1.25

/**
 * @param key names what is followed; null for nothing yet
 * @param read asks once
 */
export function useFollowed<T>(
  key: string | null,
  read: (signal: AbortSignal) => Promise<T>,
  isEnd: (data: T) => boolean,
): Followed<T> {
  const [turn, setTurn] = useState(0)
  const saved = useSaved()
  const [state, setState] = useState<{ readonly key: string | null; readonly data?: T; readonly error?: unknown }>({
    key: null,
  })
  useEffect(() => {
    if (key === null) return
    const control = new AbortController()
    const { signal } = control
    const follow = async () => {
      for (let wait = FIRST_WAIT; !signal.aborted; wait = Math.min(LONGEST_WAIT, wait * GROWTH)) {
        try {
          const data = await read(signal)
          if (signal.aborted) return
          setState({ key, data })
          if (isEnd(data)) return
        } catch (error) {
          if (signal.aborted) return
          setState((before) => ({ ...(before.key === key ? before : {}), key, error }))
          if (!(error instanceof CallFailed && error.mayPass)) return
        }
        await waited(wait, signal)
      }
    }
    void follow()
    return () => control.abort()
  }, [key, turn, saved])
  const { data, error } = state.key === key ? state : { data: undefined, error: undefined }
  return {
    ...(data === undefined ? {} : { data }),
    ...(error === undefined ? {} : { error }),
    reload: () => setTurn(turn + 1),
  }
}

/** Waits, and as long as nobody looks at the page. */
async function waited(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => resolve())
  })
  if (!document.hidden || signal.aborted) return
  await new Promise<void>((resolve) => {
    document.addEventListener('visibilitychange', () => resolve(), { once: true })
    signal.addEventListener('abort', () => resolve())
  })
}
