/** Writes the pages of the reference as Markdown. */
import { readdirSync } from 'node:fs'
import { en } from '../../../plugin/words/en.js'
import { placeholdersIn } from '../../../plugin/words/fill-template.js'
import { VIOLATION_CODES } from '../../../plugin/words/sentences/en.js'
import { anchorOf } from '../anchors.js'
import { optionRows, optionTables } from '../option-rows.js'
import { OPAQUE, PAGES, type PageOf } from './pages.js'
import { type Declaration, type Doc, ENTRIES, type Member, readExports, readOptionTypes } from './read-exports.js'

const NOTICE = '<!-- Generated from the doc comments: npm run reference -->'
const BEHAVIOR = '../behaviour.md'

/** The texts of all pages by the name of their file. */
export function writeReference(): ReadonlyMap<string, string> {
  const declarations = readExports(OPAQUE)
  const placed = placeAll(declarations)
  const places = new Map(
    [...placed].flatMap(([page, some]) => some.map((one) => [one.name, `${page.name}.md#${anchorFor(one)}`])),
  )
  const pages = [...placed].map(([page, some]) => [`${page.name}.md`, pageText(page, some, places)] as const)
  return new Map([['README.md', contents(declarations, places)], ...pages])
}

/** Names that hosts can import and that no page lists. */
export function namesWithoutPage(declarations: readonly Declaration[]): readonly string[] {
  const listed = new Set(PAGES.flatMap(({ names }) => names))
  return declarations.filter(({ entry, name }) => entry !== null && !listed.has(name)).map(({ name }) => name)
}

/**
 * Names and members without a doc comment. A member needs none if the comment of a declaration or member around it has its
 * name in backticks; constructors have the comment of their class.
 */
export function withoutDoc(declarations: readonly Declaration[]): readonly string[] {
  return declarations.flatMap(({ file, name, doc, members }) => {
    const own = new Map(members.map((member) => [member.path, member.doc.text]))
    const isDocumented = (member: Member) => {
      const parts = member.path.split('.')
      const around = [doc.text, ...parts.slice(0, -1).map((_, index) => own.get(parts.slice(0, index + 1).join('.')) ?? '')]
      const last = parts.at(-1) ?? ''
      if (last === 'constructor') return doc.text !== ''
      return member.doc.text !== '' || around.some((text) => text.includes(`\`${last}\``))
    }
    const silent = members.filter((member) => !isDocumented(member)).map(({ path }) => `${name}.${path}`)
    return [...(doc.text === '' ? [name] : []), ...silent].map((one) => `${file}: ${one}`)
  })
}

/** The declarations of each page: those that it lists, then those that are used here first. */
function placeAll(declarations: readonly Declaration[]): ReadonlyMap<PageOf, readonly Declaration[]> {
  const byName = new Map(declarations.map((one) => [one.name, one]))
  const listed = new Set(PAGES.flatMap(({ names }) => names))
  const done = new Set<string>()
  return new Map(
    PAGES.map((page) => {
      const own: Declaration[] = []
      const take = (name: string, isListed: boolean): void => {
        const one = byName.get(name)
        if (!one || done.has(name) || (!isListed && (listed.has(name) || OPAQUE.has(name)))) return
        done.add(name)
        own.push(one)
      }
      for (const name of page.names) take(name, true)
      // The list grows while types are met.
      for (const { uses } of own) for (const name of uses) take(name, false)
      return [page, own]
    }),
  )
}

function contents(declarations: readonly Declaration[], places: ReadonlyMap<string, string>): string {
  const pages = PAGES.map(({ name, title, about }) => `- [${title}](${name}.md): ${about}`)
  const lists = Object.keys(ENTRIES).map((entry) => {
    const names = declarations.filter((one) => one.entry === entry).map(({ name }) => name)
    const links = names.sort((a, b) => a.localeCompare(b, 'en')).map((name) => `[\`${name}\`](${places.get(name)})`)
    return `## Exports of ${entry}\n\n${links.join(' ·\n')}`
  })
  const about =
    'Everything that a host can import, with each option and member. The pages are written from the doc comments of the types, ' +
    'which editors show as well.'
  const codes = 'All blocks of code with imports compile as they are, in a strict project.'
  return tidy([NOTICE, '# Reference', `${about}\n${codes}`, pages.join('\n'), ...lists].join('\n\n'))
}

function pageText(page: PageOf, declarations: readonly Declaration[], places: ReadonlyMap<string, string>): string {
  const here = (text: string) => text.replaceAll(`](${page.name}.md#`, '](#')
  const known = { ...EXTRA[page.name] }
  const parts = declarations.map((one) => [one.name, declarationText(one, places)] as const)
  const body = parts.flatMap(([name, text]) => [text, ...(known[name] ? [known[name]()] : [])])
  return here(tidy([NOTICE, `# ${page.title}`, page.about, '[All pages](README.md)', ...body].join('\n\n')))
}

