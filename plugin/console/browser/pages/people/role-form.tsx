/** Gives and takes the roles of a person in one account. */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { Api } from '../../core/api.js'
import { CallFailed } from '../../core/call-failed.js'
import { useApp } from '../../core/use-app.js'
import { useKeys } from '../../core/use-key.js'
import { useGuard } from '../../core/use-unsaved.js'
import type { AccountRoles } from '../../core/what-is-allowed.js'
import { Problem } from '../../parts/basics.js'
import { ROLES, type RoleLabels } from './role-labels.js'

/** The roles that are stored, and their tag; without a tag where the person has none yet. */
export interface StoredRoles {
  readonly roles: readonly string[]
  readonly tag: string | null
}

/** Reads the roles in one account. @throws CallFailed */
export async function readRoles(api: Api, path: string, signal?: AbortSignal): Promise<StoredRoles> {
  try {
    const { data, headers } = await api.call<AccountRoles>('GET', path, signal ? { signal } : {})
    return { roles: data.roles, tag: headers.get('ETag') }
  } catch (failure) {
    if (failure instanceof CallFailed && failure.status === 404) return { roles: [], tag: null }
    throw failure
  }
}

interface RoleFormProps {
  /** `/people/3/permissions/acme`. */
  readonly path: string
  readonly accountName: string
  readonly stored: StoredRoles
  readonly labels: RoleLabels
  /** True if the person who is signed in owns the account. */
  readonly isOwner: boolean
  /** True for the own roles, which a person may be unable to take back. */
  readonly isOwn: boolean
  readonly onDone: () => void
  readonly onCancel: () => void
}

const inOrder = (roles: Iterable<string>) => {
  const some = new Set(roles)
  return [...ROLES.filter((role) => some.has(role)), ...[...some].filter((role) => !ROLES.includes(role))]
}
const isSame = (some: readonly string[], others: readonly string[]) => inOrder(some).join() === inOrder(others).join()

export function RoleForm({ accountName, isOwn, isOwner, labels, onCancel, onDone, path, stored }: RoleFormProps) {
  const { api, say, t } = useApp()
  const [base, setBase] = useState(stored)
  const [chosen, setChosen] = useState(stored.roles)
  const [hasChanged, setHasChanged] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const { keyOf } = useKeys()
  const id = useId()
  const first = useRef<HTMLFieldSetElement>(null)
  const isDone = useRef(false)
  const isChanged = !isSame(chosen, base.roles)
  useGuard(isChanged, () => isDone.current)
  useEffect(() => first.current?.querySelector<HTMLInputElement>('input:not(:disabled)')?.focus(), [])

  const finish = () => {
    isDone.current = true
    say(t('saved'))
    onDone()
  }
  /** Goes on with what others have stored: what was chosen here is chosen on top of it. */
  const meet = async () => {
    const now = await readRoles(api, path)
    const taken = base.roles.filter((role) => !chosen.includes(role))
    const given = chosen.filter((role) => !base.roles.includes(role))
    // An answer was lost, or somebody else has chosen the same.
    if (isSame(now.roles, chosen)) return finish()
    setBase(now)
    setChosen(inOrder([...now.roles.filter((role) => !taken.includes(role)), ...given]))
    setHasChanged(true)
  }
  const save = async () => {
    if (isOwn && base.roles.some((role) => !chosen.includes(role)) && !confirm(t('roles_own_sure'))) return
    setBusy(true)
    setError(null)
    try {
      const body = { roles: inOrder(chosen) }
      if (base.tag === null) await api.call('POST', path, { body, headers: { 'Idempotency-Key': keyOf({ path, body }) } })
      else await api.call('PATCH', path, { body, headers: { 'If-Match': base.tag } })
      finish()
    } catch (failure) {
      if (failure instanceof CallFailed && failure.status === 412) await meet().catch(setError)
      else setError(failure)
    } finally {
      setBusy(false)
    }
  }
  const choose = (role: string, isChosen: boolean) => {
    setChosen((now) => inOrder(isChosen ? [...now, role] : now.filter((one) => one !== role)))
  }
  const now = base.roles.map(labels.label).join(', ')
  return (
    <form
      class="role-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) void save()
      }}
    >
      {hasChanged && (
        <p class="conflict" role="alert">
          {t('roles_conflict', { roles: now === '' ? t('none') : now })}
        </p>
      )}
      {error !== null && <Problem error={error} />}
      <fieldset ref={first}>
        <legend class="hidden">{t('roles_in', { account: accountName })}</legend>
        {inOrder([...ROLES, ...chosen]).map((role) => {
          const isClosed = role === 'account_owner' && !isOwner
          return (
            <div key={role} class="choice">
              <input
                id={`${id}-${role}`}
                type="checkbox"
                checked={chosen.includes(role)}
                disabled={isClosed}
                aria-describedby={`${id}-${role}-help`}
                onChange={(event) => choose(role, event.currentTarget.checked)}
              />
              <label for={`${id}-${role}`}>{labels.label(role)}</label>
              <p class="help" id={`${id}-${role}-help`}>
                {labels.help(role)}
                {isClosed && ` ${t('roles_owner_only')}`}
              </p>
            </div>
          )
        })}
      </fieldset>
      <div class="form-actions">
        <button type="submit" class="primary" disabled={isBusy || !isChanged}>
          {t(isBusy ? 'saving' : 'save')}
        </button>
        <button type="button" onClick={onCancel} disabled={isBusy}>
          {t('cancel')}
        </button>
      </div>
    </form>
  )
}
