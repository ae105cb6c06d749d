/**
 * The words of the service: sentences for violated rules, labels of fields and enumeration values, mails. All translation
 * happens here; everything else works with codes, field names and values (service-interface, conventions 12; gaps 8.2).
 */
import { STATUS_CODES } from 'node:http'
import type { Params } from '../errors.js'
import { enGB } from './british.js'
import { countryLabels } from './countries.js'
import { de } from './de.js'
import { en, MESSAGES, type Words } from './en.js'
import { fill } from './fill.js'
import { fr } from './fr.js'
import { inputLabel } from './input-labels.js'
import { humanize, titleCase } from './labels.js'
import { DEFAULT_LANGUAGE, isLanguage, languageLabel, languageOf, rootOf, WORD_LANGUAGES } from './languages.js'
import type { MailName, MailParams, MailWords } from './mails/en.js'
import { nl } from './nl.js'
import { alternatives } from './quotes.js'
import { timeZoneLabel } from './time-zones.js'
import { SAME_VALUES } from './values/en.js'

export type { Words } from './en.js'
export type { MailName, MailParams, MailWords } from './mails/en.js'
export type { Code } from './sentences/en.js'

/**
 * Words of the host for one language; each one adds to ours or stands in its place. Fields are keyed by name, or by type
 * and name where one type deviates (`vehicle.name`); values by enumeration (`vehicle.fuel`) and value.
 */
export interface MoreWords {
  readonly sentences?: { readonly [code: string]: string }
  readonly fields?: { readonly [field: string]: string }
  readonly values?: { readonly [enumeration: string]: { readonly [value: string]: string } }
  readonly mails?: { readonly [N in MailName]?: MailWords }
}

/** The host's words by language: `{ nl: { fields: { cost_centre: 'Kostenplaats' } } }`. New languages are welcome. */
export interface ExtraWords {
  readonly [language: string]: MoreWords
}

/** A mail ready to be sent, as plain text. The subject is one line. */
export interface MailText {
  readonly subject: string
  readonly text: string
}

/**
 * Everything that is said to people. A language is an id of the language enumeration; what it lacks is said in its root
 * language (`fr` for `fr-CA`), and then in English.
 */
export interface WordBook {
  /** Languages that there are words for. */
  readonly languages: readonly string[]

  /** The id of the nearest language that there are words for. */
  languageOf(wanted: string | undefined | null): string

  /**
   * The sentence for a violation, as 422 answers and import logs show it.
   *
   * @param code a key of the sentences; any other text is taken for a sentence that is ready (rules of hosts)
   * @param label the label of the field, from `fieldLabel`
   * @param params the values that the sentence needs; `role` is a role id, and said by its label, as are lists (see `Params`)
   */
  sentence(language: string, code: string, label: string, params?: Params): string

  /** The label of a field: translated where there is a translation, else made of its name (`Primary email`). */
  fieldLabel(language: string, type: string, field: string): string

  /** The label of an enumeration value: `txt` of /enums (gaps 2.2). Made of the value where nobody gave a label. */
  valueLabel(language: string, enumeration: string, value: string): string

  /** A mail in the language of its reader. */
  mail<N extends MailName>(language: string, name: N, params: MailParams<N>): MailText

  /** The `message` of an error answer. English in every language: clients compare it (gaps 8.1). */
  message(status: number): string
}

const OURS: { readonly [L in (typeof WORD_LANGUAGES)[number]]: Words } = { en, nl, de, fr }

