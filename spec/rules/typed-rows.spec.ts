/** What the compiler knows of the rows of a rule, told by a program: an expected error that does not come is one, too. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'

const run = promisify(execFile)
const COMPILER = resolve('node_modules/typescript/bin/tsc')

const PROGRAM = `
import { defineRecord, type RowOf } from '${resolve('plugin/schema/language')}/define-record.js'
import { rule } from '${resolve('plugin/schema/language')}/define-rule.js'
import { boolean, integer, oneOf, ref, string } from '${resolve('plugin/schema/kinds')}/fields.js'

const fields = {
  id: integer({ readOnly: true }),
  name: string(40, { required: true }),
  size: oneOf(['small', 'big'], { default: 'small' }),
  open: boolean(),
  driver: ref('person'),
}

const careful = rule.for<RowOf<typeof fields>>()('careful', (most: number, { sizes }: { sizes: readonly string[] }) => ({
  fields: ['name', 'size'],
  async fill({ before, changed, fail, given, load, next }) {
    next.name ??= String(most)
    next.size = 'big'
    const driver: number | null = next.driver_id
    const [id, owner]: [number | null, string | null] = [next.id, next.owner_type]
    if (changed('driver_id') && given.has('driver') && before?.open) fail('driver', 'blank')
    await load('person', driver ?? id ?? owner)
    if (next.size !== null && sizes.includes(next.size)) fail('base', 'invalid')
    // @ts-expect-error: misspelt
    next.nmae = 'a'
    // @ts-expect-error: the column is driver_id
    next.driver = 5
    // @ts-expect-error: there is no such size
    next.size = 'huge'
    // @ts-expect-error: a number is no text
    next.name = 5
    // @ts-expect-error: misspelt
    changed('drivr_id')
    // @ts-expect-error: there is no such field
    fail('colour', 'blank')
    // @ts-expect-error: what is stored stays
    if (before) before.name = 'b'
  },
  check({ next }) {
    // @ts-expect-error: checks set nothing
    next.name = 'c'
  },
  written(context) {
    void context.save('vehicle', 1, { name: 'd' })
    // @ts-expect-error: the row is written
    context.next.name = 'e'
  },
  remove(context) {
    // @ts-expect-error: nothing is saved before the record is gone
    void context.save('vehicle', 1, { name: 'f' })
  },
}))

export const vehicle = defineRecord('vehicle', {
  path: 'vehicles',
  fields,
  collection: { fields: 'id', sort: 'id', filterable: '' },
  access: { create: [], update: [] },
  rules: [careful(5, { sizes: ['big'] })],
})
// @ts-expect-error: the settings are missing
careful(5)
// @ts-expect-error: a text is no number
careful('5', { sizes: [] })
// @ts-expect-error: misspelt
careful(5, { size: [] })
// @ts-expect-error: there is no such setting
careful(5, { sizes: [], colour: 'red' })

/** Without columns any of them can be named: settings say which. */
export const any = rule('any', (column: string) => ({ fields: [column], fill: ({ next }) => void (next[column] = 5) }))
// @ts-expect-error: a rule is not named by its text
export const named = defineRecord('x', { ...vehicle, rules: ['any'] })
`

describe('the rows of rules', () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'koa-itsm-rules-'))
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    const compilerOptions = { rootDir: '/', typeRoots: [resolve('node_modules/@types')] }
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: resolve('tsconfig.json'), compilerOptions, include: ['use.ts'] }),
    )
    await writeFile(join(folder, 'use.ts'), PROGRAM)
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('have the columns that are named, and no others', async () => {
    expect(await compilerErrors(folder)).to.equal('')
  }).timeout(60_000)
})

/** What the compiler says of the program, as strict as it can be. */
async function compilerErrors(folder: string): Promise<string> {
  try {
    await run(process.execPath, [COMPILER, '--noEmit', '-p', folder])
    return ''
  } catch (error) {
    return String((error as { readonly stdout?: string }).stdout || error)
  }
}
