/** Where the person is: the path below the console, and its query. Links change it without loading the page again. */

export interface Place {
  /** Below the console, without a slash at the end: `/requests/7`, empty for the first page. */
  readonly path: string
  readonly query: URLSearchParams
}

export interface Places {
  now(): Place
  /** Goes to a path, such as `/requests?page=2`. @param isSame replaces the entry in the history */
  go(path: string, isSame?: boolean): void
  /** The URL of a path, for links. */
  url(path: string): string
  listen(changed: () => void): () => void
  /** Asks before the person leaves by a link, Back or Forward, until the returned function is called. @param mayLeave false to stay */
  guard(mayLeave: () => boolean): () => void
}

/** @param home path of the console, without a slash at the end */
export function createPlaces(home: string): Places {
  const listeners = new Set<() => void>()
  const guards = new Set<() => boolean>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const mustStay = () => [...guards].some((mayLeave) => !mayLeave())
  // Each entry of the history knows its place in it, so that one can go back to where somebody wants to stay.
  let place = placeIn(history.state) ?? 0
  history.replaceState({ place }, '')
  const go = (path: string, isSame = false) => {
    if (!isSame && mustStay()) return
    const url = home + (path === '' ? '/' : path)
    if (isSame) history.replaceState({ place }, '', url)
    else history.pushState({ place: ++place }, '', url)
    tell()
    if (!isSame) scrollTo(0, 0)
  }
  addEventListener('popstate', ({ state }) => {
    const next = placeIn(state)
    if (next === null) {
      // An entry that differs in its hash alone, from the address bar: it stands for the same place.
      history.replaceState({ place }, '')
    } else if (next !== place && mustStay()) {
      history.go(place - next)
    } else if (next !== place) {
      place = next
      tell()
    }
  })
  document.addEventListener('click', (event) => {
    const link = (event.target as Element | null)?.closest?.('a')
    // Links in drawings have no properties for these, but attributes.
    const href = link?.getAttribute('href') ?? '#'
    if (!link || event.defaultPrevented || event.button !== 0 || isWithKey(event)) return
    if (link.hasAttribute('target') || link.hasAttribute('download') || href === '#') return
    if (href.startsWith('#')) {
      // Within the page: no entry in the history.
      event.preventDefault()
      document.getElementById(href.slice(1))?.focus()
      return
    }
    const { origin, pathname, search } = new URL(href, document.baseURI)
    if (origin !== location.origin || !isInside(pathname, home)) return
    event.preventDefault()
    go(pathname.slice(home.length) + search)
  })
  return {
    now: () => ({
      path: withoutEnd(location.pathname.slice(home.length)),
      query: new URLSearchParams(location.search),
    }),
    go,
    url: (path) => home + (path === '' ? '/' : path),
    listen(changed) {
      listeners.add(changed)
      return () => void listeners.delete(changed)
    },
    guard(mayLeave) {
      guards.add(mayLeave)
      return () => void guards.delete(mayLeave)
    },
  }
}

/** The place of an entry in the history; null if it is not one of ours. */
function placeIn(state: unknown): number | null {
  const { place } = Object(state) as { readonly place?: unknown }
  return typeof place === 'number' ? place : null
}

function isInside(pathname: string, home: string): boolean {
  return pathname === home || pathname.startsWith(`${home}/`)
}

/** With a key, links open elsewhere. */
function isWithKey(event: MouseEvent): boolean {
  return event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
}

/** A path without slashes at its end. */
function withoutEnd(path: string): string {
  return path.endsWith('/') ? withoutEnd(path.slice(0, -1)) : path
}
