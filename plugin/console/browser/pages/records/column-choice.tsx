import type { Field, RecordType } from '../../core/read-catalog.js'
import { useApp } from '../../core/use-app.js'
import { Menu } from '../../parts/basics.js'

interface ColumnChoiceProps {
  readonly type: RecordType
  readonly chosen: readonly Field[]
  readonly query: URLSearchParams
  readonly onChange: (query: URLSearchParams) => void
}

/** A menu that chooses the columns of a list. */
export function ColumnChoice({ type, chosen, query, onChange }: ColumnChoiceProps) {
  const { t } = useApp()
  const fields = type.fields.filter(({ kind, name, write_only }) => !write_only && name !== 'id' && kind !== 'pairs')
  const toggle = (field: Field, isOn: boolean) => {
    const names = isOn ? [...chosen, field] : chosen.filter(({ name }) => name !== field.name)
    const next = new URLSearchParams(query)
    if (names.length === 0) next.delete('fields')
    else next.set('fields', names.map(({ name }) => name).join(','))
    onChange(next)
  }
  return (
    <Menu label={t('columns')} class="right">
      <fieldset class="columns">
        <legend class="hidden">{t('columns')}</legend>
        {fields.map((field) => (
          <label key={field.name}>
            <input
              type="checkbox"
              checked={chosen.includes(field)}
              onChange={(event) => toggle(field, event.currentTarget.checked)}
            />
            {field.label}
          </label>
        ))}
      </fieldset>
    </Menu>
  )
}
