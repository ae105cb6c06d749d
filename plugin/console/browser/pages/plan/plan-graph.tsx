/** A plan as a graph: each task stands after those that it waits for. */
import { useMemo } from 'preact/hooks'
import { pageOf } from '../../core/record-name.js'
import { useApp } from '../../core/use-app.js'
import { useGradually } from '../../core/use-gradually.js'
import { Link } from '../../parts/basics.js'
import { EnumValue, toneOf } from '../../parts/value.js'
import { layOut, NODE_HEIGHT, NODE_WIDTH, type PlacedEdge } from './graph-layout.js'
import { DecidingMark, lengthOf, type ViewProps } from './plan-parts.js'

/** Space around the drawing, for the outline of a task with the focus. */
const EDGE = 8

export function PlanGraph({ type, tasks, deciding }: ViewProps) {
  const { number, t } = useApp()
  const status = type.fields.find(({ name }) => name === 'status')
  const { corners, edges, height, width } = useMemo(() => layOut(tasks), [tasks])
  const count = useGradually(tasks.length)
  const known = useMemo(() => new Set(tasks.map(({ id }) => id)), [tasks])
  const isDeciding = ({ from, to }: PlacedEdge) => deciding.get(from) === to
  const size = { width: lengthOf(width + 2 * EDGE), height: lengthOf(height + 2 * EDGE) }
  return (
    <>
      <p class="help">{t(edges.length > 0 ? 'plan_graph_help' : 'plan_graph_free')}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also for people without a mouse */}
      <section class="plan-box" aria-label={t('plan_graph')} aria-busy={count < tasks.length} tabIndex={0}>
        <div class="graph" style={size}>
          <svg viewBox={`${-EDGE} ${-EDGE} ${width + 2 * EDGE} ${height + 2 * EDGE}`} aria-hidden="true">
            <Edges edges={edges.filter((edge) => !isDeciding(edge))} />
            <Edges edges={edges.filter(isDeciding)} isDeciding />
          </svg>
          <ol>
            {tasks.slice(0, count).map((task) => {
              const corner = corners.get(task.id)
              const page = pageOf(type, task.id)
              const others = task.after.filter((id) => !known.has(id)).length
              const place = {
                insetInlineStart: lengthOf((corner?.x ?? 0) + EDGE),
                top: lengthOf((corner?.y ?? 0) + EDGE),
                width: lengthOf(NODE_WIDTH),
                height: lengthOf(NODE_HEIGHT),
              }
              return (
                <li
                  key={task.id}
                  class={`node ${toneOf(task.status)} ${deciding.has(task.id) ? 'deciding' : ''}`}
                  style={place}
                  title={task.subject}
                >
                  <span class="node-name">
                    {deciding.has(task.id) && (
                      <>
                        <DecidingMark /> <span class="hidden">{t('plan_decides')}: </span>
                      </>
                    )}
                    {page === null ? task.subject : <Link to={page}>{task.subject}</Link>}
                  </span>
                  <span class="node-more">
                    {status && <EnumValue field={status} value={task.status} isShort />}
                    {task.who !== null && <small>{task.who}</small>}
                    {others > 0 && <small>{t('plan_waits_for_others', { count: number(others) })}</small>}
                  </span>
                </li>
              )
            })}
          </ol>
        </div>
      </section>
    </>
  )
}

/** All lines are one element, and all their arrows another one. */
function Edges({ edges, isDeciding = false }: { edges: readonly PlacedEdge[]; isDeciding?: boolean }) {
  const name = isDeciding ? 'deciding' : undefined
  return (
    <g class={name}>
      <path class="line" d={edges.map(lineOf).join('')} />
      <path class="arrow" d={edges.map(arrowOf).join('')} />
    </g>
  )
}

/** Level where it meets a task, and where it passes others; a curve between. */
function lineOf({ points }: PlacedEdge): string {
  return points
    .map(({ x, y }, index) => {
      const before = points[index - 1]
      if (!before) return `M${x} ${y}`
      const middle = (before.x + x) / 2
      return `C${middle} ${before.y} ${middle} ${y} ${x} ${y}`
    })
    .join('')
}

function arrowOf({ points }: PlacedEdge): string {
  const end = points.at(-1)
  return end ? `M${end.x} ${end.y}l-7 -4v8z` : ''
}
