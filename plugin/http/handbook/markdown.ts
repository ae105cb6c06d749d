/**
 * The Markdown of our own documents as HTML: headings, paragraphs, lists, tables, code. What is not known here is shown as text,
 * never as HTML. `spec/http/handbook/markdown.spec.ts` renders every document.
 */
import { escaped } from '../../core/text/escaped.js'
import { inlineHtml, type LinkTo } from './inline.js'

/** Returns the anchor of a heading, as GitHub makes it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')
}

/** Returns a document as HTML. Its headings have the anchors that links of other documents name. */
export function markdownHtml(text: string, linkTo: LinkTo): string {
  return blocksHtml(text.replaceAll('\r', '').split('\n'), linkTo)
}

const FENCE = '```'
const ITEM = /^(?:[-*]|\d{1,9}\.) /
const HEADING = /^#{1,6} /

function blocksHtml(lines: readonly string[], linkTo: LinkTo): string {
  const html: string[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const [block, end] = blockAt(lines, at, line, linkTo)
    if (block !== '') html.push(block)
    at = end
  }
  return html.join('\n')
}

type Block = readonly [html: string, end: number]

function blockAt(lines: readonly string[], at: number, line: string, linkTo: LinkTo): Block {
  if (line.trim() === '') return ['', at + 1]
  if (line.startsWith('<!--')) return ['', endOf(lines, at, (one) => one.includes('-->')) + 1]
  if (line.startsWith(FENCE)) return codeBlock(lines, at, line)
  if (HEADING.test(line)) return [headingHtml(line, linkTo), at + 1]
  if (isTable(lines, at)) return tableBlock(lines, at, linkTo)
  if (ITEM.test(line)) return listBlock(lines, at, linkTo)
  const end = endOf(lines, at + 1, (one) => one.trim() === '' || beginsBlock(one))
  return [`<p>${inlineHtml(textIn(lines.slice(at, end)), linkTo)}</p>`, end]
}

/** The first line from here on for which this is true; else the number of lines. */
function endOf(lines: readonly string[], from: number, isEnd: (line: string) => boolean): number {
  for (let at = from; at < lines.length; at += 1) if (isEnd(lines[at] ?? '')) return at
  return lines.length
}

function beginsBlock(line: string): boolean {
  return line.startsWith(FENCE) || line.startsWith('<!--') || HEADING.test(line) || ITEM.test(line) || line.startsWith('| ')
}

function textIn(lines: readonly string[]): string {
  return lines.map((line) => line.trim()).join(' ')
}

function codeBlock(lines: readonly string[], at: number, line: string): Block {
  const [language = ''] = line.slice(FENCE.length).split(' ')
  const end = endOf(lines, at + 1, (one) => one === FENCE)
  const code = escaped(lines.slice(at + 1, end).join('\n'))
  return [`<pre><code${language && ` data-language="${escaped(language)}"`}>${code}\n</code></pre>`, end + 1]
}

function headingHtml(line: string, linkTo: LinkTo): string {
  const level = line.indexOf(' ')
  const text = line.slice(level + 1)
  const id = escaped(anchorOf(text))
  return `<h${level} id="${id}"><a href="#${id}">${inlineHtml(text, linkTo)}</a></h${level}>`
}

function isTable(lines: readonly string[], at: number): boolean {
  return (lines[at] ?? '').startsWith('|') && /^\|[ |:-]+\|$/.test((lines[at + 1] ?? '').trim())
}

function tableBlock(lines: readonly string[], at: number, linkTo: LinkTo): Block {
  const end = endOf(lines, at, (line) => !line.startsWith('|'))
  const row = (line: string, tag: string) =>
    `<tr>${cellsIn(line)
      .map((cell) => `<${tag}>${inlineHtml(cell, linkTo)}</${tag}>`)
      .join('')}</tr>`
  const body = lines.slice(at + 2, end).map((line) => row(line, 'td'))
  const head = `<thead>${row(lines[at] ?? '', 'th')}</thead>`
  return [`<div class="table"><table>${head}<tbody>${body.join('\n')}</tbody></table></div>`, end]
}

/** The cells of a row; a bar after a backslash belongs to its cell. */
function cellsIn(line: string): readonly string[] {
  const cells: string[] = []
  let cell = ''
  for (let at = 1; at < line.length; at += 1) {
    if (line[at] === '|') {
      cells.push(cell.trim())
      cell = ''
    } else if (line.startsWith('\\|', at)) {
      cell += '|'
      at += 1
    } else cell += line[at]
  }
  return cells
}

/** A list with the lines of its items, which are indented, and lists within them. */
function listBlock(lines: readonly string[], at: number, linkTo: LinkTo): Block {
  const isOrdered = /^\d/.test(lines[at] ?? '')
  const items: string[][] = []
  let end = at
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? ''
    const marker = ITEM.exec(line)?.[0]
    if (marker && /^\d/.test(line) === isOrdered) items.push([line.slice(marker.length)])
    else if (/^ {2}/.test(line)) items.at(-1)?.push(line.slice(isOrdered ? Math.min(3, line.search(/\S/)) : 2))
    else if (line.trim() !== '' || !continues(lines[end + 1] ?? '')) break
    else items.at(-1)?.push('')
  }
  const tag = isOrdered ? 'ol' : 'ul'
  return [`<${tag}>\n${items.map((item) => `<li>${itemHtml(item, linkTo)}</li>`).join('\n')}\n</${tag}>`, end]
}

function continues(line: string): boolean {
  return ITEM.test(line) || /^ {2}\S/.test(line)
}

/** An item of one paragraph is its text alone. */
function itemHtml(lines: readonly string[], linkTo: LinkTo): string {
  const html = blocksHtml(lines, linkTo)
  const isAlone = html.startsWith('<p>') && html.indexOf('<p>', 1) < 0
  return isAlone ? html.replace('<p>', '').replace('</p>', '') : html
}
