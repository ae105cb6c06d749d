/** The bars of a timeline, the arrows between them, and the line of now. It says nothing that the names beside it do not say. */
import type { RecordType } from '../../core/read-catalog.js'
import { pageOf } from '../../core/record-name.js'
import { useApp } from '../../core/use-app.js'
import { toneOf } from '../../parts/value.js'
import type { Deciding } from './plan-parts.js'
import { edgesOf } from './task-graph.js'
import type { TimeScale } from './time-scale.js'
import { drawnWidth, INSET, ROW_HEIGHT, type Row, type RowGroup, spanOf } from './timeline-rows.js'

interface TimelineDrawingProps {
  readonly type: RecordType
  readonly groups: readonly RowGroup[]
  /** Bars to draw. */
  readonly count: number
  readonly scale: TimeScale
  readonly height: number
  readonly now: number | null
  readonly deciding: Deciding
}

interface Bar {
  readonly row: Row
  readonly from: number
  readonly to: number
  readonly middle: number
}

const BAR_HEIGHT = 16
const LEAST_BAR = 6
/** Way of an arrow before it turns. */
const TURN = 8

export function TimelineDrawing({ type, groups, count, scale, height, now, deciding }: TimelineDrawingProps) {
  const rows = groups.flatMap((group) => group.rows)
  const bars = new Map(rows.flatMap((row) => barOf(row, scale)).map((bar) => [bar.row.task.id, bar]))
  const pairs = edgesOf(rows.map(({ task }) => task)).flatMap(({ from, to }) => {
    const [begin, end] = [bars.get(from), bars.get(to)]
    return begin && end ? [{ begin, end, isDeciding: deciding.get(from) === to }] : []
  })
  const width = drawnWidth(scale)
  const heads = groups.flatMap(({ phase, rows: [first] }) => (phase !== undefined && first ? [first.y - ROW_HEIGHT] : []))
  const right = width - INSET
  return (
    <svg viewBox={`${-INSET} 0 ${width} ${height}`} aria-hidden="true">
      <defs>
        <pattern id="plan-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0v6" class="hatch" />
        </pattern>
      </defs>
      <path class="band" d={heads.map((y) => `M${-INSET} ${y}H${right}v${ROW_HEIGHT}H${-INSET}z`).join('')} />
      <path class="grid" d={scale.marks.map(({ x }) => `M${x} 0V${height}`).join('')} />
      <path
        class="grid"
        d={[...heads, ...rows.map(({ y }) => y)].map((y) => `M${-INSET} ${y + ROW_HEIGHT - 0.5}H${right}`).join('')}
      />
      {[false, true].map((isDeciding) => {
        const some = pairs.filter((pair) => pair.isDeciding === isDeciding)
        return (
          <g key={String(isDeciding)} class={isDeciding ? 'deciding' : undefined}>
            <path class="line" d={some.map(({ begin, end }) => lineOf(begin, end)).join('')} />
            <path class="arrow" d={some.map(({ end }) => `M${end.from} ${end.middle}l-6 -4v8z`).join('')} />
          </g>
        )
      })}
      {[...bars.values()].slice(0, count).map((bar) => (
        <BarLink key={bar.row.task.id} type={type} bar={bar} isDeciding={deciding.has(bar.row.task.id)} />
      ))}
      <path
        class="deadline"
        d={rows
          .flatMap(({ task, y }) => (task.deadline === null ? [] : [`M${scale.at(task.deadline)} ${y + 26}l5 8h-10z`]))
          .join('')}
      />
      {now !== null && <path class="now" d={`M${scale.at(now)} 0V${height}`} />}
    </svg>
  )
}

function barOf(row: Row, scale: TimeScale): readonly Bar[] {
  const span = spanOf(row.task)
  if (!span) return []
  const [from, to] = [scale.at(span.from), scale.at(span.to)]
  return [{ row, from, to: Math.max(to, from + LEAST_BAR), middle: row.y + ROW_HEIGHT / 2 }]
}

/** Keyboards and screen readers have the name beside the bar. */
function BarLink({ type, bar, isDeciding }: { type: RecordType; bar: Bar; isDeciding: boolean }) {
  const { places } = useApp()
  const { from, middle, to } = bar
  const { id, isMilestone, status, subject } = bar.row.task
  const page = pageOf(type, id)
  const shape = isMilestone ? (
    <path d={`M${to} ${middle - 9}l9 9l-9 9l-9 -9z`} />
  ) : (
    <rect x={from} y={middle - BAR_HEIGHT / 2} width={to - from} height={BAR_HEIGHT} rx={3} />
  )
  const drawn = (
    <>
      <title>{subject}</title>
      {shape}
      {isDeciding && <path class="underline" d={`M${from} ${middle + BAR_HEIGHT / 2 + 4}H${to}`} />}
    </>
  )
  const name = `bar ${toneOf(status)}`
  return page === null ? (
    <g class={name}>{drawn}</g>
  ) : (
    <a href={places.url(page)} tabindex={-1} class={name}>
      {drawn}
    </a>
  )
}

/** From the end of a bar, down or up, to the begin of another one: around it, if that begins earlier. */
function lineOf(begin: Bar, end: Bar): string {
  const out = begin.to + TURN
  if (out + TURN <= end.from) return `M${begin.to} ${begin.middle}H${out}V${end.middle}H${end.from}`
  const side = end.middle > begin.middle ? -1 : 1
  const between = end.middle + (side * ROW_HEIGHT) / 2
  return `M${begin.to} ${begin.middle}H${out}V${between}H${end.from - TURN}V${end.middle}H${end.from}`
}
