/** Cuts pages into what people search for. */

/** A part of a page from one heading to the next, as plain text. */
export interface Section {
  readonly url: string
  /** Title of the page. */
  readonly title: string
  readonly heading: string
  readonly text: string
}

/** The sections of a page. Text before the first heading has none. */
export function sectionsIn(
  html: string,
): readonly { readonly anchor: string; readonly heading: string; readonly text: string }[] {
  return html
    .split(/(?=<h[1-6] id=")/)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [, anchor = '', heading = '', text = part] = /^<h[1-6] id="([^"]*)">(.*?)<\/h[1-6]>([\s\S]*)$/.exec(part) ?? []
      return { anchor, heading: plain(heading), text: plain(text) }
    })
}

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** The texts between tags. Tags within a word leave no blank. */
function plain(html: string): string {
  const [first = '', ...parts] = html.split('<')
  const texts = parts.map((part) => {
    const end = part.indexOf('>')
    return (WITHIN_WORDS.test(part) ? '' : ' ') + part.slice(end + 1)
  })
  return (first + texts.join(''))
    .replace(/&(amp|lt|gt|quot|#39);/g, (entity, name: string) => CHARACTERS[name] ?? entity)
    .replace(/\s+/g, ' ')
    .trim()
}

const WITHIN_WORDS = /^\/?(a|code|em|strong)\b/
