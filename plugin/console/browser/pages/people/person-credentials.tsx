/** The personal tokens and OAuth clients of a person, for administrators of the account of the person. Read when opened. */
import { useState } from 'preact/hooks'
import { useApp, useIsAdministrator } from '../../core/use-app.js'
import type { ExtraProps } from '../page-props.js'
import { CLIENTS, type CredentialKind, TOKENS } from './credential-kinds.js'
import { Credentials } from './credential-section.js'

export function PersonCredentials({ path, record }: Pick<ExtraProps, 'path' | 'record'>) {
  const { me, settings } = useApp()
  const isAdministrator = useIsAdministrator()
  // The own ones are on the own page; those of people of other accounts are for administrators there.
  if (!isAdministrator || record['id'] === me.id || record['account'] !== undefined) return null
  return (
    <>
      <Section kind={TOKENS} path={path} />
      {settings.oauth && <Section kind={CLIENTS} path={path} />}
    </>
  )
}

function Section({ kind, path }: { kind: CredentialKind; path: string }) {
  const { t } = useApp()
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="section" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>{t(kind.texts.title)}</h2>
      </summary>
      {isOpen && (
        <div class="related">
          <Credentials kind={kind} path={`${path}/${kind.path}`} mayMake={false} />
        </div>
      )}
    </details>
  )
}
