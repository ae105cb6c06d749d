/**
 * Which texts name the same thing. The answer is ours, and the same on every database: collations differ in accents, width and
 * ligatures, and between servers (behaviour: Identity). Databases compare only the keys that are made here.
 */
import { hash } from 'node:crypto'

/** Texts of letters below the combining marks are normalized already, and that is most of them. */
const MAY_CHANGE = /[^\0-\u02ff]/

/** The text in Unicode NFC: letters with accents have one form, however they were typed. */
export function normalized(text: string): string {
  return MAY_CHANGE.test(text) ? text.normalize('NFC') : text
}

/** Letters that stay what they are: the dotless i is no i, and a ligature is not its letters. */
const KEPT = /[\u0131\u0587\ufb00-\ufb06\ufb13-\ufb17]/

const ASCII = /^[\0-\x7f]*$/

/**
 * The text without regard to case: full case folding of Unicode, character by character, so that a sigma does not depend on its
 * place. `ZÜRICH` is `Zürich`, `STRASSE` is `straße`; `é` is not `e`.
 */
export function folded(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  let all = ''
  for (const letter of normalized(text)) all += KEPT.test(letter) ? letter : letter.toLowerCase().toUpperCase().toLowerCase()
  return all.normalize('NFC')
}

/** True if both name the same, whatever the case of their letters. */
export function isSame(one: string, other: string): boolean {
  return one === other || folded(one) === folded(other)
}

/** Characters of a key. So many of a digest that nobody finds two texts with the same one. */
export const KEY_LENGTH = 32

/** The key of a text without regard to case. It has one length and only letters of ASCII: no database pads or folds it. */
export function foldedKey(text: string): string {
  return digest(folded(text))
}

/** The key of texts exactly as they are, but for normalization. */
export function exactKey(texts: readonly string[]): string {
  return digest(JSON.stringify(texts.map(normalized)))
}

/**
 * The key of the texts of a record: without regard to case (`folded`), or as they are (`exact`). Null if one of them is missing.
 */
export function keyOfTexts(form: 'folded' | 'exact', texts: readonly unknown[]): string | null {
  if (texts.some((text) => text === null || text === undefined)) return null
  return form === 'exact' ? exactKey(texts.map(String)) : foldedKey(texts.map(String).join('\n'))
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, KEY_LENGTH)
}