/** Makes the words, with those of the host. */
export function createWords(extra: ExtraWords = {}): WordBook {
  const ours: ExtraWords = { ...OURS, 'en-GB': enGB }
  const languages = [...new Set([...WORD_LANGUAGES, ...Object.keys(extra)])]
  const countries = remembered((language) => remembered(countryLabels(isLanguage(language) ? language : DEFAULT_LANGUAGE)))
  const timeZones = remembered(timeZoneLabel)
  const names = remembered(languageLabel)

  /** What the most specific source says: the language and its root, then English; in each, the host before us. */
  function find(language: string, pick: (words: MoreWords) => string | undefined): string | undefined {
    return findIn([language, rootOf(language)], pick) ?? findIn(['en'], pick)
  }

  function findIn(names: readonly string[], pick: (words: MoreWords) => string | undefined): string | undefined {
    for (const source of [extra, ours]) {
      for (const name of names) {
        const words = own(source, name)
        const found = words && pick(words)
        if (found !== undefined) return found
      }
    }
    return undefined
  }

  /** English makes labels of inputs by rule. */
  function labelOfInput(language: string, type: string, input: string): string | undefined {
    const root = rootOf(language)
    if (root === 'en') return undefined
    return inputLabel(language, input, (field) => findIn([language, root], (words) => labelIn(words, type, field)))
  }

  const valueLabel: WordBook['valueLabel'] = (language, enumeration, value) => {
    const same = own(SAME_VALUES, enumeration) ?? enumeration
    const found = find(language, ({ values }) => own(own(values, enumeration), value) ?? own(own(values, same), value))
    if (found !== undefined) return found
    if (same === 'language') return names(value)
    if (same === 'countries') return countries(language)(value)
    if (same === 'time_zone') return timeZones(value)
    // gaps 2.3: the text of an event is its name.
    return same === 'webhook.event' ? value : titleCase(value)
  }

  /** Lists as alternatives. Labels such as `Waiting for…` stand inside a sentence without what announces more. */
  function saidLists(language: string, params: Params): Params {
    const { enumeration } = params
    const said = (value: string) => {
      return typeof enumeration === 'string' ? valueLabel(language, enumeration, value).replace(/…$/, '') : value
    }
    const lists = Object.entries(params).flatMap(([name, value]) =>
      Array.isArray(value) ? [[name, value as string[]] as const] : [],
    )
    return Object.fromEntries(lists.map(([name, values]) => [name, alternatives(language, values.map(said))]))
  }

  return {
    languages,
    languageOf: (wanted) => languageOf(wanted, languages),
    valueLabel,

    sentence(language, code, label, params = {}) {
      const template = find(language, (words) => own(words.sentences, code)) ?? code
      const role = params['role'] === undefined ? {} : { role: valueLabel(language, 'permission.role', String(params['role'])) }
      return fill(template, { ...params, ...saidLists(language, params), ...role, label })
    },

    fieldLabel(language, type, field) {
      const found = find(language, (words) => labelIn(words, type, field))
      return found ?? labelOfInput(language, type, field) ?? humanize(field)
    },

    mail(language, name, params) {
      const part = (pick: (mail: MailWords) => string) =>
        fill(find(language, (words) => words.mails?.[name] && pick(words.mails[name])) ?? '', params)
      // A line feed in a name must not become a second header. The no-break spaces of a language stay.
      const subject = part((mail) => mail.subject).replace(/[^\S\u00a0]+/g, ' ')
      return { subject, text: part((mail) => mail.lines.join('\n')) }
    },

    message: (status) => own(MESSAGES, status) ?? STATUS_CODES[status] ?? `Status ${status}`,
  }
}

function labelIn({ fields }: MoreWords, type: string, field: string): string | undefined {
  return own(fields, `${type}.${field}`) ?? own(fields, field)
}

/** Never what every object inherits: a code or value may be called `constructor`. */
function own<T>(table: { readonly [key: string]: T } | undefined, key: string | number): T | undefined {
  return table && Object.hasOwn(table, key) ? table[key] : undefined
}

/** Remembers up to 500 answers: making a label of Intl costs more than everything else in /enums. */
function remembered<T>(answer: (question: string) => T): (question: string) => T {
  const answers = new Map<string, T>()
  return (question) => {
    const known = answers.get(question)
    if (known !== undefined) return known
    const made = answer(question)
    if (answers.size < 500) answers.set(question, made)
    return made
  }
}
