/** The views of a plan: along the time, as a graph, and as a table that says the same in words. */
import { useMemo, useState } from 'preact/hooks'
import type { RecordType } from '../../core/read-catalog.js'
import { useApp, useLoaded } from '../../core/use-app.js'
import { useMedia } from '../../core/use-media.js'
import { Empty, Link, Loading, Problem } from '../../parts/basics.js'
import { Tabs } from '../../parts/tabs.js'
import { unitOf } from '../../parts/value.js'
import { PlanGraph } from './plan-graph.js'
import { DecidingMark, type ViewProps } from './plan-parts.js'
import { PlanTable } from './plan-table.js'
import { PlanTimeline } from './plan-timeline.js'
import { type PlanTask, readPlan } from './read-plan.js'
import { type Chain, decidingChain } from './task-graph.js'

export interface PlanViewsProps {
  /** The type of the record that has the tasks. */
  readonly owner: RecordType
  /** Of the tasks. */
  readonly type: RecordType
  /** Of the record: `/changes/7`. */
  readonly path: string
  /** Name of the list of its tasks. */
  readonly list: string
}

type View = 'timeline' | 'graph' | 'table'

/** Tasks that are read at once. */
const MANY = 200
/** Names of a long chain that are told, at its beginning and at its end. */
const TOLD = 3

export function PlanViews({ owner, type, path, list }: PlanViewsProps) {
  const { api, number, t } = useApp()
  const [most, setMost] = useState(MANY)
  const [wanted, setWanted] = useState<View>('timeline')
  const isNarrow = useMedia('(max-width: 40rem)')
  const url = `${path}/${list}`
  const { data, error, isLoading, reload } = useLoaded(`${url} ${most}`, (signal) => readPlan(api, url, type, most, signal))
  const tasks = data?.tasks
  const chain = useMemo(() => (tasks ? decidingChain(tasks) : null), [tasks])
  const deciding = useMemo(
    () => new Map(chain?.tasks.map(({ id }, index) => [id, chain.tasks[index + 1]?.id ?? null])),
    [chain],
  )
  if (error !== undefined) return <Problem error={error} retry={reload} />
  if (!data || !tasks) return <Loading />
  if (tasks.length === 0) {
    return (
      <Empty>
        <p>{t(owner.name === 'change' ? 'plan_empty_change' : 'plan_empty')}</p>
      </Empty>
    )
  }
  // On a narrow screen, a table of cards takes the place of the timeline.
  const views: readonly View[] = isNarrow ? ['table', 'graph'] : ['timeline', 'graph', 'table']
  const view = views.includes(wanted) ? wanted : 'table'
  const labels = { timeline: t('plan_timeline'), graph: t('plan_graph'), table: t('plan_table') }
  const shown: ViewProps = { type, tasks, deciding }
  const more = Math.min(MANY, data.total - tasks.length)
  return (
    <div class="plan-views" aria-busy={isLoading}>
      {chain && <ChainSentence chain={chain} />}
      {more > 0 && (
        <div class="plan-part">
          <p>{t('plan_shown_of', { count: number(tasks.length), total: number(data.total) })}</p>
          <button type="button" onClick={() => setMost(most + MANY)}>
            {t('plan_show_more', { count: number(more) })}
          </button>
          <ListOfAll type={type} owner={owner} path={path} />
        </div>
      )}
      <Tabs
        label={t('plan_views')}
        tabs={views.map((name) => ({ name, label: labels[name] }))}
        chosen={view}
        onChoose={setWanted}
      >
        {view === 'timeline' ? (
          <PlanTimeline {...shown} />
        ) : view === 'graph' ? (
          <PlanGraph {...shown} />
        ) : (
          <PlanTable {...shown} />
        )}
      </Tabs>
    </div>
  )
}

/** The chain in words. */
function ChainSentence({ chain }: { chain: Chain<PlanTask> }) {
  const { number, t } = useApp()
  const names = chain.tasks.map(({ subject }) => subject)
  const left = names.length - 2 * TOLD
  const told =
    left > 1 ? [...names.slice(0, TOLD), t('plan_chain_more', { count: number(left) }), ...names.slice(-TOLD)] : names
  const hours = `${number(chain.hours)}\u00a0${unitOf('hours')}`
  return (
    <p class="plan-chain">
      <DecidingMark /> {t('plan_chain', { tasks: told.join(' → '), hours })}
    </p>
  )
}

/** A link to the list of all tasks, if that list can be limited to the record. */
function ListOfAll({ type, owner, path }: { type: RecordType; owner: RecordType; path: string }) {
  const { t } = useApp()
  const back = type.fields.find(({ filterable, name, record }) => filterable && record === owner.name && name === owner.name)
  return back ? <Link to={`${type.path}?${back.name}=${path.split('/').at(-1)}`}>{t('plan_all_tasks')}</Link> : null
}
