/** Checks the option `words`: a label that is not a text would otherwise fail only when it is shown. */
import { suggestion } from '../nearest.js'
import { shown } from '../shown.js'
import type { MoreWords } from './index.js'
import { languageIn } from './languages.js'

/** Depth of the texts inside each part. */
const DEPTHS: { readonly [part in keyof Required<MoreWords>]: number } = { sentences: 1, fields: 1, values: 2, mails: 2 }

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
    return texts === undefined ? [] : mistakesInTexts(`${path}.${part}`, texts, depth)
  })
}

function mistakesInTexts(path: string, texts: unknown, depth: number): readonly string[] {
  // The lines of a mail are a list.
  if (depth === 0 && Array.isArray(texts)) return texts.flatMap((text, line) => mistakesInTexts(`${path}[${line}]`, text, 0))
  if (depth === 0) return typeof texts === 'string' ? [] : [`${path}: must be a text, not ${shown(texts)}`]
  if (!isGroup(texts)) return [`${path}: must be an object, not ${shown(texts)}`]
  return Object.entries(texts).flatMap(([name, one]) => mistakesInTexts(`${path}.${name}`, one, depth - 1))
}

function isGroup(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
