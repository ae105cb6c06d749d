/** Named formats of strings. */
import { isLanguage, languageIn } from '../../../words/languages.js'
import type { Field } from '../../language/field.js'

export type Format = 'email' | 'emails' | 'webhook_uri' | 'locale'

/**
 * One @ without blanks, and without characters that nobody sees: two addresses would look the same. After it is a domain or a
 * plain host name.
 */
const EMAIL =
  /^[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}@,;<>"]+@[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}@,;<>"]+$/u

/** True if the text has the format. */
export function isFormat(format: Format, text: string): boolean {
  switch (format) {
    case 'email':
      return EMAIL.test(text)
    case 'emails':
      return text.split(',').every((part) => EMAIL.test(part.trim()))
    case 'webhook_uri':
      return isWebAddress(text)
    case 'locale':
      return isLanguage(text)
  }
}

/** Normalizes a text for a format: e-mail addresses in lower case, languages as in our list. */
export function inFormat(format: Field['format'], text: string): string {
  if (format === 'email') return text.toLowerCase()
  return format === 'locale' ? (languageIn(text) ?? text) : text
}

/** True for an http or https URL with a host. */
export function isWebAddress(text: string): boolean {
  if (!URL.canParse(text) || /[\s<>]/.test(text)) return false
  const { protocol, hostname } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && hostname !== ''
}
