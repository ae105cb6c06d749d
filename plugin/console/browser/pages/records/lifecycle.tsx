/** The life of a record as a diagram: its statuses, where it is, and where the person may move it. */
import type { Output } from '../../core/api.js'
import type { RecordType } from '../../core/read-catalog.js'
import { useApp } from '../../core/use-app.js'

interface LifecycleProps {
  readonly type: RecordType
  readonly field: string
  /** By status: those that may follow. */
  readonly moves: { readonly [from: string]: readonly string[] }
  readonly record: Output
  /** Those that this person may choose now. */
  readonly mine: readonly string[]
}

export function Lifecycle({ type, field, moves, record, mine }: LifecycleProps) {
  const { catalog, t } = useApp()
  const described = type.fields.find(({ name }) => name === field)
  if (!described?.enumeration) return null
  const { enumeration } = described
  const now = record[field]
  const label = (value: string) => catalog.valueLabel(enumeration, value)
  return (
    <section class="lifecycle" aria-label={described.label}>
      <ol>
        {catalog.valuesOf(enumeration).map(({ id, label: name }) => {
          const next = (moves[id] ?? []).map(label)
          return (
            <li
              key={id}
              class={id === now ? 'current' : mine.includes(id) ? 'possible' : ''}
              aria-current={id === now ? 'step' : undefined}
            >
              <strong>{name}</strong>
              <small>{next.length > 0 ? t('leads_to', { values: next.join(', ') }) : t('end')}</small>
            </li>
          )
        })}
      </ol>
      <p class="help">{mine.length > 0 ? t('you_may_move', { values: mine.map(label).join(', ') }) : t('no_moves')}</p>
    </section>
  )
}