/** What pages have in addition, after a declaration. */
const EXTRA: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  options: { PluginOptions: optionsText },
  words: { MoreWords: sentencesText, MailWords: mailsText },
}

function headingOf({ kind, name }: Declaration): string {
  if (kind === 'function') return `${name}()`
  if (kind === 'value') return name
  return kind === 'class' ? `class ${name}` : `type ${name}`
}

function anchorFor(one: Declaration): string {
  return anchorOf(headingOf(one))
}

function declarationText(one: Declaration, places: ReadonlyMap<string, string>): string {
  const { code, doc, entry, kind, members, uses } = one
  const isPlain = (kind === 'interface' || kind === 'class') && code === `${kind} ${one.name}`
  // The members of a type alias that is an object are listed one by one, as those of an interface.
  const from = entry === null ? 'Not exported: a type that others use.' : entry === 'koa-itsm' ? '' : `From \`${entry}\`.`
  const links = uses.flatMap((name) => (places.has(name) ? [`[\`${name}\`](${places.get(name)})`] : []))
  return [
    `## ${headingOf(one)}`,
    prose(doc.text),
    from,
    isPlain ? '' : `\`\`\`typescript\n${code}\n\`\`\``,
    [...doc.params.map(([name, text]) => `- \`${name}\`: ${prose(text)}`), ...thrown(doc)].join('\n'),
    members
      .filter((member) => kind !== 'type' || member.doc.text !== '')
      .map(memberText)
      .join('\n'),
    links.length > 0 ? `Types: ${links.join(', ')}` : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function memberText({ path, code, doc }: Member): string {
  const within = path.includes('.') ? `${path.split('.').slice(0, -1).join('.')}.` : ''
  const shown = within + code.replace(/\s*\n\s*/g, ' ')
  const said = [
    prose(doc.text),
    ...doc.params.map(([name, text]) => `\`${name}\`: ${sentence(prose(text))}`),
    ...doc.throws.map((text) => `Throws ${sentence(prose(text))}`),
  ].filter((text) => text !== '')
  const quoted = shown.includes('`') ? `\`\` ${shown} \`\`` : `\`${shown}\``
  return `- ${quoted}${said.length > 0 ? `<br>\n  ${said.join(' ').replace(/\n/g, '\n  ')}` : ''}`
}

function thrown({ throws }: Doc): readonly string[] {
  return throws.map((text) => `- Throws ${prose(text)}`)
}

function sentence(text: string): string {
  return /[.!?:]$/.test(text) ? text : `${text}.`
}

const ADRS = new Map(readdirSync('plugin/docs/adr').map((file) => [Number(file.slice(0, 4)), file]))

/** A comment as Markdown of a page: what it cites becomes a link. */
function prose(text: string): string {
  return text
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .replace(/ ?\(spec, [^)]*\)/g, '')
    .replace(/\b[Bb]ehaviour: ([A-Z][^()]*?)(?=\)|\. |\.$|;|$)/g, (_, cited: string) => `behavior: ${behaviorLinks(cited)}`)
    .replace(/\bADR (\d+)/g, (all, number: string) => `[${all}](../adr/${ADRS.get(Number(number))})`)
}

function behaviorLinks(cited: string): string {
  return cited
    .split(/,\s+/)
    .map((heading) => `[${heading}](${BEHAVIOR}#${anchorOf(heading)})`)
    .join(', ')
}

function optionsText(): string {
  const { options, hooks } = optionTables()
  const rows = optionRows()
  const types = readOptionTypes(rows.filter(({ option }) => !option.rows).map(({ path }) => path))
  const list = [...types].map(([path, type]) => `- \`${path}\`: \`${type}\``)
  return [`### All options\n\n${options}`, `### All hooks\n\n${hooks}`, `### Types of options\n\n${list.join('\n')}`].join(
    '\n\n',
  )
}

function sentencesText(): string {
  const rows = Object.entries(en.sentences ?? {}).map(([code, text]) => `| \`${code}\` | ${cell(text)} | ${valuesIn([text])} |`)
  const about =
    '`fail(field, code, params)` of a rule takes one of these codes, a code of `words`, or a text. The first ' +
    `${VIOLATION_CODES.length} are codes of violations, which problem details have; the others are for logs, notes and mails.`
  return [`### All sentences\n\n${about}`, ['| Code | English | Values |', '|---|---|---|', ...rows].join('\n')].join('\n\n')
}

function mailsText(): string {
  const rows = Object.entries(en.mails).map(
    ([name, { subject, lines }]) => `| \`${name}\` | ${cell(subject)} | ${valuesIn([subject, ...lines])} |`,
  )
  return `### All mails\n\n${['| Name | Subject | Values |', '|---|---|---|', ...rows].join('\n')}`
}

function valuesIn(texts: readonly string[]): string {
  const names = [...new Set(texts.flatMap((text) => placeholdersIn(text)))].filter((name) => name !== 'label')
  return names.map((name) => `\`${name}\``).join(', ')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}

function tidy(text: string): string {
  return `${text
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`
}
