/** Splits Markdown into the sentences that people read. */

export interface Sentence {
  /** Line of the document on which the block of the sentence begins. */
  readonly line: number
  readonly text: string
  readonly words: number
}

/** Begins a block of its own: an empty line, a heading, an item, a row of a table or a comment. */
const BEGINS_BLOCK = /^\s*(?:$|#|[-*] |\d+\. |\||<!--)/
const END_OF_SENTENCE = /(?<=[.!?][)”"*]*)\s+(?=["“(*[]*[\p{Lu}\d`])/u
/** Between the entries of a menu, and between the lines of a cell. */
const ENTRY = / · |<br>/
/** Shortened words that end with a full stop and end no sentence. */
const SHORTENED = /(?<=\b(?:e\.g|i\.e|etc|vs))\.(?=\s)/g

/** All sentences of paragraphs, items and cells of tables. Code blocks and headings have none. */
export function sentencesIn(markdown: string): readonly Sentence[] {
  return blocksOf(markdown).flatMap(({ line, text }) =>
    plain(text)
      .split(ENTRY)
      .flatMap((entry) => entry.split(END_OF_SENTENCE))
      .map((sentence) => ({ line, text: sentence, words: wordsIn(sentence) })),
  )
}

interface Block {
  readonly line: number
  readonly text: string
}

function blocksOf(markdown: string): readonly Block[] {
  const blocks: Block[] = []
  let open: { line: number; text: string } | undefined
  const close = () => {
    if (open) blocks.push(open)
    open = undefined
  }
  for (const [index, line] of withoutCode(markdown).split('\n').entries()) {
    if (BEGINS_BLOCK.test(line)) close()
    if (/^\s*\|/.test(line)) blocks.push(...cellsOf(line).map((text) => ({ line: index + 1, text })))
    else if (/^\s*(?:$|#|<!--)/.test(line)) continue
    else if (open) open.text += ` ${line.trim()}`
    else open = { line: index + 1, text: line.replace(/^\s*(?:[-*]|\d+\.) /, '').trim() }
  }
  close()
  return blocks
}

/** The text with empty lines in place of code, so that the numbers of the lines stay. */
function withoutCode(markdown: string): string {
  return markdown.replace(/^( *)```[\s\S]*?^\1```$/gm, (code) => code.replace(/[^\n]+/g, ''))
}

function cellsOf(row: string): readonly string[] {
  return row
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
    .filter((cell) => !/^[-: ]*$/.test(cell))
}

/** What is read: a text in backticks is one word, a link its text. */
function plain(text: string): string {
  return text
    .replace(/`[^`]*`/g, '`')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(SHORTENED, '')
}

function wordsIn(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\d`]/u.test(word)).length
}
