/**
 * The report of all that hosts can name: what the entries of the package export, and the declarations behind it. Written by
 * `npm run api` into `spec/api-report.md`; its digest stands in the changelog, so that who changes the API has a line to change there.
 * It is printed from the declarations that the compiler emits, by name and without comments.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript-5'
import { COMPILER } from './modules.js'

export const REPORT = 'spec/api-report.md'
/** The line of the changelog, and the part of it that is the digest. */
export const DIGEST = /(?<=^API report: `)[0-9a-f]+(?=`)/m

const INTRODUCTION = `# API report

What the entries of the package export, and the declarations behind it: the API of hosts. \`npm run api\` writes this file.
`

/** A module of ours as the compiler declares it. */
interface Module {
  /** What it declares, by name: functions may be declared several times. */
  readonly declared: ReadonlyMap<string, readonly ts.Statement[]>
  /** Names that it has from other modules, or that it exports. */
  readonly imported: ReadonlyMap<string, Origin>
  readonly exported: ReadonlyMap<string, Origin>
}

/** Where a name comes from: the file of the declarations, and the name there. */
interface Origin {
  readonly file: string
  readonly name: string
  /** True if it is exported as a type, whatever it is. */
  readonly isType?: boolean
  /** True if only the names of its properties matter: `keyof typeof words`. */
  readonly isKeys?: boolean
}

/** The text of the report. Runs the compiler. */
export async function apiReport(): Promise<string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'itsm-api-')))
  try {
    const emit = ['--emitDeclarationOnly', '--noCheck', '--declarationMap', 'false', '--outDir', folder]
    await promisify(execFile)(process.execPath, [COMPILER, '-p', 'tsconfig.json', ...emit])
    return reportOf(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The digest of a report, for the changelog. */
export function digestOf(report: string): string {
  return createHash('sha256').update(report).digest('hex').slice(0, 12)
}

function reportOf(folder: string): string {
  const modules = new Map<string, Module>()
  const moduleOf = (file: string): Module => {
    const known = modules.get(file) ?? readModule(file)
    modules.set(file, known)
    return known
  }
  /** Where a name of a module is declared. */
  const declaring = ({ file, name }: Origin): Origin => {
    const { declared, exported, imported } = moduleOf(file)
    const next = declared.has(name) ? undefined : (imported.get(name) ?? exported.get(name))
    return next ? declaring(next) : { file, name }
  }
  const keyOf = ({ file, name }: Origin) => `${relative(folder, file).replace('.d.ts', '')} ${name}`
  const declarations = new Map<string, string>()
  const add = (origin: Origin): void => {
    const { file, name } = declaring(origin)
    const statements = moduleOf(file).declared.get(name) ?? []
    const key = `${keyOf({ file, name })}${origin.isKeys ? ' keys' : ''}`
    if (declarations.has(key)) return
    if (origin.isKeys) return void declarations.set(key, `keys of ${name}: ${statements.flatMap(keysIn).join(', ')}`)
    declarations.set(key, statements.map(textOf).join('\n'))
    for (const named of statements.flatMap((statement) => namesIn(statement, file))) {
      const { declared, imported } = moduleOf(named.file)
      if (declared.has(named.name) || imported.has(named.name)) add(named)
    }
  }
  const exported = entriesIn(folder).map(([entry, file]) => {
    const names = [...moduleOf(file).exported].sort(byName)
    for (const [, origin] of names) add(origin)
    return { entry, names: names.map(([name, origin]) => ({ name, origin, key: keyOf(declaring(origin)) })) }
  })
  const sections = exported.map(({ entry, names }) => {
    const texts = names.map(({ name, origin, key }) => {
      const text = declarations.get(key) || `${name}, of a package`
      const notes = [
        ...(key.endsWith(` ${name}`) ? [] : [`exported as ${name}`]),
        ...(origin.isType && !/^(interface|type) /.test(text) ? ['exported as a type'] : []),
      ]
      return [...notes.map((note) => `// ${note}`), text].join('\n')
    })
    return `## ${entry}\n\n${blockOf(texts)}`
  })
  const shown = new Set(exported.flatMap(({ names }) => names.map(({ key }) => key)))
  // By name, without files: who moves a declaration changes no API.
  const behind = [...declarations]
    .filter(([key]) => !shown.has(key))
    .map(([key, text]) => [`${key.split(' ')[1]} ${text}`, text] as const)
  const texts = behind.sort(byName).map(([, text]) => text)
  return [INTRODUCTION, ...sections, `## Behind them\n\n${blockOf(texts)}`].join('\n')
}

/** The entries of the package, and the files of their declarations. */
function entriesIn(folder: string): readonly (readonly [entry: string, file: string])[] {
  const { name, exports } = JSON.parse(readFileSync('package.json', 'utf8'))
  return Object.entries<string | { readonly types: string }>(exports).flatMap(([path, to]) =>
    typeof to === 'string' ? [] : [[`${name}${path.slice(1)}`, join(folder, to.types.replace('./dist/', ''))] as const],
  )
}

function readModule(file: string): Module {
  const declared = new Map<string, ts.Statement[]>()
  const [imported, exported] = [new Map<string, Origin>(), new Map<string, Origin>()]
  for (const statement of ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true).statements) {
    if (ts.isImportDeclaration(statement)) {
      const from = originFile(file, statement.moduleSpecifier)
      const { namedBindings: names } = statement.importClause ?? {}
      if (!from || !names || !ts.isNamedImports(names)) continue
      for (const { name, propertyName = name } of names.elements)
        imported.set(name.text, { file: from, name: propertyName.text })
    } else if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause)) {
      const from = statement.moduleSpecifier ? originFile(file, statement.moduleSpecifier) : file
      for (const { name, propertyName = name, isTypeOnly } of statement.exportClause.elements)
        exported.set(name.text, { file: from ?? file, name: propertyName.text, isType: isTypeOnly || statement.isTypeOnly })
    } else if (ts.isExportDeclaration(statement) && statement.moduleSpecifier && originFile(file, statement.moduleSpecifier)) {
      throw new Error(`${file}: the report does not know what 'export *' exports; name it`)
    } else {
      for (const name of declaredNames(statement)) {
        declared.set(name, [...(declared.get(name) ?? []), statement])
        const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : []
        if (modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) exported.set(name, { file, name })
      }
    }
  }
  return { declared, imported, exported }
}

