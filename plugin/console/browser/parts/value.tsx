/** Shows the value of a field as text, link or list. Texts of people are text, and never elements. */
import type { ComponentChildren } from 'preact'
import { isRecord, type Json, type Output } from '../core/api.js'
import type { Field, RecordType } from '../core/read-catalog.js'
import { nameOf, ownerOf, pageOf } from '../core/record-name.js'
import { useApp } from '../core/use-app.js'
import { Link } from './basics.js'
import { besideSentence, isRecurrence, Recurrence } from './recurrence.js'

/** Words that stand in place of a time. */
const KEYWORDS = { best_effort: 'best_effort', clock_stopped: 'clock_stopped', no_target: 'no_target' } as const

/** A dash, with a name for screen readers: there is no value. */
export function Nothing() {
  const { t } = useApp()
  return (
    <span class="nothing">
      <span aria-hidden="true">–</span>
      <span class="hidden">{t('empty')}</span>
    </span>
  )
}

interface FieldValueProps {
  readonly field: Field
  readonly record: Output
  readonly type: RecordType
  readonly isShort?: boolean
}

/** What a record has in a field. */
export function FieldValue({ field, record, type, isShort = false }: FieldValueProps) {
  const value = record[field.name]
  if (field.kind === 'owner') {
    const owner = ownerOf(record, type)
    return owner ? <Reference record={owner.record} type={owner.type} /> : <Nothing />
  }
  // Ended ones have no next target.
  if (field.name === 'next_target_at' && typeof value === 'string' && Date.parse(value) < Date.now())
    return <Missed at={value} />
  return <Value field={field} value={value} isShort={isShort} />
}

function Missed({ at }: { at: string }) {
  const { t, time } = useApp()
  return (
    <time class="missed" dateTime={at} title={t('target_missed')}>
      {time(at)}
      <span class="hidden"> {t('target_missed')}</span>
    </time>
  )
}

/** A value, or a dash if there is none. */
export function Value({ field, value, isShort = false }: { field: Field; value: Json | undefined; isShort?: boolean }) {
  const isEmpty = value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  return isEmpty ? <Nothing /> : <Shown field={field} value={value} isShort={isShort} />
}

function Shown({ field, value, isShort }: { field: Field; value: NonNullable<Json>; isShort: boolean }) {
  const { catalog, date, number, t, time } = useApp()
  if (typeof value === 'boolean') return <>{t(value ? 'yes' : 'no')}</>
  if (field.enumeration && typeof value === 'string') return <EnumValue field={field} value={value} isShort={isShort} />
  if (typeof value === 'number') {
    return <>{field.name === 'id' ? value : `${number(value)}${field.unit ? ` ${unitOf(field.unit)}` : ''}`}</>
  }
  if (typeof value === 'string') {
    if (field.kind === 'datetime' && !field.keywords?.includes(value)) {
      return <time dateTime={value}>{time(value)}</time>
    }
    if (field.kind === 'datetime')
      return <>{value in KEYWORDS ? t(KEYWORDS[value as keyof typeof KEYWORDS]) : keywordLabel(value)}</>
    if (field.kind === 'localDatetime') return <>{time(value)}</>
    if (field.kind === 'date') return <time dateTime={value}>{date(value)}</time>
    if (field.kind === 'text' && !isShort) return <Prose text={value} />
    return <>{value}</>
  }
  if (Array.isArray(value)) {
    const some = isShort ? value.slice(0, 3) : value
    return (
      <ul class="values">
        {some.map((one: Json, index: number) => (
          <li key={index}>{isRecord(one) ? <Reference record={one} type={field.record} /> : String(one)}</li>
        ))}
        {some.length < value.length && <li>{t('and_more', { count: value.length - some.length })}</li>}
      </ul>
    )
  }
  if (isRecurrence(value as Output)) {
    return (
      <>
        <Recurrence value={value as Output} />
        {!isShort && <PartFields value={besideSentence(value as Output)} type={field.record} />}
      </>
    )
  }
  if (field.record && catalog.typeNamed(field.record) && 'id' in value)
    return <Reference record={value as Output} type={field.record} />
  return <Pairs value={value as Output} />
}

/** Some fields of a part, each as its type shows it. */
function PartFields({ value, type }: { value: Output; type: string | undefined }) {
  const { catalog } = useApp()
  const fields = catalog.typeNamed(type ?? '')?.fields.filter(({ name }) => name in value) ?? []
  if (fields.length === 0) return null
  return (
    <dl class="pairs">
      {fields.map((field) => (
        <div key={field.name}>
          <dt>{field.label}</dt>
          <dd>
            <Shown field={field} value={value[field.name] ?? ''} isShort />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The label of a value, with a mark that is not told by colour alone. In tables, without the explanation after its name. */
export function EnumValue({ field, value, isShort = false }: { field: Field; value: string; isShort?: boolean }) {
  const { catalog } = useApp()
  const label = catalog.valueLabel(field.enumeration ?? '', value)
  const [name] = label.split(' - ')
  const className = field.name === 'status' ? `chip ${toneOf(value)}` : undefined
  return (
    <span class={className} title={isShort && name !== label ? label : undefined}>
      {isShort ? name : label}
    </span>
  )
}

/** Tones of the states that all types share; the label says what the tone does. */
export function toneOf(status: string): 'done' | 'ended' | 'waiting' | 'going' {
  if (/completed|solved|approved|active|in_production|available|validated$/.test(status) && !/^in(active|_)/.test(status))
    return 'done'
  if (/declined|rejected|failed|canceled|expired|removed|discontinued|archived|inactive|lost/.test(status)) return 'ended'
  if (/waiting|on_hold|pending|progress_halted|registered|being_|draft/.test(status)) return 'waiting'
  return 'going'
}

/** A record by its name, as a link if its type has pages. */
export function Reference({ record, type }: { record: Output; type: string | undefined }) {
  const { catalog } = useApp()
  const known = type === undefined ? undefined : catalog.typeNamed(type)
  const name = nameOf(record, known?.title ?? null)
  const page = typeof record['id'] === 'number' ? pageOf(known, record['id']) : null
  return page === null ? <span>{name}</span> : <Link to={page}>{name}</Link>
}

function Pairs({ value }: { value: Output }): ComponentChildren {
  const entries = Object.entries(value).filter(([name]) => name !== 'id')
  return (
    <dl class="pairs">
      {entries.map(([name, one]) => (
        <div key={name}>
          <dt>{keywordLabel(name)}</dt>
          <dd>{isRecord(one) ? nameOf(one, null) : one === null ? '–' : String(one)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Paragraphs of a text, and its links. */
export function Prose({ text }: { text: string }) {
  const parts = text.split(/(https?:\/\/[^\s<>"')\]]+)/g)
  return (
    <p class="prose">
      {parts.map((part, index) =>
        index % 2 === 1 && URL.canParse(part) ? (
          <a key={index} href={part} rel="noopener noreferrer nofollow" target="_blank">
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </p>
  )
}

function keywordLabel(word: string): string {
  const text = word.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const SHORT_UNITS: Readonly<Record<string, string>> = { minutes: 'min', hours: 'h', seconds: 's', bytes: 'B' }

/** The sign of a unit, which languages share. */
export function unitOf(unit: string): string {
  return SHORT_UNITS[unit] ?? unit
}
