/** Who is signed in: by a session of the browser, by a token of this tab, or at the host. */
import type { PageSettings } from '../../page-settings.js'
import type { Caller, Json } from './api.js'
import { CallFailed } from './call-failed.js'
import { forgetTab, onChangeElsewhere, recall, recallInTab, remember, rememberInTab } from './kept-in-browser.js'

export interface Session {
  /** Who calls now, and how; which person that should be is for each page to say. */
  callerNow(): Omit<Caller, 'person'>
  /** @throws CallFailed for a wrong password, and after too many */
  signIn(email: string, password: string): Promise<void>
  /** False if nobody has signed in with this browser, so that there is no use in asking the API. */
  mayBeSignedIn(): boolean
  /** Uses a token until the tab is closed. */
  useToken(token: string): void
  /** Forgets the token of this tab, which was refused or stands in the way of another sign-in. */
  dropToken(): void
  /** Forgets a sign-in that has ended. */
  forget(): void
  /** Ends the session, and forgets token, account and what was typed. @throws CallFailed if the session goes on */
  signOut(): Promise<void>
  /** Who has signed in. Another tab of this browser in which somebody else does so changes who calls, so that it loads this one again. */
  isPerson(id: number): void
  chooseAccount(id: string | null): void
  speak(language: string): void
  /** Waits until somebody has signed in: for a call that was refused in the middle of something. */
  waitForSignIn(): Promise<void>
  /** Somebody has signed in, so that what waits goes on. */
  isBack(): void
  /** The page of those who wait is gone: their calls fail. */
  stopWaiting(): void
  /** True while something waits for a sign-in. */
  isAwaited(): boolean
  /** Returns a function that ends it. */
  listen(changed: () => void): () => void
}

const TOKEN = 'token'
const ACCOUNT = 'account'
/** Kept while there is a session, whose cookie scripts cannot see. */
const SIGNED_IN = 'signed-in'
/** The id of the person whom the session signs in, for other tabs. */
const PERSON = 'person'

export function createSession({ api, prefix, signIn }: PageSettings): Session {
  let language = 'en'
  // Of this tab: a choice in another one must not send what is open here to another account.
  let account = recallInTab(ACCOUNT) ?? recall(ACCOUNT)
  const chooseAccount = (id: string | null) => {
    account = id
    rememberInTab(ACCOUNT, id)
    remember(ACCOUNT, id)
  }
  let person: string | null = null
  onChangeElsewhere(PERSON, (other) => {
    if (person !== null && other !== person && recallInTab(TOKEN) === null) location.reload()
  })
  let waiting: { readonly promise: Promise<void>; readonly resolve: () => void; readonly reject: () => void } | null = null
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const atSession = async (method: string, body?: Json) => {
    const response = await fetch(`${api}/session`, {
      method,
      credentials: 'same-origin',
      headers: {
        [`${prefix}Session`]: '1',
        [`${prefix}Language`]: language,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new CallFailed(0, String(error))
    })
    if (response.ok) return
    const { message } = (await response.json().catch(() => ({}))) as { readonly message?: string }
    const wait = Number(response.headers.get('Retry-After') ?? Number.NaN)
    throw new CallFailed(response.status, message ?? response.statusText, [], Number.isNaN(wait) ? null : wait)
  }
  const endWaiting = (end: 'resolve' | 'reject') => {
    waiting?.[end]()
    waiting = null
    tell()
  }
  return {
    callerNow: () => ({ token: recallInTab(TOKEN), account, language }),
    async signIn(email, password) {
      rememberInTab(TOKEN, null)
      await atSession('POST', { email, password })
      remember(SIGNED_IN, 'yes')
    },
    mayBeSignedIn: () => signIn.host || recall(SIGNED_IN) !== null || recallInTab(TOKEN) !== null,
    useToken: (token) => rememberInTab(TOKEN, token),
    dropToken: () => rememberInTab(TOKEN, null),
    forget() {
      // The token of this tab says nothing about the session of the others.
      if (recallInTab(TOKEN) === null) remember(SIGNED_IN, null)
      rememberInTab(TOKEN, null)
    },
    async signOut() {
      const hadToken = recallInTab(TOKEN) !== null
      // First: who could not be signed out must see it, because the next one here would go on as them.
      if (!hadToken) await atSession('DELETE').catch(mustHaveSessions)
      forgetTab()
      chooseAccount(null)
      person = null
      if (hadToken) return
      remember(PERSON, null)
      remember(SIGNED_IN, null)
    },
    isPerson(id) {
      person = String(id)
      // The token of this tab says nothing about the others.
      if (recallInTab(TOKEN) === null) remember(PERSON, person)
    },
    chooseAccount,
    speak: (wanted) => {
      language = wanted
    },
    waitForSignIn() {
      if (!waiting) {
        let [resolve, reject] = [(): void => undefined, (_: unknown): void => undefined]
        const promise = new Promise<void>((done, fail) => ([resolve, reject] = [done, fail]))
        waiting = { promise, resolve: () => resolve(), reject: () => reject(new CallFailed(401, 'The page has ended')) }
        tell()
      }
      return waiting.promise
    },
    isBack: () => endWaiting('resolve'),
    stopWaiting: () => endWaiting('reject'),
    isAwaited: () => waiting !== null,
    listen(changed) {
      listeners.add(changed)
      return () => void listeners.delete(changed)
    },
  }
}

/** Passes over the answer of a server without sessions, where the host has signed the person in. */
function mustHaveSessions(failure: unknown): void {
  if (!(failure instanceof CallFailed && failure.status === 404)) throw failure
}
