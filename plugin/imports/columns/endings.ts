/** Words that may follow a name after a slash, such as `Email / down`. */

/** `Email` for `Email / down`. */
export function withoutEnding(text: string, endings: readonly string[]): string {
  const ending = endingOf(text, endings)
  return ending === null ? text : text.slice(0, -` / ${ending}`.length)
}

/** The cell for a name; one that looks as if it had an ending gets another one, so that the import finds the whole name. */
export function withEnding(text: string, endings: readonly string[]): string {
  const ending = endingOf(text, endings)
  return ending === null ? text : `${text} / ${ending}`
}

function endingOf(text: string, endings: readonly string[]): string | null {
  return endings.find((one) => text.toLowerCase().endsWith(` / ${one}`)) ?? null
}
