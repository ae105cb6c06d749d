/** The language enumeration (gaps 2.3), and how people, accounts and X-SVC-Language may spell its languages. */

/** Languages whose words we bring along; the first one stands in for everything that another lacks. */
export const WORD_LANGUAGES = ['en', 'nl', 'de', 'fr'] as const

/** The language of callers that name none, or one that nobody has words for. */
export const DEFAULT_LANGUAGE = 'en-US'

/** Ids in the order of the enumeration. The last line is ours: "and a few more" (gaps 2.3). */
export const LANGUAGES: readonly string[] = Object.freeze(
  [
    'en-US en-GB nl de fr es es-AR es-ES eu pt-PT pt-BR it da ga cy fi nb sv is pl cs el ro hu bg sk tr ru uk et ar',
    'zh-CN zh-TW ja ko id th vi ms fa he hi af am az bs hr fr-CA ka lv lt sr sl ta mk',
    'ca gl lb mt sq hy be kk bn ur sw',
  ].flatMap((line) => line.split(' ')),
)

/** True for an id of the enumeration, spelt exactly. */
export function isLanguage(id: string): boolean {
  return LANGUAGES.includes(id)
}

/**
 * The id of the language that a tag means: `fr-CA` is one, `nl-NL`, `NL` and `nl_NL` mean `nl`, `en` means `en-US`. Tags without
 * an id of their own are matched by their first part. Null for a language that the enumeration does not have.
 */
export function languageIn(tag: string | undefined | null): string | null {
  const wanted = (tag ?? '').trim().replaceAll('_', '-').toLowerCase()
  if (!/^[a-z]{2,3}(-[a-z0-9]{1,8})*$/.test(wanted)) return null
  return LANGUAGES.find((id) => id.toLowerCase() === wanted) ?? LANGUAGES.find((id) => rootOf(id) === rootOf(wanted)) ?? null
}

/**
 * The id of the nearest language that there are words for: `fr-CA` stays, `nl-BE` and `NL_be` become `nl`, `en` becomes
 * `en-US`, and so does every language without words.
 *
 * @param spoken the languages with words; hosts that bring their own have more than ours
 */
export function languageOf(wanted: string | undefined | null, spoken: readonly string[] = WORD_LANGUAGES): string {
  const found = languageIn(wanted)
  return found !== null && spoken.some((language) => rootOf(language) === rootOf(found)) ? found : DEFAULT_LANGUAGE
}

/** `fr` of `fr-CA`. */
export function rootOf(language: string): string {
  return language.replace(/-.*/, '')
}

/** The language's own name, whoever asks: `Nederlands`, `English (United States)`. Other texts come back unchanged. */
export function languageLabel(id: string): string {
  if (!isLanguage(id)) return id
  return new Intl.DisplayNames([id], { type: 'language', languageDisplay: 'standard' }).of(id) ?? id
}
