/**
 * Messages for violated rules, labels of fields and enumeration values, and mails. All translation happens here; everything
 * else works with codes, field names and values (spec, Conventions 12; behaviour: Validation errors).
 */
import type { Params } from '../core/errors.js'
import { timeZoneLabel } from '../core/time/time-zones.js'
import { britishWords } from './british.js'
import { countryLabels } from './countries.js'
import { de } from './de.js'
import { en, type Words } from './en.js'
import { fill, placeholdersIn } from './fill-template.js'
import { fr } from './fr.js'
import { inputLabel } from './input-labels.js'
import { humanize, titleCase } from './labels.js'
import { DEFAULT_LANGUAGE, isLanguage, languageLabel, languageOf, rootOf, WORD_LANGUAGES } from './languages.js'
import type { MailName, MailParams, MailWords } from './mails/en.js'
import { messageOfStatus } from './message-of-status.js'
import { nl } from './nl.js'
import { alternatives } from './quotes.js'
import { SAME_VALUES } from './values/en.js'

export type { Words } from './en.js'
export type { MailName, MailParams, MailWords } from './mails/en.js'
export type { Code } from './sentences/en.js'

/**
 * Texts of the host for one language. Each adds to those of the plugin or replaces one. Fields are keyed by name, or by type
 * and name where one type deviates (`vehicle.name`); values by enumeration (`vehicle.fuel`) and value.
 */
export interface MoreWords {
  /**
   * Messages by code, yours and those of the plugin: `{ towed: '{label} was towed on {date}' }`. Names in braces are values of
   * the violation; `{label}` is the label of its field.
   */
  readonly sentences?: { readonly [code: string]: string }
  /**
   * Labels of fields: `{ cost_center: 'Cost center', 'vehicle.name': 'License plate' }`. Those of record types, of several of their
   * records (by their path), and of lists are here as well: `{ vehicle: 'Vehicle', vehicles: 'Vehicles' }`.
   */
  readonly fields?: { readonly [field: string]: string }
  /** Labels of values by enumeration: `{ 'vehicle.fuel': { gas: 'Natural gas' } }`. */
  readonly values?: { readonly [enumeration: string]: { readonly [value: string]: string } }
  /** Mails by name. */
  readonly mails?: { readonly [N in MailName]?: MailWords }
  /** Texts of the console by their key: `{ sign_in: 'Inloggen' }`. Pages of the plugin supply the values for names in braces. */
  readonly console?: { readonly [key: string]: string }
}

/**
 * Texts of the host by language: `{ nl: { fields: { cost_centre: 'Kostenplaats' } } }`. New languages are allowed.
 *
 * ```ts
 * import type { ExtraWords } from 'koa-itsm'
 *
 * export const words: ExtraWords = {
 *   en: {
 *     fields: { 'vehicle.plate': 'License plate' },
 *     values: { 'vehicle.fuel': { electric: 'Electric', diesel: 'Diesel' } },
 *     sentences: { too_old: '{label} must not be before {year}' },
 *   },
 *   nl: { fields: { 'vehicle.plate': 'Kenteken' }, sentences: { too_old: '{label} mag niet voor {year} liggen' } },
 * }
 * ```
 */
export interface ExtraWords {
  readonly [language: string]: MoreWords
}

/** A mail ready to be sent, as plain text. The subject is one line. */
export interface MailText {
  readonly subject: string
  readonly text: string
}

/**
 * All texts for people. A language is an id of the language enumeration. Texts that it lacks come from its root language (`fr`
 * for `fr-CA`), otherwise from English.
 */
export interface WordBook {
  /** Languages with translations. */
  readonly languages: readonly string[]

  /** Codes of all sentences, those of the host included. */
  readonly codes: ReadonlySet<string>

  /** Names of the values that the sentence of a code needs, without its label. */
  valuesOf(code: string): readonly string[]

  /** Returns the id of the nearest language with translations. */
  languageOf(wanted: string | undefined | null): string

