/** Starts the console: texts, then who is signed in, then the catalog, then the page. */
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { PageSettings } from '../page-settings.js'
import { type Api, createApi } from './core/api.js'
import { createSession, type Session } from './core/browser-session.js'
import { CallFailed } from './core/call-failed.js'
import { createPlaces, type Places } from './core/places.js'
import { loadCatalog } from './core/read-catalog.js'
import { readSettings } from './core/read-settings.js'
import { loadTexts, type Texts, with24Hours } from './core/texts.js'
import type { App, Me } from './core/use-app.js'
import { createAllowances } from './core/what-is-allowed.js'
import { Shell } from './pages/shell.js'
import { SignInPage } from './pages/sign-in.js'
import { explained } from './parts/basics.js'

interface Parts {
  readonly settings: PageSettings
  readonly session: Session
  readonly api: Api
  readonly places: Places
}

/** What is known so far. */
type State =
  | { readonly is: 'loading' }
  | { readonly is: 'anonymous' }
  | { readonly is: 'broken'; readonly error: unknown }
  | { readonly is: 'signed in'; readonly app: Omit<App, 'say'>; readonly account: string | null }

function Console({ parts, first }: { parts: Parts; first: Texts }) {
  const { api, places, session, settings } = parts
  const [texts, setTexts] = useState(first)
  const [state, setState] = useState<State>({ is: 'loading' })

  /** An account that is closed to the person, by now or since somebody else has chosen it, must not lock them out. */
  const inOwnAccount = (error: unknown) => {
    if (!(error instanceof CallFailed && error.status === 403) || session.callerNow().account === null) throw error
    session.chooseAccount(null)
    return api.call<Me>('GET', '/me', { isFirst: true })
  }
  const open = async (spoken: Texts) => {
    session.speak(spoken.language)
    const me = (await api.call<Me>('GET', '/me', { isFirst: true }).catch(inOwnAccount)).data
    session.isPerson(me.id)
    const catalog = await loadCatalog(api)
    const { account } = session.callerNow()
    const texts = me.time_format_24h === true ? with24Hours(spoken) : spoken
    setState({ is: 'signed in', account, app: { ...parts, ...texts, allowances: createAllowances(api), catalog, me } })
  }
  const start = (spoken: Texts): Promise<void> =>
    open(spoken).catch((error: unknown) => {
      if (error instanceof CallFailed && error.status === 401) {
        session.forget()
        return setState({ is: 'anonymous' })
      }
      setState({ is: 'broken', error })
    })
  useEffect(() => {
    if (session.mayBeSignedIn()) void start(first)
    else setState({ is: 'anonymous' })
  }, [])

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
    places.go('', true)
    setState({ is: 'anonymous' })
  }
  // Another account has other records, and another person may see other ones: nothing that was read or typed before stays.
  return (
    <Shell
      key={`${state.app.me.id} ${state.account ?? ''}`}
      app={state.app}
      texts={texts}
      onLanguage={speak}
      onSignOut={signOut}
      restart={() => start(texts)}
    />
  )
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
  const api = createApi(settings, session.callerNow, session.waitForSignIn)
  const { color } = settings.brand
  if (color) document.documentElement.style.setProperty('--brand', color)
  const first = await loadTexts(settings)
  const root = document.getElementById('console')
  if (root) render(<Console parts={{ settings, session, places, api }} first={first} />, root)
}

main().catch((error: unknown) => {
  const root = document.getElementById('console')
  if (root) render(<NotStarted error={error} />, root)
})
