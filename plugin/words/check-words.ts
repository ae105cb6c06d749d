/** Checks the option `words`: a label that is not a text would otherwise fail only when it is shown. */
import { suggestion } from '../core/text/nearest.js'
import { shown } from '../core/text/shown.js'
import { languageIn } from './languages.js'
import { mails } from './mails/en.js'
import type { MoreWords } from './words.js'

/** Depth of the texts inside each part; mails have a form of their own. */
const DEPTHS: { readonly [part in keyof Required<MoreWords>]: number } = {
  sentences: 1,
  fields: 1,
  values: 2,
  mails: 2,
  console: 1,
}
const MAIL_NAMES = Object.keys(mails)

/** Returns the mistakes in the option `words`, by path. */
export function mistakesInWords(extra: unknown): readonly string[] {
  if (typeof extra !== 'object' || extra === null) return []
  return Object.entries(extra).flatMap(([language, words]: readonly [string, unknown]) => {
    const path = `words.${language}`
    if (words === undefined) return []
    const isLanguage = languageIn(language) !== null
    const unknown = isLanguage ? [] : [`${path}: there is no such language; languages are called 'nl' or 'fr-CA'`]
    return [...unknown, ...mistakesIn(path, words)]
  })
}

function mistakesIn(path: string, words: unknown): readonly string[] {
  if (!isGroup(words)) return [`${path}: must be an object, not ${shown(words)}`]
  return Object.entries(words).flatMap(([part, texts]) => {
    const depth = Object.hasOwn(DEPTHS, part) ? DEPTHS[part as keyof MoreWords] : 0
    if (depth === 0) return [`${path}.${part}: there are no such words${suggestion(part, Object.keys(DEPTHS))}`]
    if (texts === undefined) return []
    return part === 'mails' ? mistakesInMails(`${path}.mails`, texts) : mistakesInTexts(`${path}.${part}`, texts, depth)
  })
}

function mistakesInTexts(path: string, texts: unknown, depth: number): readonly string[] {
  if (depth === 0) {
    const isText = typeof texts === 'string' && texts.trim() !== ''
    return isText ? [] : [`${path}: must be a text, not ${shown(texts)}`]
  }
  if (!isGroup(texts)) return [`${path}: must be an object, not ${shown(texts)}`]
  return Object.entries(texts).flatMap(([name, one]) => mistakesInTexts(`${path}.${name}`, one, depth - 1))
}

/** A mail without a subject or lines would fail only when it is sent. */
function mistakesInMails(path: string, given: unknown): readonly string[] {
  if (!isGroup(given)) return [`${path}: must be an object, not ${shown(given)}`]
  return Object.entries(given).flatMap(([name, mail]) => {
    if (mail === undefined) return []
    const at = `${path}.${name}`
    if (!MAIL_NAMES.includes(name)) return [`${at}: there is no such mail${suggestion(name, MAIL_NAMES)}`]
    if (!isGroup(mail)) return [`${at}: must be an object, not ${shown(mail)}`]
    const { lines, subject } = mail
    const wrongLines = Array.isArray(lines)
      ? lines.flatMap((line: unknown, index) => mistakesInTexts(`${at}.lines[${index}]`, line, 0))
      : [`${at}.lines: must be a list of texts, not ${shown(lines)}`]
    return [...mistakesInTexts(`${at}.subject`, subject, 0), ...wrongLines]
  })
}

function isGroup(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
