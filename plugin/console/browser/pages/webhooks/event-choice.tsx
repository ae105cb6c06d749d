import { useId } from 'preact/hooks'
import { useApp } from '../../core/use-app.js'

interface EventChoiceProps {
  readonly value: string
  /** What no choice means; without it, one has to be chosen. */
  readonly without?: string
  readonly onChange: (event: string) => void
}

/** One of the events that a webhook can ask for. */
export function EventChoice({ value, without, onChange }: EventChoiceProps) {
  const { catalog } = useApp()
  const field = catalog.typeNamed('webhook')?.fields.find(({ name }) => name === 'event')
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{field?.label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {without !== undefined && <option value="">{without}</option>}
        {catalog.valuesOf(field?.enumeration ?? '').map((one) => (
          <option key={one.id} value={one.id}>
            {one.label}
          </option>
        ))}
      </select>
    </div>
  )
}
