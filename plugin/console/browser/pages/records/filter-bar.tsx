/** The filters of a list: each as a chip that can be removed, and a menu that adds one. */
import { useId, useState } from 'preact/hooks'
import type { Json, Output } from '../../core/api.js'
import type { Field, RecordType } from '../../core/read-catalog.js'
import { nameOf } from '../../core/record-name.js'
import { useApp, useLoaded } from '../../core/use-app.js'
import { closeMenu, Menu } from '../../parts/basics.js'
import { FieldInput } from '../../parts/field-input.js'
import { type Filter, filterIn, OPERATOR_TEXTS, type Operator, operatorsOf, textOf } from './list-filters.js'

interface FilterBarProps {
  readonly type: RecordType
  readonly query: URLSearchParams
  readonly onChange: (query: URLSearchParams) => void
}

export function FilterBar({ type, query, onChange }: FilterBarProps) {
  const { t } = useApp()
  const filters = [...query].flatMap(([name, text]) => {
    const filter = filterIn(type, name, text)
    return filter ? [{ filter, name, text }] : []
  })
  const without = (name: string, text: string) => {
    const rest = new URLSearchParams(
      [...query].filter(([other, value]) => !(other === name && value === text) && other !== 'page'),
    )
    onChange(rest)
  }
  const add = (filter: Filter) => {
    const more = new URLSearchParams([...query].filter(([name]) => name !== 'page'))
    more.append(filter.field.name, textOf(filter))
    onChange(more)
  }
  return (
    <div class="filters">
      {filters.map(({ filter, name, text }) => (
        <span class="filter" key={`${name} ${text}`}>
          {filter.field.label} {t(OPERATOR_TEXTS[filter.operator])} <FilterValues filter={filter} />
          <button
            type="button"
            class="clear"
            aria-label={t('remove_filter', { name: filter.field.label })}
            onClick={() => without(name, text)}
          >
            <span aria-hidden="true">×</span>
          </button>
        </span>
      ))}
      <Menu label={t('add_filter')}>
        <NewFilter type={type} onAdd={add} />
      </Menu>
    </div>
  )
}

function FilterValues({ filter: { field, values } }: { filter: Filter }) {
  const { catalog, t, time } = useApp()
  const labels = values.map((value) => {
    if (field.enumeration) return catalog.valueLabel(field.enumeration, value)
    if (field.kind === 'boolean') return t(value === 'true' ? 'yes' : 'no')
    return field.kind === 'datetime' ? time(value) : value
  })
  if (field.kind === 'ref' && field.record) {
    const { record } = field
    return (
      <>
        {values.map((value) => (
          <RecordName key={value} record={record} id={value} />
        ))}
      </>
    )
  }
  return <>{labels.join(', ')}</>
}

function RecordName({ record, id }: { record: string; id: string }) {
  const { api, catalog } = useApp()
  const type = catalog.typeNamed(record)
  const isId = /^\d+$/.test(id) && type?.path
  const { data } = useLoaded(isId ? `${record} ${id}` : null, (signal) => api.get<Output>(`${type?.path}/${id}`, signal))
  return <>{data ? nameOf(data, type?.title ?? null) : isId ? `#${id}` : id}</>
}

function NewFilter({ type, onAdd }: { type: RecordType; onAdd: (filter: Filter) => void }) {
  const { t } = useApp()
  const fields = type.fields
    .filter(({ filterable, kind }) => filterable && kind !== 'owner')
    .sort((one, other) => one.label.localeCompare(other.label))
  const [name, setName] = useState('')
  const field = fields.find((one) => one.name === name)
  const id = useId()
  return (
    <form
      class="new-filter"
      onSubmit={(event) => {
        event.preventDefault()
        closeMenu(event.currentTarget)
      }}
    >
      <label for={id}>{t('field')}</label>
      <select id={id} value={name} onChange={(event) => setName(event.currentTarget.value)}>
        <option value="">{t('choose')}</option>
        {fields.map((one) => (
          <option key={one.name} value={one.name}>
            {one.label}
          </option>
        ))}
      </select>
      {field && (
        <FilterInput
          key={name}
          field={field}
          onAdd={(filter) => {
            setName('')
            onAdd(filter)
          }}
        />
      )}
    </form>
  )
}

function FilterInput({ field, onAdd }: { field: Field; onAdd: (filter: Filter) => void }) {
  const { t } = useApp()
  const operators = operatorsOf(field)
  const [operator, setOperator] = useState<Operator>(operators[0] ?? 'is')
  const [value, setValue] = useState<Json>(field.kind === 'boolean' ? true : null)
  const needsValue = operator !== 'empty' && operator !== 'not_empty'
  const id = useId()
  const text = valueText(field, value)
  return (
    <>
      <label for={`${id}-op`}>{t('condition')}</label>
      <select id={`${id}-op`} value={operator} onChange={(event) => setOperator(event.currentTarget.value as Operator)}>
        {operators.map((one) => (
          <option key={one} value={one}>
            {t(OPERATOR_TEXTS[one])}
          </option>
        ))}
      </select>
      {needsValue && (
        <>
          <label for={`${id}-value`}>{t('value')}</label>
          <FieldInput field={field} id={`${id}-value`} value={value} isRequired={false} onChange={setValue} />
        </>
      )}
      <button
        type="submit"
        class="primary"
        disabled={needsValue && text === ''}
        onClick={() => onAdd({ field, operator, values: needsValue ? [text] : [] })}
      >
        {t('apply')}
      </button>
    </>
  )
}

function valueText(field: Field, value: Json): string {
  if (typeof value === 'boolean') return String(value)
  if (field.kind === 'ref') return String((Object(value) as Output)['id'] ?? (Object(value) as Output)['name'] ?? '')
  if (field.kind === 'datetime' && typeof value === 'string' && value !== '') return new Date(value).toISOString()
  return value === null ? '' : String(value)
}
