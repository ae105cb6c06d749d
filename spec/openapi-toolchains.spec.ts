/**
 * Clients in Python and Go that are generated from the OpenAPI document. Their generators are installed for the specs, into a
 * folder for temporary files; without their toolchains, or without the network, the specs skip themselves and say why. Part of
 * `npm run test:all` only.
 */
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { doneBy } from './support/clients.js'
import { withMounted } from './support/mounted.js'

const execute = promisify(execFile)
/** Kept between runs: installing takes a minute. */
const TOOLS = join(tmpdir(), 'koa-itsm-toolchains')
const PYTHON_GENERATOR = 'openapi-python-client==0.29.1'
const GO_GENERATOR = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'
const GO_RUNTIME = 'github.com/oapi-codegen/runtime v1.8.0'
/** Milliseconds: compilers and registries may be slow. */
const PATIENCE = 600_000

/** The output of a program, with both streams. */
async function output(program: string, options: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { stdout, stderr } = await execute(program, options, { cwd, env: { ...process.env, ...env }, maxBuffer: 64_000_000 })
  return `${stderr}${stdout}`
}

/** Tries the ways in their order. @returns the first that works; null, after printing why, if none does */
async function firstOf<T>(what: string, ways: readonly (() => Promise<T>)[]): Promise<T | null> {
  const reasons: string[] = []
  for (const way of ways) {
    try {
      return await way()
    } catch (error) {
      reasons.push(
        String((error as Error).message)
          .trim()
          .split('\n')
          .slice(-2)
          .join(' '),
      )
    }
  }
  console.log(`      skipped, ${what} cannot be used: ${reasons.join('; ').slice(0, 500)}`)
  return null
}

function lastLine(text: string): unknown {
  return JSON.parse(text.trim().split('\n').at(-1) ?? '')
}

describe('clients in other languages that are generated from the OpenAPI document', () => {
  const mounted = withMounted('bare')
  let folder = ''

  before('writes the document', async function () {
    // The document does not depend on the database.
    if (process.env['KOA_ITSM_TEST_STORE'] === 'server') return this.skip()
    folder = await mkdtemp(join(tmpdir(), 'koa-itsm-client-'))
    await mkdir(TOOLS, { recursive: true })
    await writeFile(join(folder, 'openapi.json'), (await mounted.ask(null, 'GET', '/openapi.json')).text)
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('work in Python, and the generator warns of nothing', async function () {
    const bin = join(TOOLS, 'python', 'bin')
    const install = (python: string) => async () => {
      await output(python, ['-c', 'import sys; assert sys.version_info >= (3, 10), sys.version'], folder)
      await output(python, ['-m', 'venv', join(TOOLS, 'python')], folder)
      await output(join(bin, 'pip'), ['install', '--quiet', PYTHON_GENERATOR], folder)
      return join(bin, 'python')
    }
    const python = await firstOf('Python', ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10'].map(install))
    if (python === null) return this.skip()
    const env = { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` }
    const options = ['generate', '--path', 'openapi.json', '--output-path', 'desk', '--meta', 'none']
    const said = await output(join(bin, 'openapi-python-client'), options, folder, env)
    expect(said).not.to.match(/warning|error|unable/i)
    await copyFile('spec/clients/client.py', join(folder, 'client.py'))
    const done = await output(python, ['client.py', mounted.baseUrl, mounted.world.token('owen'), 'python'], folder)
    expect(lastLine(done)).to.deep.equal(doneBy('python'))
  }).timeout(PATIENCE)

  it('work in Go', async function () {
    const env = { GOPATH: join(TOOLS, 'go'), GOCACHE: join(TOOLS, 'go-cache'), GOBIN: join(TOOLS, 'bin'), GOFLAGS: '-mod=mod' }
    const generator = await firstOf('Go', [
      async () => {
        await output('go', ['install', GO_GENERATOR], folder, env)
        return join(TOOLS, 'bin', 'oapi-codegen')
      },
    ])
    if (generator === null) return this.skip()
    const go = join(folder, 'go')
    await mkdir(join(go, 'api'), { recursive: true })
    await writeFile(join(go, 'go.mod'), `module desk\n\ngo 1.24\n\nrequire ${GO_RUNTIME}\n`)
    await copyFile('spec/clients/client.go', join(go, 'main.go'))
    const options = ['-generate', 'types,client', '-package', 'api', '-o', 'api/api.go', join(folder, 'openapi.json')]
    expect(await output(generator, options, go)).to.equal('')
    const done = await output('go', ['run', '.', mounted.baseUrl, mounted.world.token('owen'), 'go'], go, env)
    expect(lastLine(done)).to.deep.equal(doneBy('go'))
  }).timeout(PATIENCE)
})
