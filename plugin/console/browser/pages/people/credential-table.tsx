/** Personal tokens or OAuth clients with their limits and last use; each can be revoked. */
import { useRef, useState } from 'preact/hooks'
import { CallFailed } from '../../core/call-failed.js'
import { useApp } from '../../core/use-app.js'
import { explained } from '../../parts/basics.js'
import { Nothing } from '../../parts/value.js'
import type { Credential, CredentialKind } from './credential-kinds.js'

interface CredentialTableProps {
  readonly kind: CredentialKind
  /** Of the list: `/me/tokens`. */
  readonly path: string
  readonly list: readonly Credential[]
  readonly isBusy: boolean
}

export function CredentialTable({ isBusy, kind, list, path }: CredentialTableProps) {
  const { api, say, t, time } = useApp()
  const root = useRef<HTMLDivElement>(null)
  const [revoking, setRevoking] = useState<number | null>(null)
  const revoke = async ({ id, name }: Credential) => {
    if (revoking !== null || !confirm(t('token_revoke_sure', { name }))) return
    setRevoking(id)
    try {
      await api.call('DELETE', `${path}/${id}`)
      say(t('token_revoked', { name }))
    } catch (failure) {
      // Revoked in another tab, or by the attempt before, whose answer was lost.
      const isGone = failure instanceof CallFailed && failure.status === 404
      say(isGone ? t('token_revoked', { name }) : explained(failure, t))
    } finally {
      setRevoking(null)
      // The row with the button goes away.
      root.current?.focus()
    }
  }
  const moment = (at: string) => <time dateTime={at}>{time(at)}</time>
  const columns = [
    ...(kind.ends ? [] : [t('client_id')]),
    t('token_limits'),
    t('token_used'),
    ...(kind.ends ? [t('token_end')] : []),
    t('token_made'),
  ]
  return (
    <div class="table" aria-busy={isBusy} tabIndex={-1} ref={root}>
      <table class="credentials">
        <thead>
          <tr>
            {[t('name'), ...columns].map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {list.map((one) => (
            <tr key={one.id}>
              <td class="first">{one.name}</td>
              {!kind.ends && (
                <td data-label={t('client_id')}>
                  <span class="code">{one.client_id}</span>
                </td>
              )}
              <td data-label={t('token_limits')}>
                <Limits of={one} />
              </td>
              <td data-label={t('token_used')} class="short">
                {one.last_used_at === null ? t('token_unused') : moment(one.last_used_at)}
              </td>
              {kind.ends && (
                <td data-label={t('token_end')} class="short">
                  <End at={one.expires_at ?? null} />
                </td>
              )}
              <td data-label={t('token_made')} class="short">
                {moment(one.created_at)}
              </td>
              <td class="action">
                <button
                  type="button"
                  aria-label={t('token_revoke_named', { name: one.name })}
                  disabled={revoking === one.id}
                  onClick={() => void revoke(one)}
                >
                  {t('token_revoke')}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Limits({ of: { read_only, record_types } }: { of: Credential }) {
  const { catalog, t } = useApp()
  if (!read_only && record_types === null) return <Nothing />
  const types = (record_types ?? []).map((name) => labelOfType(name, catalog.typeNamed(name)?.label_of_many, t('token_feed')))
  return (
    <ul class="values limits">
      {read_only && <li>{t('token_read_only')}</li>}
      {types.length > 0 && <li>{types.join(', ')}</li>}
    </ul>
  )
}

/** The scope of the feed is none of the record types. */
export function labelOfType(name: string, label: string | undefined, feed: string): string {
  return label ?? (name === 'feed' ? feed : name)
}

function End({ at }: { at: string | null }) {
  const { t, time } = useApp()
  if (at === null) return <>{t('token_endless')}</>
  const isOver = Date.parse(at) <= Date.now()
  return (
    <>
      <time dateTime={at}>{time(at)}</time> {isOver && <span class="chip ended">{t('token_ended')}</span>}
    </>
  )
}
