/** The roles of a person, on the page of the person. Read when the section is opened. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Output } from '../../core/api.js'
import { ADMINISTRATORS, ROLE_READERS } from '../../core/roles.js'
import { useApp, useLoaded, useRoles } from '../../core/use-app.js'
import type { AccountRoles } from '../../core/what-is-allowed.js'
import { explained, Loading, Problem } from '../../parts/basics.js'
import type { ExtraProps } from '../page-props.js'
import { RoleForm, readRoles, type StoredRoles } from './role-form.js'
import { useRoleLabels } from './role-labels.js'
import { RoleRows } from './roles-by-account.js'

export function PersonRoles({ path, record }: Pick<ExtraProps, 'path' | 'record'>) {
  const { me, t } = useApp()
  const roles = useRoles()
  const [isOpen, setOpen] = useState(false)
  // Others are refused: nothing is asked, and nothing is said.
  if (record['id'] !== me.id && !ROLE_READERS.some((role) => roles?.has(role))) return null
  return (
    <details class="section" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>{t('roles')}</h2>
      </summary>
      {isOpen && <Roles path={`${path}/permissions`} record={record} />}
    </details>
  )
}

interface Edited extends StoredRoles {
  readonly accountId: string
}

function Roles({ path, record }: { path: string; record: Output }) {
  const { allowances, api, me, say, session, t } = useApp()
  const labels = useRoleLabels()
  const list = useLoaded(path, (signal) => api.get<readonly AccountRoles[]>(path, signal))
  const mine = useLoaded('own roles', () => allowances.rolesByAccount(me.id)).data ?? []
  const general = useLoaded('people in general', () => allowances.inGeneral('person')).data
  const [edited, setEdited] = useState<Edited | null>(null)
  const [added, setAdded] = useState<readonly string[]>([])
  const root = useRef<HTMLDivElement>(null)
  const last = useRef<string | null>(null)
  // The form is gone: who works by keyboard goes on where it was opened.
  useEffect(() => {
    if (edited === null && last.current !== null)
      root.current?.querySelector<HTMLElement>(`[data-account="${last.current}"]`)?.focus()
    last.current = edited?.accountId ?? null
  }, [edited])
  if (!list.data) return list.error === undefined ? <Loading /> : <Problem error={list.error} retry={list.reload} />

  const here = session.callerNow().account ?? me.account.id
  const isOwn = record['id'] === me.id
  // Of people of another account, only the roles in this one can be known.
  const isOfHere = record['account'] === undefined
  const mayGiveIn = (accountId: string) =>
    general !== undefined &&
    general.update !== 'none' &&
    (isOfHere || accountId === here) &&
    mine.some(({ account, roles }) => account.id === accountId && ADMINISTRATORS.some((role) => roles.includes(role)))
  const isOwnerOf = (accountId: string) =>
    mine.some(({ account, roles }) => account.id === accountId && roles.includes('account_owner'))
  const nameOf = (id: string) => mine.find(({ account }) => account.id === id)?.account.name ?? id
  const has = (id: string) => list.data?.some(({ account }) => account.id === id)
  const empty = [...new Set([...(mayGiveIn(here) ? [here] : []), ...added])].filter((id) => !has(id))
  const rows = [...list.data, ...empty.map((id) => ({ account: { id, name: nameOf(id) }, roles: [] }))].sort(
    (one, other) => Number(other.account.id === here) - Number(one.account.id === here),
  )
  const further = mine
    .map(({ account }) => account)
    .filter(({ id }) => mayGiveIn(id) && !rows.some((row) => row.account.id === id))

  const edit = async (accountId: string, isNew: boolean) => {
    try {
      const stored = isNew ? { roles: [], tag: null } : await readRoles(api, `${path}/${accountId}`)
      setEdited({ accountId, ...stored })
    } catch (failure) {
      say(explained(failure, t))
    }
  }
  const done = () => {
    setEdited(null)
    // The pages of somebody with other roles are other ones.
    if (isOwn) return location.reload()
  }
  return (
    <div class="related" ref={root}>
      {list.error !== undefined && <Problem error={list.error} retry={list.reload} />}
      {rows.length === 0 && <p class="help">{t('roles_none')}</p>}
      <RoleRows
        rows={rows}
        labels={labels}
        formOf={({ account }) =>
          edited?.accountId === account.id && (
            <RoleForm
              path={`${path}/${account.id}`}
              accountName={account.name}
              stored={edited}
              labels={labels}
              isOwner={isOwnerOf(account.id)}
              isOwn={isOwn}
              onDone={done}
              onCancel={() => setEdited(null)}
            />
          )
        }
        actionOf={({ account, roles }) =>
          mayGiveIn(account.id) &&
          edited === null && (
            <button
              type="button"
              data-account={account.id}
              aria-label={t('roles_change_in', { account: account.name })}
              onClick={() => void edit(account.id, roles.length === 0)}
            >
              {t('roles_change')}
            </button>
          )
        }
      />
      {further.length > 0 && edited === null && (
        <label class="further-account">
          <span>{t('roles_elsewhere')}</span>
          <select
            value=""
            onChange={(event) => {
              const { value } = event.currentTarget
              setAdded([...added, value])
              void edit(value, true)
            }}
          >
            <option value="">{t('choose')}</option>
            {further.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  )
}
