/** What hosts can import, read by the TypeScript compiler: declarations, their doc comments, and the types that they use. */
import { relative } from 'node:path'
import ts from 'typescript-5'

/** What hosts import, with the file behind each name. */
export const ENTRIES: Readonly<Record<string, string>> = {
  'koa-itsm': 'plugin/index.ts',
  'koa-itsm/embedded': 'plugin/storage/embedded/index.ts',
  'koa-itsm/receive': 'plugin/receive/index.ts',
  'koa-itsm/testing': 'plugin/testing/index.ts',
}

/** A doc comment. */
export interface Doc {
  /** Markdown. Empty if there is no comment. */
  readonly text: string
  readonly params: readonly (readonly [name: string, text: string])[]
  readonly throws: readonly string[]
}

/** A property or a method. */
export interface Member {
  /** With the names of the members around it: `serviceDesk.name`. */
  readonly path: string
  /** As in the source: `name?: string`. */
  readonly code: string
  readonly doc: Doc
}

/** An exported name, or a type that exported names need. */
export interface Declaration {
  readonly name: string
  /** The entry that exports it; null for a type that has to be known, but cannot be imported. */
  readonly entry: string | null
  readonly kind: 'function' | 'class' | 'interface' | 'type' | 'value'
  /** The declaration without the bodies of functions and members that are listed one by one. */
  readonly code: string
  readonly doc: Doc
  readonly members: readonly Member[]
  /** Names of other declarations here that its types name. */
  readonly uses: readonly string[]
  /** `plugin/index.ts`, for messages. */
  readonly file: string
}

type Declared =
  | ts.InterfaceDeclaration
  | ts.ClassDeclaration
  | ts.TypeAliasDeclaration
  | ts.FunctionDeclaration
  | ts.VariableDeclaration

/** Names of the members that a type is picked for; null for all of them. */
type Shown = ReadonlySet<string> | null

const NONE: Doc = { text: '', params: [], throws: [] }

/**
 * All exports of the entries, and the types of ours that they need, in the order in which they are met.
 *
 * @param skipped types that hosts need not know the members of: they get no page and are not looked into
 */
export function readExports(skipped: ReadonlySet<string> = new Set()): readonly Declaration[] {
  const opened = openProgram()
  const { program, checker } = opened
  const found = new Map<ts.Symbol, { readonly entry: string | null; readonly name: string; shown: Shown }>()
  for (const [entry, file] of Object.entries(ENTRIES)) {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    if (!module) throw new Error(`${file} exports nothing`)
    for (const one of checker.getExportsOfModule(module))
      found.set(resolved(checker, one), { entry, name: one.name, shown: null })
  }
  const result: Declaration[] = []
  // The map grows while types are met.
  for (const [symbol, { entry, name }] of found) {
    const declared = symbol.declarations?.find(isDeclared)
    if (!declared) throw new Error(`${name} is declared in a way that the reference does not know`)
    const used = skipped.has(name) ? new Map<ts.Symbol, Shown>() : usedIn(opened, declared)
    for (const [other, some] of used) {
      const known = found.get(other)
      if (!known) found.set(other, { entry: null, name: other.name, shown: some })
      else known.shown = known.shown && some && new Set([...known.shown, ...some])
    }
    result.push({
      name,
      entry,
      ...described(checker, declared),
      uses: [...used.keys()].map((other) => found.get(other)?.name ?? other.name).filter((other) => other !== name),
      file: relative(process.cwd(), declared.getSourceFile().fileName),
    })
  }
  const shown = new Map([...found.values()].map((one) => [one.name, one.shown] as const))
  const isShown = (name: string, { path }: Member) => shown.get(name)?.has(path.split('.')[0] ?? '') ?? true
  return result.map((one) => ({ ...one, members: one.members.filter((member) => isShown(one.name, member)) }))
}

