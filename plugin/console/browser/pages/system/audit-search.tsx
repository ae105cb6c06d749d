/** Who has changed what: lines of the audit trail by person, record type, origin, source, cause and day. The URL says what is looked for. */
import { useId, useState } from 'preact/hooks'
import type { Output } from '../../core/api.js'
import { atStart, daysAgo } from '../../core/calendar-days.js'
import { namedLines } from '../../core/named-changes.js'
import type { Field } from '../../core/read-catalog.js'
import { nameOf, pageOf } from '../../core/record-name.js'
import type { TextKey } from '../../core/texts.js'
import { useTitle } from '../../core/title.js'
import { useApp, useLoaded, usePlace } from '../../core/use-app.js'
import { AuditLine } from '../../parts/audit-line.js'
import { Empty, Link, Loading, Problem } from '../../parts/basics.js'
import { Pager } from '../../parts/pager.js'
import { ReferenceInput } from '../../parts/reference-input.js'

const PER_PAGE = 25
const FIELDS = 'id,action,created_at,created_by,origin,source,cause,audited,owner,changes'
/** Days that are looked at unless the person says otherwise: the trail may have many millions of lines. */
const FIRST_DAYS = 7
/** Filters that are sent as they are. */
const FILTERS = ['created_by', 'audited', 'origin', 'source', 'cause'] as const

export function AuditSearchPage() {
  const { api, catalog, number, places, t } = useApp()
  const { query } = usePlace()
  useTitle(t('audit_title'))
  const type = catalog.typeNamed('audit_line')
  const asked = askedFor(query)
  const found = useLoaded(type ? `/audit_lines?${asked}` : null, async (signal) => {
    const { data, headers } = await api.call<readonly Output[]>('GET', `/audit_lines?${asked}`, { signal })
    return { headers, lines: await namedLines(api, catalog, data, (line) => String(line['audited']), signal) }
  })
  if (!type) return <Empty>{t('no_page')}</Empty>
  const lines = found.data?.lines ?? []
  const total = Number(found.data?.headers.get('X-Pagination-Total-Entries') ?? 0)
  return (
    <>
      <div class="title">
        <h1>{t('audit_title')}</h1>
        {found.data && <span class="total">{number(total)}</span>}
      </div>
      <SearchForm
        key={String(query)}
        query={query}
        fields={type.fields}
        onSearch={(next) => places.go(`/audit${next.size > 0 ? `?${next}` : ''}`)}
      />
      {found.error !== undefined ? (
        <Problem error={found.error} retry={found.reload} />
      ) : !found.data ? (
        <Loading />
      ) : lines.length === 0 ? (
        <Empty>{t('audit_none')}</Empty>
      ) : (
        <>
          <ol class="history" aria-busy={found.isLoading}>
            {lines.map((line) => (
              <AuditLine key={String(line['id'])} type={catalog.typeNamed(String(line['audited']))} line={line}>
                <Changed line={line} />
              </AuditLine>
            ))}
          </ol>
          <Pager query={query} total={total} perPage={PER_PAGE} path="/audit" />
        </>
      )}
    </>
  )
}

/** The parameters of the call. */
function askedFor(query: URLSearchParams): URLSearchParams {
  const asked = new URLSearchParams({ fields: FIELDS, per_page: String(PER_PAGE) })
  for (const name of FILTERS) {
    const value = query.get(name)
    if (value) asked.set(name, value)
  }
  const from = query.get('from') ?? daysAgo(FIRST_DAYS)
  if (from !== '') asked.append('created_at', `>=${atStart(from)}`)
  const to = query.get('to') ?? ''
  if (to !== '') asked.append('created_at', `<${atStart(to, 1)}`)
  const page = query.get('page')
  if (page !== null) asked.set('page', page)
  return asked
}

/** The record of a line, which may be gone. */
function Changed({ line }: { line: Output }) {
  const { catalog } = useApp()
  const audited = String(line['audited'])
  const type = catalog.typeNamed(audited)
  const record = line[audited] as Output | null | undefined
  const page = record && line['action'] !== 'destroy' ? pageOf(type, record['id']) : null
  const name = record ? `${nameOf(record, type?.title ?? null)} #${record['id']}` : ''
  return (
    <p>
      {type?.label ?? audited} {page === null ? name : <Link to={page}>{name}</Link>}
    </p>
  )
}

