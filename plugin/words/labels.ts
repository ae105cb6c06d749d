/** English labels by rule, for fields and values without a label. */
import { rootOf } from './languages.js'

/** Words of field names with a spelling of their own. `uri` has none, because the specification quotes "Uri is invalid". */
const SPELLINGS: { readonly [word: string]: string } = {
  api: 'API',
  id: 'ID',
  ci: 'CI',
  cis: 'CIs',
  cpu: 'CPU',
  css: 'CSS',
  flsa: 'FLSA',
  flsas: 'FLSAs',
  html: 'HTML',
  ical: 'iCalendar',
  javascript: 'JavaScript',
  po: 'PO',
  roi: 'ROI',
  sla: 'SLA',
  slas: 'SLAs',
  ui: 'UI',
  url: 'URL',
  vip: 'VIP',
}

/** Words that stay in lower case inside a title. */
const SMALL = new Set(['a', 'an', 'and', 'by', 'for', 'from', 'in', 'of', 'on', 'or', 'the', 'to', 'with', 'without'])

/** The label of a field: `Primary email`, `Source ID`, `Supplier request ID`, `CI`. A name without a word, such as `_`, stays as it is. */
export function humanize(field: string): string {
  const words = wordsOf(field.replace(/(?<=[a-z_])ID$/, '_id')).map((word) => spelling(word) ?? word)
  const label = words.join(' ')
  return /[\p{L}\p{N}]/u.test(label) ? capitalize(label) : field
}

/** The label of a record type as the subject of a sentence: with an article in English, `A request`, `An SLA`. */
export function oneRecord(language: string, label: string): string {
  if (rootOf(language) !== 'en') return label
  const isShort = /^\p{Lu}{2}/u.test(label)
  const article = (isShort ? /^[AEFHILMNORSX]/ : /^[aeio]/i).test(label) ? 'An' : 'A'
  return `${article} ${isShort ? label : label.slice(0, 1).toLowerCase() + label.slice(1)}`
}

/** The label of a value: `In Progress`, `Lost or Stolen`. */
export function titleCase(value: string): string {
  const words = wordsOf(value)
  return words
    .map((word, index) => (SMALL.has(word) && index > 0 && index < words.length - 1 ? word : capitalize(word)))
    .join(' ')
}

/** The labels of fields by rule, by field. */
export function humanized<const F extends string>(...fields: readonly F[]): { readonly [K in F]: string } {
  return labelled(fields, humanize)
}

/** The labels of values by rule, by value. */
export function titled<const V extends string>(...values: readonly V[]): { readonly [K in V]: string } {
  return labelled(values, titleCase)
}

function labelled<K extends string>(keys: readonly K[], label: (key: K) => string) {
  return Object.fromEntries(keys.map((key) => [key, label(key)])) as { readonly [key in K]: string }
}

/** Reads own properties only: a field may be called `constructor`. */
function spelling(word: string): string | undefined {
  const key = word.toLowerCase()
  return Object.hasOwn(SPELLINGS, key) ? SPELLINGS[key] : undefined
}

function wordsOf(name: string): string[] {
  return name.split(/[_\s]+/).filter((word) => word !== '')
}

function capitalize(text: string): string {
  return text === SPELLINGS['ical'] ? text : text.charAt(0).toUpperCase() + text.slice(1)
}
