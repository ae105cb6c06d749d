/** Texts of the console in the language of its reader, and dates and numbers as that language writes them. */
import type { ConsoleTexts } from '../../../words/console/en.js'
import type { PageSettings } from '../../page-settings.js'
import { recall, remember } from './kept-in-browser.js'

export type TextKey = keyof ConsoleTexts

/** Values that stand in for names in braces. */
export type TextValues = Readonly<Record<string, string | number>>

/** Texts in one language. */
export interface Texts {
  /** Id of the language: `nl`. */
  readonly language: string
  /** The language with the region of the browser, if it has one: `en-GB`. For formats of numbers and times. */
  readonly locale: string
  /** A text, with values for its names in braces. */
  readonly t: (key: TextKey, values?: TextValues) => string
  /** A point in time as people write it; other texts stay as they are. */
  readonly time: (moment: string) => string
  readonly date: (day: string) => string
  readonly number: (value: number) => string
}

const KEY = 'language'

/** Loads the texts of a language, by default of the one chosen before, or of the browser. */
export async function loadTexts({ languages }: PageSettings, wanted?: string): Promise<Texts> {
  const asked = [wanted ?? recall(KEY), ...navigator.languages]
  const chosen = asked.map((tag) => languageFor(tag, languages)).find((found) => found !== undefined) ?? languages[0]
  if (!chosen) throw new Error('There is no language')
  if (wanted !== undefined) remember(KEY, chosen.id)
  const response = await fetch(chosen.texts)
  if (!response.ok) throw new Error(`The texts cannot be loaded (${response.status})`)
  const texts = (await response.json()) as Readonly<Record<string, string>>
  document.documentElement.lang = chosen.id
  document.documentElement.dir = directionOf(chosen.id)
  return textsIn(chosen.id, texts)
}

/** The texts, with times from 0 to 24 hours whatever the language does. */
export function with24Hours(texts: Texts): Texts {
  return { ...texts, time: timeFormat(texts.locale, { hourCycle: 'h23' }) }
}

function timeFormat(locale: string, options: Intl.DateTimeFormatOptions = {}): Texts['time'] {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', ...options })
  return (moment) => (Number.isNaN(Date.parse(moment)) ? moment : format.format(new Date(moment)))
}

function languageFor(tag: string | null | undefined, languages: PageSettings['languages']) {
  if (!tag) return undefined
  const root = tag.toLowerCase().split('-')[0]
  return languages.find(({ id }) => id.toLowerCase() === tag.toLowerCase()) ?? languages.find(({ id }) => id === root)
}

function directionOf(language: string): 'ltr' | 'rtl' {
  return /^(ar|fa|he|ur)\b/.test(language) ? 'rtl' : 'ltr'
}

function textsIn(language: string, texts: Readonly<Record<string, string>>): Texts {
  // Without a region, English has the dates of the United States; people elsewhere keep those of their browser.
  const own = navigator.languages.find((tag) => tag.toLowerCase().split('-')[0] === language) ?? language
  const dates = new Intl.DateTimeFormat(own, { dateStyle: 'medium', timeZone: 'UTC' })
  const numbers = new Intl.NumberFormat(own)
  return {
    language,
    locale: own,
    t: (key, values = {}) => (texts[key] ?? key).replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? '')),
    time: timeFormat(own),
    date: (day) => (Number.isNaN(Date.parse(day)) ? day : dates.format(new Date(day))),
    number: (value) => numbers.format(value),
  }
}
