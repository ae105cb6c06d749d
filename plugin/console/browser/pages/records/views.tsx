/** Views of a list: all records, the predefined lists, and those that the person or a team has saved. */
import { useId, useState } from 'preact/hooks'
import type { Output } from '../../core/api.js'
import type { RecordType } from '../../core/read-catalog.js'
import { useApp, useLoaded } from '../../core/use-app.js'
import { useKeys } from '../../core/use-key.js'
import { closeMenu, explained, Link, Menu } from '../../parts/basics.js'
import { ReferenceInput } from '../../parts/reference-input.js'

interface ViewsProps {
  readonly type: RecordType
  readonly query: URLSearchParams
  readonly onChange: (query: URLSearchParams) => void
}

export function Views({ type, query, onChange }: ViewsProps) {
  const { api, me, say, t } = useApp()
  const saved = useLoaded(`views ${type.name}`, (signal) =>
    api.get<readonly Output[]>(
      `/views/for_me?record_type=${type.name}&fields=name,query,person,team&sort=name&per_page=100`,
      signal,
    ),
  )
  const state = query.get('state')
  const shown = withoutPage(query)
  const current = saved.data?.find((view) => withoutPage(new URLSearchParams(String(view['query'] ?? ''))) === shown)
  const remove = async (view: Output) => {
    try {
      await api.call('DELETE', `/views/${view['id']}`)
      onChange(new URLSearchParams())
    } catch (error) {
      say(explained(error, t))
    }
  }
  const isMine = (view: Output) => (view['person'] as Output | null)?.['id'] === me.id
  return (
    <nav class="views" aria-label={t('views')}>
      <ul>
        <li>
          <Link to={type.path ?? ''} current={shown === ''}>
            {t('all')}
          </Link>
        </li>
        {type.lists.map((list) => (
          <li key={list.name}>
            <Link to={`${type.path}?state=${list.name}`} current={state === list.name && !current}>
              {list.label}
            </Link>
          </li>
        ))}
        {saved.data?.map((view) => (
          <li key={String(view['id'])} class="saved">
            <Link to={`${type.path}?${view['query'] ?? ''}`} current={view === current}>
              {String(view['name'])}
              {view['team'] !== null && <small> {String((view['team'] as Output)['name'])}</small>}
            </Link>
            {view === current && isMine(view) && (
              <button
                type="button"
                class="clear"
                aria-label={t('remove_named', { name: String(view['name']) })}
                onClick={() => remove(view)}
              >
                <span aria-hidden="true">×</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {shown !== '' && !current && <SaveView type={type} query={shown} />}
    </nav>
  )
}

function SaveView({ type, query }: { type: RecordType; query: string }) {
  const { api, say, t } = useApp()
  const { keyOf } = useKeys()
  const [team, setTeam] = useState<Output | null>(null)
  const [error, setError] = useState<unknown>(null)
  const id = useId()
  const save = async (event: Event) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const name = String(new FormData(form).get('name') ?? '')
    try {
      const body = { name, record_type: type.name, query, team_id: team?.['id'] ?? null }
      await api.call('POST', '/views', {
        body,
        headers: { 'Idempotency-Key': keyOf(body) },
      })
      closeMenu(form)
      say(t('view_saved'))
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <Menu label={t('save_view')}>
      <form onSubmit={save}>
        {error !== null && (
          <p class="problem" role="alert">
            {explained(error, t)}
          </p>
        )}
        <label for={`${id}-name`}>{t('name')}</label>
        <input id={`${id}-name`} name="name" type="text" maxLength={128} required />
        <label for={`${id}-team`}>{t('share_with_team')}</label>
        <ReferenceInput id={`${id}-team`} type="team" value={team} onChange={setTeam} />
        <button type="submit" class="primary">
          {t('save')}
        </button>
      </form>
    </Menu>
  )
}

/** The parameters of a view: pages are about one call. */
function withoutPage(query: URLSearchParams): string {
  const rest = new URLSearchParams(query)
  rest.delete('page')
  return rest.toString()
}
