/** The rows of the options of the plugin with their docstrings, and the tables of the reference that they give. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import ts from 'typescript-5'
import type { Option, Rows } from '../../plugin/options/option.js'
import { OPTIONS } from '../../plugin/options/table.js'
import { anchorOf } from './anchors.js'

const FOLDER = 'plugin/options/rows'

export interface OptionRow {
  /** `jobs.work` */
  readonly path: string
  readonly option: Option<unknown, unknown>
  /** In one line; empty if there is none. */
  readonly docstring: string
  /** The docstring without its default. */
  readonly doc: string
  /** What the docstring says of the default; empty if it says nothing. */
  readonly saidDefault: string
  /** What the row says of it; null if that is no constant. */
  readonly constant: string | null
}

/** All rows in the order of the table, groups before what is in them. */
export function optionRows(): readonly OptionRow[] {
  const docs = new Map(readdirSync(FOLDER).flatMap((file) => [...docsIn(join(FOLDER, file))]))
  return rowsIn('', OPTIONS).map(([path, option]) => {
    const docstring = docs.get(path) ?? ''
    const [, doc = '', saidDefault = ''] = /^(.*?)\.(?: Default: (.+)\.)?$/.exec(docstring) ?? []
    return { path, option, docstring, doc, saidDefault, constant: constantOf(option) }
  })
}

/**
 * The table of options, and that of hooks: those whose docstring begins with when they are called.
 * Links lead to the guides beside the reference.
 */
export function optionTables(): { readonly options: string; readonly hooks: string } {
  const [options, hooks]: [string[], string[]] = [[], []]
  for (const { path, option, doc, saidDefault, constant } of optionRows()) {
    const [, called, what = ''] = /^Called (.+?)\. (.*)$/.exec(doc) ?? []
    const value = option.required ? 'required' : (constant ?? saidDefault)
    if (called) hooks.push(`| \`${path}\` | ${called} | ${linked(what)}${saidDefault && `. Default: ${saidDefault}`} |`)
    else if (doc !== '') options.push(`| \`${path}\` | ${value} | ${linked(doc)} |`)
  }
  return {
    options: ['| Option | Default | |', '|---|---|---|', ...options].join('\n'),
    hooks: ['| Hook | Called | |', '|---|---|---|', ...hooks].join('\n'),
  }
}

function rowsIn(path: string, rows: Rows): readonly (readonly [path: string, option: Option<unknown, unknown>])[] {
  return Object.entries(rows).flatMap(([name, option]) => [
    [path + name, option] as const,
    ...rowsIn(`${path}${name}.`, option.rows ?? {}),
  ])
}

/** A default that is data, as it is written in code, with its unit. */
function constantOf({ default: value, unit }: Option<unknown, unknown>): string | null {
  const isList = Array.isArray(value) && value.length > 0
  if (!isList && !['string', 'number', 'boolean'].includes(typeof value)) return null
  const code = isList ? `[${value.map((one) => inspect(one)).join(', ')}]` : inspect(value)
  return `\`${code}\`${unit ? ` ${unit}` : ''}`
}

/** The docstrings of the properties of the table in a file, by the path of the option. */
function docsIn(file: string): ReadonlyMap<string, string> {
  const docs = new Map<string, string>()
  const look = (node: ts.Node, path: string): void => {
    const isRow = ts.isPropertyAssignment(node)
    const here = isRow ? `${path}${node.name.getText()}.` : path
    const [doc] = isRow ? ts.getJSDocCommentsAndTags(node) : []
    if (doc) docs.set(here.slice(0, -1), (ts.getTextOfJSDocComment(doc.comment) ?? '').replace(/\s+/g, ' '))
    ts.forEachChild(node, (child) => look(child, here))
  }
  look(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true), '')
  return docs
}

/** `operating.md: Security` becomes a link. */
function linked(doc: string): string {
  return doc.replace(/(?<!\S)([a-z-]+\.md): ([A-Z][^.,;)]*)/g, (_, file: string, heading: string) => {
    return `[${heading}](../guides/${file}#${anchorOf(heading)})`
  })
}
