/** British spelling: English words that are spelled differently in the United Kingdom. */
import { en } from './en.js'

/** Texts of one language that replace others. */
interface Texts {
  readonly [key: string]: string
}

const SPELLINGS: readonly (readonly [american: RegExp, british: string])[] = [
  [/rganiz/g, 'rganis'],
  [/nalyz/g, 'nalys'],
  [/ocaliz/g, 'ocalis'],
  [/anceled/g, 'ancelled'],
  [/icense/g, 'icence'],
  [/\bProgram\b/g, 'Programme'],
]

/** Returns the text in British spelling. */
export function british(text: string): string {
  return SPELLINGS.reduce((spelt, [american, other]) => spelt.replace(american, other), text)
}

/** Returns the texts that are spelled differently. Mails and the console are the same. */
export function britishWords() {
  return {
    sentences: different(en.sentences),
    fields: different(en.fields),
    values: Object.fromEntries(Object.entries(en.values).map(([name, labels]) => [name, different(labels)])),
  }
}

function different(texts: Texts): Texts {
  const pairs = Object.entries(texts).map(([key, text]) => [key, british(text)] as const)
  return Object.fromEntries(pairs.filter(([key, text]) => text !== texts[key]))
}
