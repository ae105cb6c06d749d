/**
 * Returns the texts to look for if capital letters do not matter, each once. Those with letters outside ASCII are also in lower
 * case, because an embedded database takes only the letters of ASCII for equal.
 */
export function inBothCases(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.flatMap((text) => (/[^\p{ASCII}]/u.test(text) ? [text, text.toLowerCase()] : [text])))]
}
