/** Starts the console: texts, then who is signed in, then the catalog, then the page. */
import { render } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { PageSettings } from '../page-settings.js'
import { createApi } from './core/api.js'
import { createSession, type Session } from './core/browser-session.js'
import { CallFailed } from './core/call-failed.js'
import { createPlaces, type Places } from './core/places.js'
import { loadCatalog } from './core/read-catalog.js'
import { readSettings } from './core/read-settings.js'
import { createSaves, type Saves } from './core/saves.js'
import { loadTexts, type Texts, with24Hours } from './core/texts.js'
import type { App, Me } from './core/use-app.js'
import { createAllowances } from './core/what-is-allowed.js'
import { Shell } from './pages/shell.js'
import { SignInPage } from './pages/sign-in.js'
import { explained } from './parts/basics.js'

interface Parts {
  readonly settings: PageSettings
  readonly session: Session
  readonly places: Places
  readonly saves: Saves
}

/** Calls of nobody in particular, and of a page that is gone: they do not ask anybody to sign in. */
const askNobody = (failure: CallFailed) => Promise.reject(failure)

/** What is known so far. */
type State =
  | { readonly is: 'loading' }
  | { readonly is: 'anonymous' }
  | { readonly is: 'broken'; readonly error: unknown }
  | { readonly is: 'signed in'; readonly app: Omit<App, 'say'>; readonly account: string | null }

function Console({ parts, first }: { parts: Parts; first: Texts }) {
  const { places, saves, session, settings } = parts
  const [texts, setTexts] = useState(first)
  const [state, setState] = useState<State>({ is: 'loading' })
  /** The person and the account whose page is shown. What has begun on another one does not go on as them. */
  const shown = useRef<string | null>(null)
  const turns = useRef(0)
  const anyone = useMemo(() => createApi(settings, () => ({ ...session.callerNow(), person: null }), askNobody, saves), [])
  const show = (page: string | null) => {
    if (shown.current !== page) session.stopWaiting()
    shown.current = page
  }

  /** An account that is closed to the person, by now or since somebody else has chosen it, must not lock them out. */
  const inOwnAccount = (error: unknown) => {
    if (!(error instanceof CallFailed && error.status === 403) || session.callerNow().account === null) throw error
    session.chooseAccount(null)
    return anyone.get<Me>('/me')
  }
  const open = async (spoken: Texts) => {
    const turn = ++turns.current
    session.speak(spoken.language)
    const me = await anyone.get<Me>('/me').catch(inOwnAccount)
    const { account } = session.callerNow()
    const page = ownerOfPage(me, account)
    const caller = () => ({ ...session.callerNow(), account, person: String(me.id) })
    const signInAgain = (failure: CallFailed) => (shown.current === page ? session.waitForSignIn() : askNobody(failure))
    const api = createApi(settings, caller, signInAgain, saves)
    const catalog = await loadCatalog(api)
    if (turn !== turns.current) return
    show(page)
    session.isPerson(me.id)
    const app = { ...parts, ...textsOf(me, spoken), api, allowances: createAllowances(api), catalog, me }
    setState({ is: 'signed in', account, app })
  }
  const start = (spoken: Texts): Promise<void> =>
    open(spoken).catch((error: unknown) => {
      if (error instanceof CallFailed && error.status === 401) {
        session.forget()
        show(null)
        return setState({ is: 'anonymous' })
      }
      setState({ is: 'broken', error })
    })
  useEffect(() => {
    if (session.mayBeSignedIn()) void start(first)
    else setState({ is: 'anonymous' })
  }, [])

  // What the person has done to their own record, or somebody to the account, is in the head of the page and in what they may do.
  useEffect(() => {
    if (state.is !== 'signed in') return
    const { app } = state
    return saves.onPath((path) => {
      if (!DECIDES_ABOUT_PEOPLE.test(path)) return
      app.allowances.forget()
      const read = app.api.get<Me>('/me')
      read.then(
        (me) => isShownAlike(me, app.me) || setState({ ...state, app: { ...app, ...textsOf(me, texts), me } }),
        () => undefined,
      )
    })
  }, [saves, state, texts])

  const speak = async (language: string) => {
    const spoken = await loadTexts(settings, language)
    setTexts(spoken)
    if (state.is === 'signed in') await start(spoken)
  }
  if (state.is === 'loading') return <p class="loading">{texts.t('loading')}</p>
  if (state.is === 'broken') {
    return (
      <main class="sign-in">
        <div class="problem" role="alert">
          <p>{explained(state.error, texts.t)}</p>
          <button type="button" onClick={() => start(texts)}>
            {texts.t('try_again')}
          </button>
        </div>
      </main>
    )
  }
  if (state.is === 'anonymous') {
    return <SignInPage settings={settings} session={session} texts={texts} onDone={() => open(texts)} onLanguage={speak} />
  }
  const signOut = async () => {
    await session.signOut()
    show(null)
    places.go('', true)
    setState({ is: 'anonymous' })
  }
  // Another account has other records, and another person may see other ones: nothing that was read or typed before stays.
  return (
    <Shell
      key={ownerOfPage(state.app.me, state.account)}
      app={state.app}
      texts={texts}
      onLanguage={speak}
      onSignOut={signOut}
      whoIsThere={() => anyone.get<Me>('/me')}
      restart={() => start(texts)}
    />
  )
}

/** Paths of records that decide what somebody may do, and who they are. */
const DECIDES_ABOUT_PEOPLE = /^\/(people|account|organizations|teams)\b/

function isShownAlike(one: Me, other: Me): boolean {
  const shown = ({ account, name, primary_email, time_format_24h, time_zone }: Me) =>
    JSON.stringify([account, name, primary_email, time_format_24h, time_zone])
  return shown(one) === shown(other)
}

function textsOf(me: Me, spoken: Texts): Texts {
  return me.time_format_24h === true ? with24Hours(spoken) : spoken
}

/** What a page belongs to. */
function ownerOfPage({ id }: Pick<Me, 'id'>, account: string | null): string {
  return `${id} ${account ?? ''}`
}

/** Without texts there is no language yet. */
function NotStarted({ error }: { error: unknown }) {
  return (
    <main class="sign-in">
      <div class="problem" role="alert">
        <p>The console could not be started. {String(error)}</p>
        <button type="button" onClick={() => location.reload()}>
          Try again
        </button>
      </div>
    </main>
  )
}

async function main(): Promise<void> {
  const settings = readSettings()
  const session = createSession(settings)
  const places = createPlaces(settings.home)
  const saves = createSaves(settings.home)
  const { color } = settings.brand
  if (color) document.documentElement.style.setProperty('--brand', color)
  const first = await loadTexts(settings)
  const root = document.getElementById('console')
  if (root) render(<Console parts={{ settings, session, places, saves }} first={first} />, root)
}

main().catch((error: unknown) => {
  const root = document.getElementById('console')
  if (root) render(<NotStarted error={error} />, root)
})
