/** The moments of an affected SLA on a line. The list below it says the same, with the same marks. */
import type { Output } from '../../core/api.js'
import { isAffected, type Moment, type MomentName, momentIn } from './sla-states.js'

const SHAPES: Readonly<Record<MomentName, string>> = {
  started_at: 'M-4 -4H4V4H-4Z',
  response_target_at: 'M0 -6L6 0L0 6L-6 0Z',
  resolution_target_at: 'M0 -6L6 0L0 6L-6 0Z',
  desired_completion_at: 'M-6 5L0 -6L6 5Z',
  actual_response_at: 'M-5 0A5 5 0 1 0 5 0A5 5 0 1 0 -5 0Z',
  actual_resolution_at: 'M-5 0A5 5 0 1 0 5 0A5 5 0 1 0 -5 0Z',
  stopped_clock_at: 'M-5 -6H-1V6H-5ZM1 -6H5V6H1Z',
  now: 'M-1.5 -12H1.5V12H-1.5Z',
}
/** Promises are hollow, and what has happened is filled. */
const HOLLOW: ReadonlySet<MomentName> = new Set(['response_target_at', 'resolution_target_at', 'desired_completion_at'])

/** The sign of a moment, around the point 0,0. */
function Sign({ name }: { name: MomentName }) {
  return <path class={`sign ${HOLLOW.has(name) ? 'hollow' : ''} ${name}`} d={SHAPES[name]} />
}

/** The same sign beside its text. */
export function Mark({ name }: { name: MomentName }) {
  return (
    <svg class="sla-mark" width="16" height="16" viewBox={name === 'now' ? '-12 -12 24 24' : '-8 -8 16 16'} aria-hidden="true">
      <Sign name={name} />
    </svg>
  )
}

export function SlaDrawing({ record, moments }: { record: Output; moments: readonly Moment[] }) {
  const first = moments[0]?.at ?? 0
  const last = moments.at(-1)?.at ?? 0
  if (first === last) return null
  const place = (at: number) => (100 * (at - first)) / (last - first)
  const find = (name: MomentName) => moments.find((moment) => moment.name === name)?.at ?? null
  const until = find('actual_resolution_at') ?? find('now')
  const stopped = momentIn(record, 'actual_resolution_at') === null ? momentIn(record, 'stopped_clock_at') : null
  const target = find('resolution_target_at')
  const start = find('started_at')
  const stretch = (name: string, from: number | null, to: number | null) =>
    from !== null && to !== null && from < to ? (
      <line class={name} x1={`${place(from)}%`} x2={`${place(to)}%`} y1="16" y2="16" />
    ) : null
  // The clock goes until it stands still, or until now; after the target it is late.
  const gone = stopped ?? until
  const inTime = target === null || gone === null ? gone : Math.min(target, gone)
  return (
    <svg class={`sla-line ${isAffected(record) ? '' : 'over'}`} width="100%" height="32" aria-hidden="true">
      <line class="ground" x1="0" x2="100%" y1="16" y2="16" />
      {stretch('gone', start, inTime)}
      {stretch('late', target === null || start === null ? null : Math.max(target, start), gone)}
      {stretch('stopped', stopped, until)}
      {moments.map(({ at, name }) => (
        <svg key={name} x={`${place(at)}%`} y="16" overflow="visible" aria-hidden="true">
          <Sign name={name} />
        </svg>
      ))}
    </svg>
  )
}
