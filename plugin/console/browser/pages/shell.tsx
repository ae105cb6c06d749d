/** The frame of all pages: head, navigation, the page itself, and messages. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { groupsOf } from '../core/navigation.js'
import type { Texts } from '../core/texts.js'
import { type App, AppContext, useApp, useLoaded, usePlace, useRoles } from '../core/use-app.js'
import { closeMenu, Dialog, Empty, explained, Link, Menu } from '../parts/basics.js'
import { Lazy } from '../parts/lazy.js'
import { HOST_PAGE, OWN_PAGES, RECORD_PAGES } from './all-pages.js'
import { GoOn, LanguageChoice, SignInForm } from './sign-in.js'

interface ShellProps {
  readonly app: Omit<App, 'say'>
  readonly texts: Texts
  readonly onLanguage: (language: string) => void
  /** @throws CallFailed if the session goes on */
  readonly onSignOut: () => Promise<void>
  /** Who is signed in now. @throws CallFailed with 401 for nobody */
  readonly whoIsThere: () => Promise<Person>
  /** Reads everything again: after the account has changed. */
  readonly restart: () => void
}

interface Person {
  readonly id: number
}

/** Milliseconds for which a message stays. */
const MESSAGE_LASTS = 6000

export function Shell(props: ShellProps) {
  const [message, setMessage] = useState('')
  const [isAwaited, setAwaited] = useState(props.app.session.isAwaited())
  const { session } = props.app
  useEffect(() => session.listen(() => setAwaited(session.isAwaited())), [session])
  useEffect(() => {
    if (message === '') return
    const timer = setTimeout(() => setMessage(''), MESSAGE_LASTS)
    return () => clearTimeout(timer)
  }, [message])
  const app = useMemo<App>(() => ({ ...props.app, say: setMessage }), [props.app])
  const { settings, t } = app
  const signedIn = async () => {
    const { id } = await props.whoIsThere()
    if (id === app.me.id) return session.isBack()
    // Somebody else must not send what was typed before.
    location.reload()
  }
  return (
    <AppContext.Provider value={app}>
      <a class="skip" href="#page">
        {t('skip')}
      </a>
      <Head {...props} />
      <div class="frame">
        <Navigation />
        <main id="page" tabIndex={-1}>
          <Page />
        </main>
      </div>
      <p class={`message ${message === '' ? '' : 'shown'}`} role="status">
        {message}
      </p>
      {isAwaited && (
        <Dialog title={t('sign_in_again')}>
          <p>{t('sign_in_again_help')}</p>
          {settings.signIn.host && <GoOn session={session} t={t} onDone={signedIn} />}
          <SignInForm settings={settings} session={session} texts={props.texts} onDone={signedIn} />
        </Dialog>
      )}
    </AppContext.Provider>
  )
}

function Head({ texts, onLanguage, onSignOut, restart }: ShellProps) {
  const { me, say, settings, t } = useApp()
  return (
    <header class="head">
      <Link to="" class="brand">
        {settings.brand.logo && <img src={settings.brand.logo} alt="" height="24" />}
        <span>{settings.brand.name}</span>
      </Link>
      <Menu class="person right" label={me.name} name={t('menu_of', { name: me.name })}>
        <Link to="/me">{t('me_page')}</Link>
        <Accounts restart={restart} />
        <LanguageChoice settings={settings} texts={texts} onLanguage={onLanguage} />
        <button type="button" onClick={() => void onSignOut().catch((failure: unknown) => say(explained(failure, t)))}>
          {t('sign_out')}
        </button>
      </Menu>
    </header>
  )
}

/** The accounts in which the person has roles. */
function Accounts({ restart }: { restart: () => void }) {
  const { allowances, me, session, t } = useApp()
  const { data = [] } = useLoaded(`accounts of ${me.id}`, () => allowances.rolesByAccount(me.id))
  const accounts = new Map([
    [me.account.id, me.account.name],
    ...data.map(({ account }) => [account.id, account.name] as const),
  ])
  const chosen = session.callerNow().account ?? me.account.id
  return (
    <label class="account">
      <span>{t('account')}</span>
      <select
        value={chosen}
        onChange={(event) => {
          const { value } = event.currentTarget
          session.chooseAccount(value === me.account.id ? null : value)
          closeMenu(event.currentTarget)
          restart()
        }}
      >
        {[...accounts].map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

function Navigation() {
  const app = useApp()
  const { allowances, catalog, t } = app
  const { path } = usePlace()
  const { data: readable } = useLoaded('readable', () => allowances.readable())
  const roles = useRoles()
  const groups = useMemo(() => (readable && roles ? groupsOf(app, readable, roles) : []), [app, readable, roles])
  const [isOpen, setOpen] = useState(false)
  // On a phone the navigation covers the page: following a link closes it.
  useEffect(() => setOpen(false), [path])
  const current = catalog.typeAt(`/${path.split('/')[1] ?? ''}`)
  const root = useRef<HTMLElement>(null)
  // Who opens a page by its URL sees where it is.
  useEffect(() => root.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }), [groups])
  return (
    <nav ref={root} class={`navigation ${isOpen ? 'open' : ''}`} aria-label={t('navigation')}>
      <button type="button" class="navigation-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t('navigation')}
      </button>
      <div class="navigation-panel">
        <Link to="" current={path === ''}>
          {t('home')}
        </Link>
        {groups.map((group) => (
          <section key={group.title}>
            <h2>{t(group.title)}</h2>
            <ul>
              {group.types.map((type) => (
                <li key={type.name}>
                  <Link to={type.path ?? ''} current={type === current}>
                    {type.label_of_many}
                  </Link>
                </li>
              ))}
              {group.links.map(({ text, to }) => (
                <li key={to}>
                  <Link to={to} current={path.startsWith(to)}>
                    {text}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </nav>
  )
}

function Page() {
  const { catalog, settings, t } = useApp()
  const { path } = usePlace()
  const main = useRef<HTMLDivElement>(null)
  const isFirst = useRef(true)
  useEffect(() => {
    // Who follows a link hears the new page; who opens the console begins at its top.
    if (!isFirst.current) main.current?.closest('main')?.focus({ preventScroll: true })
    isFirst.current = false
  }, [path])
  const [first = '', second, ...more] = path.split('/').slice(1)
  const type = catalog.typeAt(`/${first}`)
  const content = () => {
    const own = OWN_PAGES[first]
    if (own && more.length === 0) return <Lazy key={path} page={own} props={{ part: second }} />
    const ofHost = settings.pages.find((page) => page.path === path)
    if (ofHost) return <Lazy key={path} page={HOST_PAGE} props={{ page: ofHost }} />
    if (!type || more.length > 0) return <Empty>{t('no_page')}</Empty>
    if (second === undefined) return <Lazy key={path} page={RECORD_PAGES.list} props={{ type }} />
    if (second === 'new') return <Lazy key={path} page={RECORD_PAGES.create} props={{ type }} />
    if (!/^\d{1,15}$/.test(second)) return <Empty>{t('no_page')}</Empty>
    return <Lazy key={path} page={RECORD_PAGES.one} props={{ type, id: Number(second) }} />
  }
  return <div ref={main}>{content()}</div>
}
