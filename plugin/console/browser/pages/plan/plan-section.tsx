/** The plan of a change or a project, as a part of its page: read when it is opened. */
import { useState } from 'preact/hooks'
import { useApp, useLoaded } from '../../core/use-app.js'
import { Lazy } from '../../parts/lazy.js'
import type { ExtraProps } from '../page-props.js'

const VIEWS = () => import('./plan-views.js').then(({ PlanViews }) => PlanViews)

export function PlanSection({ type, path }: Pick<ExtraProps, 'path' | 'type'>) {
  const { allowances, catalog, t } = useApp()
  const [isOpen, setOpen] = useState(false)
  const readable = useLoaded('readable', () => allowances.readable()).data
  const list = type.children.find(({ name }) => name === 'tasks')
  const tasks = list && catalog.typeNamed(list.record)
  if (!list || !tasks || !readable?.has(tasks.name)) return null
  return (
    <details class="section plan" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>{t('plan')}</h2>
      </summary>
      {isOpen && <Lazy page={VIEWS} props={{ owner: type, type: tasks, path, list: list.name }} />}
    </details>
  )
}
