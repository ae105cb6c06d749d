/**
 * The language enumeration, and the spellings that people, accounts and X-SVC-Language may use (behaviour: Enumeration values).
 */

/** Languages with translations in the plugin. The first one replaces what another language lacks. */
export const WORD_LANGUAGES = ['en', 'nl', 'de', 'fr'] as const

/** Default language: for callers that name none, or one without translations. */
export const DEFAULT_LANGUAGE = 'en-US'

/** Ids in the order of the enumeration. The plugin added the last line (behaviour: Enumeration values). */
export const LANGUAGES: readonly string[] = Object.freeze(
  [
    'en-US en-GB nl de fr es es-AR es-ES eu pt-PT pt-BR it da ga cy fi nb sv is pl cs el ro hu bg sk tr ru uk et ar',
    'zh-CN zh-TW ja ko id th vi ms fa he hi af am az bs hr fr-CA ka lv lt sr sl ta mk',
    'ca gl lb mt sq hy be kk bn ur sw',
  ].flatMap((line) => line.split(' ')),
)

/** Ids by their lower-case form and by their root. Of several with one root, the first one. Each call asks, up to three times. */
const BY_SPELLING: ReadonlyMap<string, string> = new Map(LANGUAGES.map((id) => [id.toLowerCase(), id]))
const BY_ROOT: ReadonlyMap<string, string> = new Map(LANGUAGES.toReversed().map((id) => [rootOf(id), id]))

/** True for an id of the enumeration, in its exact spelling. */
export function isLanguage(id: string): boolean {
  return LANGUAGES.includes(id)
}

/**
 * Returns the language id of a tag: `fr-CA` is an id; `nl-NL`, `NL` and `nl_NL` become `nl`, `en` becomes `en-US`. Tags without
 * an id of their own are matched by their first part. Null for a language that is not in the enumeration.
 */
export function languageIn(tag: string | undefined | null): string | null {
  if (!tag) return null
  const wanted = tag.trim().replaceAll('_', '-').toLowerCase()
  if (!/^[a-z]{2,3}(-[a-z0-9]{1,8})*$/.test(wanted)) return null
  return BY_SPELLING.get(wanted) ?? BY_ROOT.get(rootOf(wanted)) ?? null
}

/**
 * Returns the id of the nearest language with translations: `fr-CA` stays, `nl-BE` and `NL_be` become `nl`. `en` and languages
 * without translations become `en-US`.
 *
 * @param spoken the languages with translations, those of the host included
 */
export function languageOf(wanted: string | undefined | null, spoken: readonly string[] = WORD_LANGUAGES): string {
  const found = languageIn(wanted)
  return found !== null && spoken.some((language) => rootOf(language) === rootOf(found)) ? found : DEFAULT_LANGUAGE
}

/** Returns the root language: `fr` for `fr-CA`. */
export function rootOf(language: string): string {
  return language.replace(/-.*/, '')
}

/**
 * Returns the name of a language in that language: `Nederlands`, `English (United States)`. Other texts are returned unchanged.
 */
export function languageLabel(id: string): string {
  if (!isLanguage(id)) return id
  return new Intl.DisplayNames([id], { type: 'language', languageDisplay: 'standard' }).of(id) ?? id
}

/**
 * The language itself, and the one that stands for all of its regions: readers of fr-CA also read fr, readers of en-GB en-US.
 */
export function languagesRead(language: string | undefined): readonly string[] {
  if (language === undefined) return []
  const general = languageIn(rootOf(language))
  return general === null || general === language ? [language] : [language, general]
}
