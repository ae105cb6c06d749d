/** The personal tokens or OAuth clients of somebody, with a form for the own ones. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { useApp, useLoaded } from '../../core/use-app.js'
import { Loading, Problem } from '../../parts/basics.js'
import { ShownOnce } from '../../parts/shown-once.js'
import { CredentialForm } from './credential-form.js'
import type { Credential, CredentialKind } from './credential-kinds.js'
import { CredentialTable } from './credential-table.js'

/** @param path of the list; the person may make some there if `mayMake` */
export function Credentials({ kind, path, mayMake }: { kind: CredentialKind; path: string; mayMake: boolean }) {
  const { api, t } = useApp()
  const list = useLoaded(path, (signal) => api.get<readonly Credential[]>(path, signal))
  const [isMaking, setMaking] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const start = useRef<HTMLButtonElement>(null)
  const isOver = useRef(false)
  // Form and dialog are gone: who works by keyboard goes on where they began.
  useEffect(() => {
    if (isOver.current && !isMaking && secret === null) start.current?.focus()
    isOver.current = isMaking || secret !== null
  }, [isMaking, secret])
  const made = (text: string) => {
    setMaking(false)
    setSecret(text)
  }
  return (
    <>
      {mayMake &&
        (isMaking ? (
          <CredentialForm kind={kind} path={path} onMade={made} onLost={list.reload} onCancel={() => setMaking(false)} />
        ) : (
          <p>
            <button type="button" ref={start} onClick={() => setMaking(true)}>
              {t(kind.texts.make)}
            </button>
          </p>
        ))}
      {list.error !== undefined && <Problem error={list.error} retry={list.reload} />}
      {!list.data && list.error === undefined && <Loading />}
      {list.data?.length === 0 && <p class={mayMake ? 'empty' : 'help'}>{t(mayMake ? kind.texts.none : 'none')}</p>}
      {list.data && list.data.length > 0 && (
        <CredentialTable kind={kind} path={path} list={list.data} isBusy={list.isLoading} />
      )}
      {secret !== null && (
        <ShownOnce secret={secret} title={t(kind.texts.secret)} help={t(kind.texts.once)} onClose={() => setSecret(null)} />
      )}
    </>
  )
}
