/**
 * The compiler knows the record types of a host from their definitions to every call: it takes the right ones, and refuses the wrong
 * ones, with the declarations of the package in a strict project of a host. ADR 0069.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { records } from '../../plugin/records/records.js'
import { type Consumer, makeConsumer } from '../support/consumer.js'

const PROGRAMS = ['fleet.ts', 'right-calls.ts', 'wrong-calls.ts']
/** The compilers among our packages: the one of this project, and another one that hosts use. */
const COMPILERS = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).devDependencies).filter((name) =>
  /^typescript(-|$)/.test(name),
)

const textOf = (program: string) => readFileSync(join('spec/types', program), 'utf8')
const countOf = (program: string, pattern: RegExp) => textOf(program).match(pattern)?.length

describe('calls', function () {
  this.timeout(90_000)
  let consumer: Consumer

  before('compiles the package', async () => {
    consumer = await makeConsumer()
    consumer.write(Object.fromEntries(PROGRAMS.map((program) => [program, textOf(program)])))
  })
  after(() => consumer.remove())

  it('are many, right and wrong', () => {
    expect(countOf('right-calls.ts', /^ {2}(async )?\(.*=> /gm)).to.be.at.least(60)
    expect(countOf('wrong-calls.ts', /^ {2}\/\/ @ts-expect-error \w.*\n {2}(async )?\(.*=> /gm)).to.be.at.least(60)
    // Each of them stands before a call.
    expect(countOf('wrong-calls.ts', /@ts-expect-error/g)).to.equal(countOf('wrong-calls.ts', /^ {2}(async )?\(.*=> /gm))
    expect(COMPILERS).to.have.length.at.least(2)
  })

  it('know every record type of the plugin by its name', () => {
    const known = readFileSync('plugin/records/built-in-records.ts', 'utf8').matchAll(/^ {2}readonly (\w+): typeof \w+$/gm)
    expect([...known].map(([, name]) => name)).to.have.members(records.map(({ name }) => name))
  })

  for (const compiler of COMPILERS) {
    it(`are told apart by ${compiler}`, async () => {
      const program = join(dirname(createRequire(import.meta.url).resolve(`${compiler}/package.json`)), 'bin/tsc')
      expect(await consumer.compile(program)).to.equal('')
    })
  }
})