/** The file of a module of ours; null for packages. */
function originFile(file: string, specifier: ts.Node): string | null {
  const path = ts.isStringLiteral(specifier) ? specifier.text : ''
  return path.startsWith('.') ? join(dirname(file), path.replace(/\.js$/, '.d.ts')) : null
}

function declaredNames(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []))
  }
  const { name } = statement as Partial<ts.DeclarationStatement>
  return name && ts.isIdentifier(name) ? [name.text] : []
}

/** The names of types and values that a declaration refers to, as they are known in its file. */
function namesIn(statement: ts.Statement, file: string): readonly Origin[] {
  const found: Origin[] = []
  const first = (name: ts.Node): string => (ts.isQualifiedName(name) ? first(name.left) : name.getText())
  const look = (node: ts.Node): void => {
    // What the fields of our record types are is in the OpenAPI document. Here the types are named.
    if (ts.isTypeQueryNode(node) && /\/plugin\/records\/built-in-records\./.test(file)) return
    if (isKeyofTypeof(node)) return void found.push({ file, name: first(node.type.exprName), isKeys: true })
    if (ts.isTypeReferenceNode(node)) found.push({ file, name: first(node.typeName) })
    else if (ts.isTypeQueryNode(node)) found.push({ file, name: first(node.exprName) })
    else if (ts.isExpressionWithTypeArguments(node)) found.push({ file, name: node.expression.getText() })
    else if (ts.isComputedPropertyName(node)) found.push({ file, name: node.expression.getText() })
    else if (ts.isImportTypeNode(node) && node.qualifier && ts.isLiteralTypeNode(node.argument)) {
      const from = originFile(file, node.argument.literal)
      if (from) found.push({ file: from, name: first(node.qualifier) })
    }
    ts.forEachChild(node, look)
  }
  look(statement)
  return found
}

function isKeyofTypeof(node: ts.Node): node is ts.TypeOperatorNode & { readonly type: ts.TypeQueryNode } {
  return ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.KeyOfKeyword && ts.isTypeQueryNode(node.type)
}

/** The names of the properties of a constant. */
function keysIn(statement: ts.Statement): readonly string[] {
  if (!ts.isVariableStatement(statement)) return []
  return statement.declarationList.declarations.flatMap(({ type }) =>
    type && ts.isTypeLiteralNode(type) ? type.members.flatMap(({ name }) => name?.getText() ?? []) : [],
  )
}

function textOf(statement: ts.Statement): string {
  const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed })
  const text = printer.printNode(ts.EmitHint.Unspecified, statement, statement.getSourceFile())
  return text
    .replace(/^(export )?(declare )?/, '')
    .replace(/import\("[^"]+"\)\./g, '')
    .replace(/;$/gm, '')
    .replace(/^( {4})+/gm, (indent) => indent.replaceAll('    ', '  '))
}

function blockOf(texts: readonly string[]): string {
  return `\`\`\`ts\n${texts.join('\n')}\n\`\`\`\n`
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : Number(one > other)
}