interface SearchFormProps {
  readonly query: URLSearchParams
  readonly fields: readonly Field[]
  readonly onSearch: (query: URLSearchParams) => void
}

function SearchForm({ query, fields, onSearch }: SearchFormProps) {
  const { t } = useApp()
  const [values, setValues] = useState<Readonly<Record<string, string>>>({
    ...Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? ''])),
    from: query.get('from') ?? daysAgo(FIRST_DAYS),
    to: query.get('to') ?? '',
  })
  const set = (name: string) => (value: string) => setValues({ ...values, [name]: value })
  const labelOf = (name: string) => fields.find((field) => field.name === name)?.label ?? name
  const search = (event: Event) => {
    event.preventDefault()
    const { from = '', ...others } = values
    const next = new URLSearchParams(Object.entries(others).filter(([, value]) => value !== ''))
    // Empty for all days; the first choice needs no word.
    if (from !== daysAgo(FIRST_DAYS)) next.set('from', from)
    onSearch(next)
  }
  return (
    <form class="search-form" onSubmit={search}>
      <PersonInput label={labelOf('created_by')} id={values['created_by'] ?? ''} onChange={set('created_by')} />
      <TypeInput label={labelOf('audited')} value={values['audited'] ?? ''} onChange={set('audited')} />
      <OriginInput
        field={fields.find(({ name }) => name === 'origin')}
        value={values['origin'] ?? ''}
        onChange={set('origin')}
      />
      <TextInput label={labelOf('source')} value={values['source'] ?? ''} onChange={set('source')} />
      <TextInput label={labelOf('cause')} value={values['cause'] ?? ''} onChange={set('cause')} />
      <DayInput text="audit_from" value={values['from'] ?? ''} onChange={set('from')} />
      <DayInput text="audit_to" value={values['to'] ?? ''} onChange={set('to')} />
      <button type="submit" class="primary">
        {t('audit_search')}
      </button>
    </form>
  )
}

interface InputProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A person by the id in the URL. */
function PersonInput({ label, id, onChange }: { label: string; id: string; onChange: (id: string) => void }) {
  const { api } = useApp()
  const [chosen, setChosen] = useState<Output | null>(null)
  const isOther = /^\d{1,15}$/.test(id) && String(chosen?.['id']) !== id
  const { data } = useLoaded(isOther ? id : null, (signal) => api.get<Output>(`/people/${id}?fields=id,name`, signal))
  const field = useId()
  return (
    <div class="field">
      <label for={field}>{label}</label>
      <ReferenceInput
        id={field}
        type="person"
        value={id === '' ? null : isOther ? (data ?? { id: Number(id) }) : chosen}
        onChange={(person) => {
          setChosen(person)
          onChange(person ? String(person['id']) : '')
        }}
      />
    </div>
  )
}

function TypeInput({ label, value, onChange }: InputProps & { label: string }) {
  const { catalog } = useApp()
  const types = catalog.types
    .filter(({ path }) => path !== null)
    .map(({ label: text, name }) => ({ id: name, label: text }))
    .sort((one, other) => one.label.localeCompare(other.label))
  return <Choice label={label} values={types} value={value} onChange={onChange} />
}

function OriginInput({ field, value, onChange }: InputProps & { field: Field | undefined }) {
  const { catalog } = useApp()
  if (!field?.enumeration) return null
  return <Choice label={field.label} values={catalog.valuesOf(field.enumeration)} value={value} onChange={onChange} />
}

interface ChoiceProps extends InputProps {
  readonly label: string
  readonly values: readonly { readonly id: string; readonly label: string }[]
}

function Choice({ label, values, value, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="" />
        {values.map((one) => (
          <option key={one.id} value={one.id}>
            {one.label}
          </option>
        ))}
      </select>
    </div>
  )
}

function TextInput({ label, value, onChange }: InputProps & { label: string }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} type="text" value={value} maxLength={255} onInput={(event) => onChange(event.currentTarget.value)} />
    </div>
  )
}

function DayInput({ text, value, onChange }: InputProps & { text: TextKey }) {
  const { t } = useApp()
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{t(text)}</label>
      <input id={id} type="date" value={value} onInput={(event) => onChange(event.currentTarget.value)} />
    </div>
  )
}
