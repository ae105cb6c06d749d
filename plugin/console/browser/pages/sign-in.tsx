/** Signing in: with a password, or with a token for this tab. */
import { useState } from 'preact/hooks'
import type { PageSettings } from '../../page-settings.js'
import type { Session } from '../core/browser-session.js'
import { CallFailed } from '../core/call-failed.js'
import type { Texts } from '../core/texts.js'
import { explained } from '../parts/basics.js'

interface SignInProps {
  readonly settings: PageSettings
  readonly session: Session
  readonly texts: Texts
  /** Checks what was given. @throws CallFailed */
  readonly onDone: () => Promise<void>
}

export function SignInForm({ settings, session, texts, onDone }: SignInProps) {
  const { t } = texts
  const [way, setWay] = useState<'password' | 'token'>(settings.signIn.password ? 'password' : 'token')
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const text = (name: string) => String(form.get(name) ?? '')
    setBusy(true)
    setError(null)
    try {
      if (way === 'password') await session.signIn(text('email').trim(), text('password'))
      else session.useToken(text('token').trim())
      await onDone()
    } catch (failure) {
      const isRefused = failure instanceof CallFailed && (failure.status === 401 || failure.status === 422)
      if (way === 'token') session.dropToken()
      setError(isRefused ? t(way === 'password' ? 'wrong_password' : 'wrong_token') : explained(failure, t))
      setBusy(false)
    }
  }
  return (
    <form class="sign-in-form" onSubmit={submit}>
      {error !== null && (
        <p class="problem" role="alert">
          {error}
        </p>
      )}
      {way === 'password' ? (
        <>
          <label for="email">{t('email')}</label>
          <input id="email" name="email" type="email" autocomplete="username" required />
          <label for="password">{t('password')}</label>
          <input id="password" name="password" type="password" autocomplete="current-password" required />
        </>
      ) : (
        <>
          <label for="token">{t('token')}</label>
          <input id="token" name="token" type="password" autocomplete="off" aria-describedby="token-help" required />
          <p class="help" id="token-help">
            {t('token_help')}
          </p>
        </>
      )}
      <button type="submit" class="primary" disabled={isBusy}>
        {t('sign_in')}
      </button>
      {settings.signIn.password && (
        <button type="button" class="plain" onClick={() => setWay(way === 'password' ? 'token' : 'password')}>
          {t(way === 'password' ? 'use_token' : 'use_password')}
        </button>
      )}
    </form>
  )
}

/** Goes on after a sign-in at the host, whose page is not ours. @param onDone checks who is signed in; throws CallFailed */
export function GoOn({ onDone, session, t }: Pick<SignInProps, 'onDone' | 'session'> & Pick<Texts, 't'>) {
  const [error, setError] = useState<string | null>(null)
  const goOn = () => {
    // A token would go before the session of the host.
    session.dropToken()
    return onDone().catch((failure: unknown) => {
      const isNobody = failure instanceof CallFailed && failure.status === 401
      setError(isNobody ? t('not_signed_in') : explained(failure, t))
    })
  }
  return (
    <>
      <p>{t('host_sign_in_again')}</p>
      {error !== null && (
        <p class="problem" role="alert">
          {error}
        </p>
      )}
      <button type="button" class="primary" onClick={() => void goOn()}>
        {t('go_on')}
      </button>
    </>
  )
}

/** The page of somebody who is not signed in. */
export function SignInPage(props: SignInProps & { readonly onLanguage: (language: string) => void }) {
  const { settings, texts, onLanguage } = props
  return (
    <main class="sign-in">
      <div class="card">
        {settings.brand.logo && <img src={settings.brand.logo} alt="" height="40" />}
        <h1>{settings.brand.name}</h1>
        {settings.signIn.host && <p class="help">{texts.t('host_sign_in')}</p>}
        <SignInForm {...props} />
      </div>
      <LanguageChoice settings={settings} texts={texts} onLanguage={onLanguage} />
    </main>
  )
}

export function LanguageChoice(props: { settings: PageSettings; texts: Texts; onLanguage: (language: string) => void }) {
  const { settings, texts, onLanguage } = props
  return (
    <label class="language">
      <span>{texts.t('language')}</span>
      <select value={texts.language} onChange={(event) => onLanguage(event.currentTarget.value)}>
        {settings.languages.map(({ id, label }) => (
          <option key={id} value={id} lang={id}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
}
