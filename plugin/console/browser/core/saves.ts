/** What was saved from this page, and from other tabs of this browser: whatever shows data of the API reads it again. */

export interface Saves {
  /** Grows with each save. */
  count(): number
  /** Returns a function that ends it. */
  listen(heard: () => void): () => void
  /** Tells everybody. @param path of the call that has saved something: `/requests/7` */
  tell(path: string): void
  /** Paths of saves, before the pages hear of them: for what is kept over many reads. Returns a function that ends it. */
  onPath(heard: (path: string) => void): () => void
}

/** @param home path of the console: other desks of the same origin have other tabs */
export function createSaves(home: string): Saves {
  const listeners = new Set<() => void>()
  const ofPaths = new Set<(path: string) => void>()
  const others = new BroadcastChannel(`${home} saves`)
  let count = 0
  let isBehind = false
  const tellHere = () => {
    isBehind = false
    count++
    for (const listener of listeners) listener()
  }
  const forgetWhatWasKept = (path: string) => {
    for (const listener of ofPaths) listener(path)
  }
  others.onmessage = ({ data }) => {
    forgetWhatWasKept(String(data))
    // A page that nobody looks at reads when somebody comes back to it.
    if (document.hidden) isBehind = true
    else tellHere()
  }
  document.addEventListener('visibilitychange', () => isBehind && !document.hidden && tellHere())
  // The browser has kept the page as it was, and it has heard nothing meanwhile.
  addEventListener('pageshow', ({ persisted }) => persisted && tellHere())
  return {
    count: () => count,
    listen(heard) {
      listeners.add(heard)
      return () => void listeners.delete(heard)
    },
    tell(path) {
      forgetWhatWasKept(path)
      others.postMessage(path)
      tellHere()
    },
    onPath(heard) {
      ofPaths.add(heard)
      return () => void ofPaths.delete(heard)
    },
  }
}
