/** Quotation marks, colons and alternatives, as each language writes them. */
import { isLanguage, rootOf } from './languages.js'

/** Quotation marks by root language; `"` in other languages. French has no-break spaces inside. */
const MARKS: { readonly [root: string]: readonly [before: string, after: string] } = {
  de: ['„', '“'],
  fr: ['«\u00a0', '\u00a0»'],
  nl: ['‘', '’'],
}

/** The text in quotation marks: `"Mars"`, `„Mars“`. */
export function quoted(language: string, text: string): string {
  const root = rootOf(language)
  const [before, after] = (Object.hasOwn(MARKS, root) ? MARKS[root] : undefined) ?? ['"', '"']
  return before + text + after
}

/** Joins a label and its subject: `Notiz: Anhänge`. French has a no-break space before the colon. */
export function withColon(language: string, label: string, rest: string): string {
  return `${label}${rootOf(language) === 'fr' ? '\u00a0' : ''}: ${rest}`
}

/** Sentences in one line: `A; B`. French has a no-break space before the semicolon. */
export function inOneLine(language: string, sentences: readonly string[]): string {
  return sentences.join(rootOf(language) === 'fr' ? '\u00a0; ' : '; ')
}

/** Quoted texts as alternatives: `"Monthly" or "Yearly"`, `„Monatlich“ oder „Jährlich“`. */
export function alternatives(language: string, texts: readonly string[]): string {
  const list = new Intl.ListFormat(isLanguage(language) ? language : 'en', { type: 'disjunction' })
  return list.format(texts.map((text) => quoted(language, text)))
}
