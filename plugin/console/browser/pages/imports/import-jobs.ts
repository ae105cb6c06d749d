/** Imports as the API tells about them (behaviour: Import lists), and how a file is sent. */
import type { Api, Json, Output } from '../../core/api.js'
import type { Catalog, RecordType } from '../../core/read-catalog.js'
import type { TextKey, Texts } from '../../core/texts.js'

export type ImportState = 'queued' | 'processing' | 'done' | 'error'

export interface ImportEntry {
  readonly id: number
  readonly token: string
  readonly type: string
  readonly file_name: string
  readonly created_by: Output | null
  readonly mapping: Readonly<Record<string, string>>
  readonly dry_run: boolean
  readonly undo_of: number | null
  readonly undone_by: number | null
  readonly history: boolean
  readonly state: ImportState
  readonly line: number
  readonly lines: number | null
  readonly results: Readonly<Record<Result, number>>
  readonly message: string | null
  readonly logfile: string | null
  readonly created_at: string
  readonly started_at: string | null
  readonly finished_at: string | null
}

export type Result = (typeof RESULTS)[number]
/** In the order in which pages show them. */
export const RESULTS = ['created', 'updated', 'deleted', 'unchanged', 'failures', 'errors'] as const

/** What a dry run would change in one field of a record. */
export interface Change {
  readonly type: string
  readonly id: number | null
  readonly name: string | null
  readonly field: string
  readonly before: Json
  readonly after: Json
}

/** How the rows of a file are imported. */
export interface ImportWay {
  readonly isTrial: boolean
  readonly mapping: Readonly<Record<string, string>>
  readonly history: boolean
  /** Percentage of records that may be disabled because the file does not have them; null to disable none. */
  readonly absentLimit: number | null
}

/** A type of files, with the type of the records in them. */
export interface FileType {
  readonly name: string
  readonly label: string
  readonly record: RecordType
}

/** Labels of files that are named neither after the list of their records nor after a type of their own. */
const LABELS: Readonly<Record<string, TextKey>> = {
  ci_relations: 'file_ci_relations',
  organizations_contact_details: 'file_organizations_contact_details',
  organizations_time_allocations: 'file_organizations_time_allocations',
  people_contact_details: 'file_people_contact_details',
  people_roles: 'file_people_roles',
}

/** The types of files of this desk, by their labels. */
export function fileTypesOf(catalog: Catalog, { language, t }: Pick<Texts, 'language' | 't'>): readonly FileType[] {
  const found = catalog.types.flatMap((record) =>
    record.file_types.map((name, index) => ({ name, record, label: labelOf(catalog, record, name, index, t) })),
  )
  // Records of the same kind belong to records of different types.
  const isTwice = ({ label }: FileType) => found.filter((one) => one.label === label).length > 1
  const named = found.map((one) => (isTwice(one) ? { ...one, label: `${ownerLabel(catalog, one.record)}: ${one.label}` } : one))
  return named.sort((one, other) => one.label.localeCompare(other.label, language))
}

function ownerLabel(catalog: Catalog, { label_of_many, owners }: RecordType): string {
  return catalog.typeNamed(owners[0]?.record ?? '')?.label_of_many ?? label_of_many
}

function labelOf(catalog: Catalog, record: RecordType, name: string, index: number, t: Texts['t']): string {
  if (record.path === `/${name}`) return record.label_of_many
  const own = LABELS[name]
  if (own) return t(own)
  const named = catalog.typeNamed(name.replace(/s$/, ''))
  if (named && named !== record) return named.label_of_many
  if (index === 0) return record.label_of_many
  return `${record.label_of_many}: ${name.replaceAll('_', ' ')}`
}

/** Sends a file, and finds the import that it has become. @param key the same for repeated attempts */
export async function submitImport(
  api: Api,
  type: string,
  file: File,
  { absentLimit, history, isTrial, mapping }: ImportWay,
  { key, signal }: { readonly key: string; readonly signal: AbortSignal },
): Promise<number> {
  const form = new FormData()
  form.set('type', type)
  form.set('dry_run', String(isTrial))
  if (Object.keys(mapping).length > 0) form.set('mapping', JSON.stringify(mapping))
  if (history) form.set('history', 'true')
  if (absentLimit !== null) {
    form.set('absent', 'disable')
    form.set('absent_limit', String(absentLimit))
  }
  form.set('file', file, file.name)
  const headers = { 'Idempotency-Key': key }
  const { data } = await api.call<{ readonly token: string }>('POST', '/import', { body: form, headers, signal })
  const newest = await api.get<readonly ImportEntry[]>('/imports?per_page=100', signal)
  const entry = newest.find(({ token }) => token === data.token)
  if (!entry) throw new Error('The import is not in the list of imports')
  return entry.id
}

export function hasEnded({ state }: ImportEntry): boolean {
  return state === 'done' || state === 'error'
}

/** How many rows, or records of an undo, were not saved. */
export function failedIn({ results }: ImportEntry): number {
  return results.failures + results.errors
}

/** True if the API can undo it: it has stored something, and nothing has undone it. */
export function canUndo(entry: ImportEntry): boolean {
  const { created, deleted, updated } = entry.results
  const isOfFile = !entry.dry_run && entry.undo_of === null
  return isOfFile && hasEnded(entry) && entry.undone_by === null && created + updated + deleted > 0
}
