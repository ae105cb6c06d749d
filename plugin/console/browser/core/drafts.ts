/** Values of forms: as people edit them, and as the API takes them. */
import type { Json, Output } from './api.js'
import type { Catalog, Field, RecordType } from './read-catalog.js'

/** Values in a form by field name: texts as they are typed, references as records. */
export type Draft = Readonly<Record<string, Json>>

/** Fields that a form cannot edit: they have pages of their own, or are shown only. */
const WITHOUT_INPUT: ReadonlySet<string> = new Set(['parts', 'pairs', 'owner', 'mention', 'changes'])

/** The only sub-record that is edited within its record. */
const RECURRENCE = 'recurrence'

/** True if a form can have the field. */
export function isEditable(field: Field, isNew: boolean): boolean {
  // A stored secret is replaced on the page of its record.
  const isOpen = isNew || !(field.only_on_create || field.kind === 'secret')
  // Records do not show what has to be asked for, so a form would begin with nothing.
  const hasInput = field.kind === 'part' ? field.record === RECURRENCE : !WITHOUT_INPUT.has(field.kind)
  return !field.read_only && !field.on_request && isOpen && hasInput
}

/** The files of a text, as a field of a form; undefined if the text takes none. */
export function filesOf({ files_input: name, label }: Field): Field | undefined {
  return name === undefined ? undefined : { name, label, kind: 'files' }
}

/** A record whose values that stand under the value of another field stand under their own names, too: `uri` for `telephone`. */
export function withKeyed({ fields }: RecordType, { valuesOf }: Catalog, record: Output): Output {
  const found = fields.flatMap(({ keyed_by, name }): readonly (readonly [string, Json])[] => {
    const key = fields.find((field) => field.name === keyed_by)
    const value = valuesOf(key?.enumeration ?? '').find(({ id }) => (record[id] ?? null) !== null)
    return key && value ? [[key.name, value.id] as const, [name, record[value.id] ?? null] as const] : []
  })
  return { ...record, ...Object.fromEntries(found) }
}

/** The values of a record as a form shows them. */
export function draftOf(fields: readonly Field[], record: Output): Draft {
  return Object.fromEntries(fields.map((field) => [field.name, typed(field, record[field.name] ?? null)]))
}

function typed(field: Field, value: Json): Json {
  if (value === null) return null
  if (field.kind === 'datetime' && typeof value === 'string') return localOf(value)
  if (field.kind === 'localDatetime' && typeof value === 'string') return value.slice(0, 16)
  if (field.kind === 'json' || field.kind === 'headers') return JSON.stringify(value, null, 2)
  if ((field.kind === 'strings' || field.kind === 'events') && Array.isArray(value)) return value.join('\n')
  return typeof value === 'number' ? String(value) : value
}

/** What differs from the draft before, as the API takes it. @throws SyntaxError for JSON that is none */
export function bodyOf(fields: readonly Field[], draft: Draft, before: Draft): Record<string, Json> {
  return Object.fromEntries(
    fields
      .filter(({ name }) => JSON.stringify(draft[name] ?? null) !== JSON.stringify(before[name] ?? null))
      .map((field) => [field.input ?? field.name, sent(field, draft[field.name] ?? null)]),
  )
}

function sent(field: Field, value: Json): Json {
  if (value === null || value === '' || (field.kind === 'secret' && value === false)) return null
  if (field.kind === 'datetime' && typeof value === 'string') return new Date(value).toISOString()
  if ((field.kind === 'json' || field.kind === 'headers') && typeof value === 'string') return JSON.parse(value)
  if ((field.kind === 'strings' || field.kind === 'events') && typeof value === 'string')
    return value.split('\n').filter(Boolean)
  if (field.kind === 'refs' && Array.isArray(value)) return value.map((one: Json) => (Object(one) as Output)['id'] ?? null)
  if (field.kind === 'files' && Array.isArray(value))
    return value.map((file: Json) => ({ key: (file as Output)['key'] ?? null, filesize: (file as Output)['filesize'] ?? null }))
  if (field.kind === 'ref') return (Object(value) as Output)['id'] ?? value
  return value
}

/** A point in time as `<input type="datetime-local">` has it, in the time zone of the browser. */
function localOf(moment: string): string {
  const time = new Date(moment)
  if (Number.isNaN(time.getTime())) return ''
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