  /**
   * Returns the message of a violation, as 422 responses and import logs show it.
   *
   * @param code a key of the messages; any other text is used as the message (rules of hosts)
   * @param label the label of the field, from `fieldLabel`
   * @param params the values of the message; `role` is a role id and is shown by its label, as are lists (see `Params`)
   */
  sentence(language: string, code: string, label: string, params?: Params): string

  /** Returns the label of a field: its translation, otherwise one that is derived from its name (`Primary email`). */
  fieldLabel(language: string, type: string, field: string): string

  /**
   * Returns the label of an enumeration value, `txt` in /enums; derived from the value if it has no label
   * (behaviour: Enumerations).
   */
  valueLabel(language: string, enumeration: string, value: string): string

  /** Returns all texts of the console by their key (behaviour: Console). */
  consoleTexts(language: string): Readonly<Record<string, string>>

  /** Returns a mail in the language of its reader. @throws RangeError for a name that this version does not know */
  mail<N extends MailName>(language: string, name: N, params: MailParams<N>): MailText

  /**
   * Returns the `message` of an error response. English in every language, because clients compare it
   * (behaviour: Error responses).
   */
  message(status: number): string
}

const OURS: { readonly [L in (typeof WORD_LANGUAGES)[number]]: Words } = { en, nl, de, fr }

/** Creates the texts, with those of the host. */
export function createWords(extra: ExtraWords = {}): WordBook {
  let british: MoreWords | undefined
  const ours: ExtraWords = {
    ...OURS,
    // Made for its first reader: spelling all texts takes longer than the rest of this function.
    get 'en-GB'() {
      british ??= britishWords()
      return british
    },
  }
  const languages = [...new Set([...WORD_LANGUAGES, ...Object.keys(extra)])]
  const countries = remembered((language) => remembered(countryLabels(isLanguage(language) ? language : DEFAULT_LANGUAGE)))
  const timeZones = remembered(timeZoneLabel)
  const names = remembered(languageLabel)

  /** Looks a text up: in the language and its root, then in English; in each, the host's texts before those of the plugin. */
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

  /** English labels of inputs follow a rule. */
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
    // The text of an event is its name (behaviour: Enumeration values).
    return same === 'webhook.event' ? value : titleCase(value)
  }

  /** Shows lists as alternatives. Labels such as `Waiting for…` lose their ellipsis inside a sentence. */
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
    codes: new Set([en, ...Object.values(extra)].flatMap((words) => Object.keys(words?.sentences ?? {}))),
    valuesOf: (code) =>
      placeholdersIn(find(DEFAULT_LANGUAGE, (words) => own(words.sentences, code)) ?? '').filter((name) => name !== 'label'),
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

    consoleTexts(language) {
      const keys = Object.keys(en.console)
      return Object.fromEntries(keys.map((key) => [key, find(language, (words) => own(words.console, key)) ?? key]))
    },

    mail(language, name, params) {
      if (!own(en.mails, name)) throw new RangeError(`There is no mail '${name}'`)
      const part = (pick: (mail: MailWords) => string) =>
        fill(find(language, (words) => words.mails?.[name] && pick(words.mails[name])) ?? '', params)
      // A line feed in a name must not become a second header. The no-break spaces of a language stay.
      const subject = part((mail) => mail.subject).replace(/[^\S\u00a0]+/g, ' ')
      return { subject, text: part((mail) => mail.lines.join('\n')) }
    },

    message: messageOfStatus,
  }
}

function labelIn({ fields }: MoreWords, type: string, field: string): string | undefined {
  return own(fields, `${type}.${field}`) ?? own(fields, field)
}

/** Reads own properties only: a code or value may be called `constructor`. */
function own<T>(table: { readonly [key: string]: T } | undefined, key: string | number): T | undefined {
  return table && Object.hasOwn(table, key) ? table[key] : undefined
}

/** Caches up to 500 labels: creating one with Intl costs more than everything else in /enums. */
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
