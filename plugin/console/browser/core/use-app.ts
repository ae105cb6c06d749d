/** What all pages share. */
import { createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { PageSettings } from '../../page-settings.js'
import type { Api } from './api.js'
import type { Session } from './browser-session.js'
import { CallFailed } from './call-failed.js'
import type { Place, Places } from './places.js'
import type { Catalog } from './read-catalog.js'
import { ADMINISTRATORS } from './roles.js'
import type { Saves } from './saves.js'
import type { Texts } from './texts.js'
import type { Allowances } from './what-is-allowed.js'

/** Somebody who is signed in. */
export interface Me {
  readonly id: number
  readonly name: string
  readonly primary_email: string
  readonly account: { readonly id: string; readonly name: string }
  readonly time_zone: string | null
  readonly time_format_24h?: boolean | null
}

export interface App extends Texts {
  readonly settings: PageSettings
  readonly api: Api
  readonly allowances: Allowances
  readonly catalog: Catalog
  readonly places: Places
  readonly saves: Saves
  readonly session: Session
  readonly me: Me
  /** Says something to the person for a while, also to a screen reader. */
  readonly say: (text: string) => void
}

export const AppContext = createContext<App | null>(null)

/** @throws Error outside of the pages of somebody who is signed in */
export function useApp(): App {
  const app = useContext(AppContext)
  if (!app) throw new Error('No app')
  return app
}

/** The place where the person is; shows the component again when it changes. */
export function usePlace(): Place {
  const { places } = useApp()
  const [place, setPlace] = useState(places.now())
  useEffect(() => places.listen(() => setPlace(places.now())), [places])
  return place
}

/** Another number after each save: what a page shows may be another one since. */
export function useSaved(): number {
  const { saves } = useApp()
  const [count, setCount] = useState(saves.count())
  useEffect(() => {
    const hear = () => setCount(saves.count())
    hear()
    return saves.listen(hear)
  }, [saves])
  return count
}

export interface Loaded<T> {
  /** Undefined until it has arrived; the data before stays while newer data is loaded, and if that does not come for now. */
  readonly data?: T
  readonly error?: unknown
  readonly isLoading: boolean
  readonly reload: () => void
}

/**
 * Loads data for a component, again whenever the key changes, and after each save: by this part of the page, by another one, or in
 * another tab. What arrives too late is dropped.
 */
export function useLoaded<T>(key: string | null, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [turn, setTurn] = useState(0)
  const saved = useSaved()
  const [state, setState] = useState<LoadedState<T>>({ key: null, turn, saved })
  useEffect(() => {
    if (key === null) return
    const control = new AbortController()
    const settle = (outcome: (before: LoadedState<T>) => Pick<LoadedState<T>, 'data' | 'error'>) => {
      if (!control.signal.aborted) setState((before) => ({ key, turn, saved, ...outcome(before) }))
    }
    load(control.signal).then(
      (data) => settle(() => ({ data })),
      (error: unknown) => settle((before) => (before.key === key && mayPass(error) ? { ...dataOf(before), error } : { error })),
    )
    return () => control.abort()
  }, [key, turn, saved])
  const { data, error } = state
  return {
    ...(data === undefined ? {} : { data }),
    ...(error === undefined ? {} : { error }),
    isLoading: key !== null && (state.key !== key || state.turn !== turn || state.saved !== saved),
    reload: () => setTurn(turn + 1),
  }
}

interface LoadedState<T> {
  readonly key: string | null
  readonly turn: number
  readonly saved: number
  readonly data?: T
  readonly error?: unknown
}

function dataOf<T>({ data }: LoadedState<T>): Pick<LoadedState<T>, 'data'> {
  return data === undefined ? {} : { data }
}

function mayPass(error: unknown): boolean {
  return error instanceof CallFailed && error.mayPass
}

/** The roles of the person in this account, once they are known: none, if they cannot be read. */
export function useRoles(): ReadonlySet<string> | undefined {
  const { allowances, me, session } = useApp()
  const account = session.callerNow().account ?? me.account.id
  const { data, error } = useLoaded('roles', () => allowances.roles(me.id, account))
  return error === undefined ? data : NONE
}
const NONE: ReadonlySet<string> = new Set()

/** True once it is known that the person administers this account; undefined before. */
export function useIsAdministrator(): boolean | undefined {
  const roles = useRoles()
  return roles && ADMINISTRATORS.some((role) => roles.has(role))
}
