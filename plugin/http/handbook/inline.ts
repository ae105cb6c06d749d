/** Markdown within a line, as HTML. Everything is escaped: no HTML of a document passes but `<br>`. */
import { escaped } from '../../core/text/escaped.js'

/** Returns the URL for a link of a document; null if it leads to nothing that is served, so that its text stands alone. */
export type LinkTo = (href: string) => string | null

const PUNCTUATION = '\\`*_{}[]()#+-.!|<>'

/** A text with code, links, strong and emphasized parts. */
export function inlineHtml(text: string, linkTo: LinkTo): string {
  let html = ''
  let plain = ''
  let at = 0
  const put = (more: string, end: number) => {
    html += escaped(plain) + more
    plain = ''
    at = end
  }
  while (at < text.length) {
    const found = codeAt(text, at) ?? linkAt(text, at, linkTo) ?? markedAt(text, at, linkTo) ?? breakAt(text, at)
    if (found) put(...found)
    else if (text[at] === '\\' && PUNCTUATION.includes(text[at + 1] ?? ' ')) {
      plain += text[at + 1]
      at += 2
    } else {
      plain += text[at]
      at += 1
    }
  }
  return html + escaped(plain)
}

type Found = readonly [html: string, end: number] | null

function codeAt(text: string, at: number): Found {
  if (text[at] !== '`') return null
  const end = endOfCode(text, at)
  if (end === null) return null
  const marks = marksAt(text, at)
  // Blanks within longer marks belong to the marks.
  const code = text.slice(at + marks, end - marks)
  return [`<code>${escaped(marks > 1 ? code.trim() : code)}</code>`, end]
}

function marksAt(text: string, at: number): number {
  let count = 0
  while (text[at + count] === '`') count += 1
  return count
}

/** The end of the code that begins here; null if it has none. */
function endOfCode(text: string, at: number): number | null {
  const marks = marksAt(text, at)
  for (let end = text.indexOf('`', at + marks); end >= 0; end = text.indexOf('`', end)) {
    const others = marksAt(text, end)
    if (others === marks) return end + marks
    end += others
  }
  return null
}

function linkAt(text: string, at: number, linkTo: LinkTo): Found {
  if (text[at] !== '[') return null
  const close = closing(text, at, '[', ']')
  if (close === null || text[close + 1] !== '(') return null
  const end = closing(text, close + 1, '(', ')')
  if (end === null) return null
  const shown = inlineHtml(text.slice(at + 1, close), linkTo)
  const url = linkTo(text.slice(close + 2, end))
  return [url === null ? shown : `<a href="${escaped(url)}">${shown}</a>`, end + 1]
}

/** The place of the bracket that closes the one here, brackets within code left out; null if there is none. */
function closing(text: string, at: number, opens: string, closes: string): number | null {
  let depth = 0
  for (let place = at; place < text.length; place += 1) {
    if (text[place] === '`') place = (endOfCode(text, place) ?? place + 1) - 1
    else if (text[place] === opens) depth += 1
    else if (text[place] === closes) depth -= 1
    if (depth === 0) return place
  }
  return null
}

/** `**strong**` and `*emphasized*`; a star beside a blank is a star. */
function markedAt(text: string, at: number, linkTo: LinkTo): Found {
  if (text[at] !== '*') return null
  const [mark, tag] = text[at + 1] === '*' ? (['**', 'strong'] as const) : (['*', 'em'] as const)
  const begin = at + mark.length
  if (/\s/.test(text[begin] ?? ' ')) return null
  for (let end = begin; end < text.length; end += 1) {
    if (text[end] === '`') end = (endOfCode(text, end) ?? end + 1) - 1
    else if (end > begin && text.startsWith(mark, end) && !/\s/.test(text[end - 1] ?? ' '))
      return [`<${tag}>${inlineHtml(text.slice(begin, end), linkTo)}</${tag}>`, end + mark.length]
  }
  return null
}

function breakAt(text: string, at: number): Found {
  return text.startsWith('<br>', at) ? ['<br>', at + 4] : null
}
