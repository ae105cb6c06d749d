/** Hosts see the options in their editor by the declarations of the package: with precise types, and with the docstring of each row. */
import { join } from 'node:path'
import { expect } from 'chai'
import ts from 'typescript-5'
import { type Consumer, makeConsumer } from '../support/consumer.js'
import { optionRows } from '../support/option-rows.js'

describe('The declaration of PluginOptions', function () {
  this.timeout(90_000)
  let consumer: Consumer
  let shown: ReadonlyMap<string, Shown>

  before('compiles the package', async () => {
    consumer = await makeConsumer()
    shown = shownIn(join(consumer.folder, 'node_modules/koa-itsm/dist/plugin/index.d.ts'))
  })
  after(() => consumer.remove())

  it('has the docstrings of the rows', () => {
    const rows = optionRows()
    expect(rows.map(({ path }) => [path, shown.get(path)?.docstring])).to.deep.equal(
      rows.map(({ path, docstring }) => [path, docstring]),
    )
  })

  it('has the types of the values, and needs what is required', () => {
    const typeOf = (path: string) => shown.get(path)?.type
    expect(typeOf('baseUrl')).to.equal('string')
    expect(typeOf('mongo')).to.match(/^\{ readonly db: LentDb; \} \| \{ readonly url: string; \}$/)
    expect(typeOf('rateLimit.burst')).to.equal('number | false')
    expect(typeOf('rateLimit.store')).to.be.oneOf(['"memory" | "database"', '"database" | "memory"'])
    expect(typeOf('authorize')).to.equal('AuthorizeHooks')
    expect(typeOf('people.signedIn')).to.equal('FindBySession')
    const required = [...shown].filter(([path, { isRequired }]) => isRequired && !path.includes('.')).map(([path]) => path)
    expect(required).to.deep.equal(['baseUrl', 'secret', 'database'])
  })
})

interface Shown {
  readonly type: string
  readonly docstring: string
  readonly isRequired: boolean
}

/** What an editor shows of each option, by its path. */
function shownIn(declarations: string): ReadonlyMap<string, Shown> {
  const program = ts.createProgram([declarations], {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
  })
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(declarations)
  const index = source && checker.getSymbolAtLocation(source)
  const options = index && checker.getExportsOfModule(index).find(({ name }) => name === 'PluginOptions')
  if (!options) throw new Error(`${declarations} exports no PluginOptions`)
  const groups = new Set(optionRows().flatMap(({ path, option: { rows } }) => (rows ? [path] : [])))
  const shown = new Map<string, Shown>()
  const look = (type: ts.Type, path: string): void => {
    for (const form of type.isUnion() ? type.types : [type]) {
      for (const option of form.getProperties()) {
        const given = checker.getNonNullableType(checker.getTypeOfSymbol(option))
        shown.set(path + option.name, {
          type: checker.typeToString(given, undefined, ts.TypeFormatFlags.NoTruncation),
          docstring: ts.displayPartsToString(option.getDocumentationComment(checker)).replace(/\s+/g, ' '),
          isRequired: (option.flags & ts.SymbolFlags.Optional) === 0,
        })
        if (groups.has(path + option.name)) look(given, `${path}${option.name}.`)
      }
    }
  }
  look(checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(options)), '')
  return shown
}