/** The types of options of a plugin, by their path: `jobs.work`. What no type has, such as one of two forms, is left out. */
export function readOptionTypes(paths: readonly string[]): ReadonlyMap<string, string> {
  const { program, checker } = openProgram()
  const table = program.getSourceFile('plugin/options/table.ts')
  const declared = table?.statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === 'PluginOptions')
  if (!declared) throw new Error('There is no interface PluginOptions')
  const typeAt = (path: string) =>
    path.split('.').reduce<ts.Type | null>((type, name) => {
      const property = type && checker.getPropertyOfType(type, name)
      return property ? checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(property, declared)) : null
    }, checker.getTypeAtLocation(declared))
  return new Map(
    paths.flatMap((path) => {
      const type = typeAt(path)
      const text = type && checker.typeToString(type, declared, ts.TypeFormatFlags.NoTruncation)
      return text ? [[path, text.replace(/\breadonly (?=\w+\??:)/g, '').replace(/import\("[^"]*"\)\./g, '')] as const] : []
    }),
  )
}

type Opened = ReturnType<typeof makeProgram>

let made: Opened | null = null
/** The program of all entries. It takes seconds, so it is made once. */
function openProgram(): Opened {
  made ??= makeProgram()
  return made
}

function makeProgram() {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined }
  const config = ts.getParsedCommandLineOfConfigFile('tsconfig.json', { noEmit: true }, host)
  const program = ts.createProgram(Object.values(ENTRIES), config?.options ?? {})
  return { program, checker: program.getTypeChecker() }
}

function resolved(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

function isDeclared(node: ts.Node): node is Declared {
  return [
    ts.isInterfaceDeclaration,
    ts.isClassDeclaration,
    ts.isTypeAliasDeclaration,
    ts.isFunctionDeclaration,
    ts.isVariableDeclaration,
  ].some((is) => is(node))
}

/** Types of ours that a declaration names in its signature. */
function usedIn({ program, checker }: Opened, declared: Declared): ReadonlyMap<ts.Symbol, Shown> {
  const used = new Map<ts.Symbol, Shown>()
  const lookInRows = (node: ts.Node): void => {
    const isRow = ts.isCallExpression(node) && /^(typed|list)$/.test(node.expression.getText())
    for (const type of (isRow && node.typeArguments) || []) look(type)
    ts.forEachChild(node, lookInRows)
  }
  const look = (node: ts.Node): void => {
    const name = ts.isTypeReferenceNode(node) ? node.typeName : ts.isExpressionWithTypeArguments(node) ? node.expression : null
    const symbol = name && checker.getSymbolAtLocation(name)
    const target = symbol && resolved(checker, symbol)
    if (target?.declarations?.some((one) => isDeclared(one) && isOurs(one))) used.set(target, pickedFrom(node))
    ts.forEachChild(node, (child) => {
      // Bodies and values of constants are nothing that hosts see.
      if (!ts.isBlock(child) && !(ts.isVariableDeclaration(node) && child === node.initializer)) look(child)
    })
  }
  look(declared)
  // Options are mapped from rows, whose types are arguments.
  if (declared.name?.getText() === 'PluginOptions')
    for (const rows of program.getSourceFiles()) if (rows.fileName.includes('/plugin/options/rows/')) lookInRows(rows)
  return used
}

/** The names in `Pick<Type, 'one' | 'other'>`, for the node of the type within it. */
function pickedFrom({ parent }: ts.Node): Shown {
  const isReference = ts.isTypeReferenceNode(parent) || ts.isExpressionWithTypeArguments(parent)
  if (!isReference || !parent.getText().startsWith('Pick<')) return null
  return new Set([...(parent.typeArguments?.[1]?.getText() ?? '').matchAll(/'(\w+)'/g)].map(([, name = '']) => name))
}

function isOurs(node: ts.Node): boolean {
  const path = relative(process.cwd(), node.getSourceFile().fileName)
  return path.startsWith('plugin/') || path.startsWith('migrations/')
}

function described(checker: ts.TypeChecker, declared: Declared): Pick<Declaration, 'kind' | 'code' | 'doc' | 'members'> {
  const doc = docOf(ts.isVariableDeclaration(declared) ? declared.parent.parent : declared)
  if (ts.isFunctionDeclaration(declared)) return { kind: 'function', code: functionCode(declared), doc, members: [] }
  if (ts.isVariableDeclaration(declared)) return { kind: 'value', code: valueCode(checker, declared), doc, members: [] }
  const head = `${declared.name?.text ?? ''}${parametersOf(declared)}`
  if (ts.isTypeAliasDeclaration(declared)) {
    const code = `type ${head} = ${valuesIn(checker, declared) ?? textOf(declared.type)}`
    return { kind: 'type', code, doc, members: membersIn(declared.type, '') }
  }
  const word = ts.isClassDeclaration(declared) ? 'class' : 'interface'
  const bases = (declared.heritageClauses ?? []).map((clause) => ` ${textOf(clause)}`).join('')
  return { kind: word, code: `${word} ${head}${bases}`, doc, members: membersOf(declared.members, '') }
}

/** The values of a type that is written as those of a list, which readers do not have; in the order of the list. */
function valuesIn(checker: ts.TypeChecker, { type }: ts.TypeAliasDeclaration): string | null {
  if (!/^\(typeof \w+\)\[number\]$/.test(textOf(type))) return null
  const list = ts.isIndexedAccessTypeNode(type) && ts.isParenthesizedTypeNode(type.objectType) ? type.objectType.type : type
  const symbol = ts.isTypeQueryNode(list) ? checker.getSymbolAtLocation(list.exprName) : undefined
  const order = symbol ? (resolved(checker, symbol).valueDeclaration?.getText() ?? '') : ''
  const found = checker.getTypeFromTypeNode(type)
  const values = (found.isUnion() ? found.types : [found]).flatMap((one) => (one.isStringLiteral() ? [`'${one.value}'`] : []))
  const sorted = values.sort((one, other) => order.indexOf(one) - order.indexOf(other))
  const line = sorted.join(' | ')
  return line.length > 100 ? sorted.map((value) => `\n  | ${value}`).join('') : line
}

function functionCode(declared: ts.FunctionDeclaration): string {
  const source = declared.getSourceFile()
  const end = declared.body?.pos ?? declared.end
  return withoutComments(source.text.slice(declared.getStart(source), end))
    .replace(/^export (async )?/, '')
    .trim()
}

function valueCode(checker: ts.TypeChecker, declared: ts.VariableDeclaration): string {
  const name = declared.name.getText()
  if (declared.type) return `const ${name}: ${textOf(declared.type)}`
  const value = declared.initializer
  if (value && !ts.isCallExpression(value)) return `const ${name} = ${textOf(value)}`
  return `const ${name}: ${checker.typeToString(checker.getTypeAtLocation(declared), declared, ts.TypeFormatFlags.NoTruncation)}`
}

/** The members of all object types in a type, those of unions and arrays included. */
function membersIn(type: ts.TypeNode, path: string): readonly Member[] {
  if (ts.isFunctionTypeNode(type)) return []
  if (ts.isTypeLiteralNode(type)) return membersOf(type.members, path)
  const found: Member[] = []
  ts.forEachChild(type, (child) => {
    if (ts.isTypeNode(child)) found.push(...membersIn(child, path))
  })
  return found
}

function membersOf(members: ts.NodeArray<ts.TypeElement | ts.ClassElement>, path: string): readonly Member[] {
  return members.flatMap((member) => {
    const modifiers = ts.canHaveModifiers(member) ? ts.getModifiers(member) : undefined
    const hidden = [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.OverrideKeyword]
    if (modifiers?.some(({ kind }) => hidden.includes(kind))) return []
    const isNamed = member.name && (ts.isIdentifier(member.name) || ts.isStringLiteral(member.name))
    const isConstructor = ts.isConstructorDeclaration(member)
    if (!isNamed && !isConstructor) return []
    const name = path + (isConstructor ? 'constructor' : (member.name?.getText() ?? ''))
    const type = ts.isPropertySignature(member) || ts.isPropertyDeclaration(member) ? member.type : undefined
    return [{ path: name, code: memberCode(member), doc: docOf(member) }, ...(type ? membersIn(type, `${name}.`) : [])]
  })
}

function memberCode(member: ts.TypeElement | ts.ClassElement): string {
  const source = member.getSourceFile()
  const body = ts.isMethodDeclaration(member) || ts.isConstructorDeclaration(member) ? member.body : undefined
  const value = ts.isPropertyDeclaration(member) ? member.initializer : undefined
  const text = source.text.slice(member.getStart(source), body?.pos ?? member.end)
  const code = withoutComments(text).replace(/\b(readonly|override) (?=[\w'"[]+\??[:=]|\w+ = )/g, '')
  return (value && !ts.isNumericLiteral(value) ? code.replace(/ as const$/, '') : code).trim()
}

function parametersOf({ typeParameters }: { readonly typeParameters?: ts.NodeArray<ts.TypeParameterDeclaration> }): string {
  return typeParameters ? `<${typeParameters.map(textOf).join(', ')}>` : ''
}

function textOf(node: ts.Node): string {
  return withoutComments(node.getText())
}

function withoutComments(code: string): string {
  return code
    .replace(/^[ \t]*\/\*\*[\s\S]*?\*\/\n/gm, '')
    .replace(/\/\*\*[\s\S]*?\*\/\s*/g, '')
    .replace(/[ \t]*\/\/ .*$/gm, '')
}

function docOf(node: ts.Node): Doc {
  const parsed = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).at(-1)
  if (!parsed) return NONE
  const text = (comment: ts.JSDoc['comment']) => (ts.getTextOfJSDocComment(comment) ?? '').trim()
  const tagged = (name: string) => (parsed.tags ?? []).filter((tag) => tag.tagName.text === name)
  const params = tagged('param').flatMap((tag) => (ts.isJSDocParameterTag(tag) ? [tag as ts.JSDocParameterTag] : []))
  // The compiler takes the first word for a type: `@throws RangeError for …`.
  const thrown = (tag: ts.JSDocTag) =>
    tag
      .getText()
      .replace(/\n[ \t]*\* ?/g, ' ')
      .replace(/^@throws\s+/, '')
      .trim()
  return {
    text: text(parsed.comment),
    params: params.map((tag) => [tag.name.getText(), text(tag.comment).replace(/^- /, '')] as const),
    throws: tagged('throws').map(thrown),
  }
}
