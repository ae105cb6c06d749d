/**
 * The TypeScript of the README, the guides and the reference compiles in a strict project of a host, as one program, and what can
 * be run does what it says.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { type Consumer, makeConsumer } from './support/consumer.js'
import { testStore, withDatabase } from './support/database.js'

/** Packages that examples show and that are not installed here, as far as the examples go. */
const STAND_INS = `
declare module '@aws-sdk/client-s3' {
  type Place = { Bucket: string; Key: string }
  export class GetObjectCommand { readonly input: 'get'; constructor(place: Place) }
  export class DeleteObjectCommand { readonly input: 'delete'; constructor(place: Place) }
  export class S3Client {
    send(command: GetObjectCommand): Promise<{ Body?: unknown }>
    send(command: DeleteObjectCommand): Promise<object>
  }
}
declare module '@aws-sdk/lib-storage' {
  import type { S3Client } from '@aws-sdk/client-s3'
  export class Upload {
    constructor(options: {
      client: S3Client
      params: { Bucket: string; Key: string; Body: import('node:stream').Readable; ContentType: string }
    })
    done(): Promise<unknown>
  }
}
`

/** A file of a host that exports options by the types that have their names. */
const SPLIT_HOOKS = `
import type * as itsm from 'koa-itsm'

export const people: itsm.PeopleHooks = { byId: async (id) => ({ source: 'HR', sourceID: id }) }
export const byCredentials: itsm.FindByCredentials = async () => null
export const signedIn: itsm.FindBySession = async (ctx) => (ctx.get('X-User') === '' ? null : { id: 3 })
export const byId: itsm.FindById = async () => null
export const provision: itsm.Provision = async () => null
export const before: itsm.BeforeHooks = { 'request.save': [({ next, fail }) => void (next['subject'] ?? fail('subject', 'blank'))] }
export const inTransaction: itsm.InTransactionHooks = { 'request.remove': [({ db, id }) => db('t').insert({ id })] }
export const on: itsm.Listeners = { 'request.create': [({ recordId }) => recordId] }
export const authorize: itsm.AuthorizeHooks = { site: (_, decide) => decide() }
export const scope: itsm.ScopeHooks = { site: (_, decide) => decide() }
export const sendMail: itsm.SendMail = async ({ to }) => void to
export const observe: itsm.Observe = { request: ({ status }) => status }
export const send: itsm.DeliveryFetch = (url, init) => fetch(url, init)
export const accountAddress: itsm.AccountAddress = (accountId) => 'https://desk.example/' + accountId
`
const DESK = "{ baseUrl: 'https://desk.example/v1', secret: 'x'.repeat(32), database: { url: 'sqlite::memory:' } } as const"

const MOUNT = 'Mount it into your server'

/** Documents for hosts. */
const DOCUMENTS = [
  ...['README.md', 'plugin/docs/api.md', 'plugin/docs/permissions.md'],
  ...['guides', 'reference'].flatMap((folder) => pagesIn(`plugin/docs/${folder}`)),
]

/** Headings, and blocks of code with the name of their file. */
const BLOCKS = /^#+ (.*)$|^```ts(?: file=(\S+))?\n([\s\S]*?)^```$/gm

describe('the code of the documents', function () {
  this.timeout(90_000)
  const database = withDatabase({ migrated: false, file: true })
  const programs = DOCUMENTS.flatMap(programsIn)
  let consumer: Consumer
  let port = 0
  let guidePort = 0
  /** What the compiler says of all of the programs, those included that are run. */
  let complaints = ''

  before('makes a project', async () => {
    consumer = await makeConsumer()
    port = await freePort()
    consumer.write({ 'stand-ins.d.ts': STAND_INS })
    for (const { file, code } of programs) consumer.write({ [file]: `${code}\nexport {}\n` })
    consumer.write({ 'mount.ts': mountProgram(), 'desk.test.ts': programOf('Test what you added') })
    consumer.write({ 'permissions.ts': programOf('Permissions') })
    guidePort = await freePort()
    const ofGuides = programs.filter(({ file }) => /^guides-(first-desk|own-type)\/(desk|fleet)\.ts$/.test(file))
    for (const { file, code } of ofGuides)
      consumer.write({ [file.replace('guides-', 'run-')]: code.replaceAll('3000', String(guidePort)) })
    consumer.write({ 'split-desk.ts': splitProgram(programs), 'split-hooks.ts': SPLIT_HOOKS })
    complaints = await consumer.compile()
  })
  after(() => consumer.remove())

  const programOf = (heading: string) => programs.find(({ section }) => section === heading)?.code ?? ''

  /** The first program of all, on the database of this run. */
  function mountProgram(): string {
    const code = programOf(MOUNT).replaceAll('3000', String(port))
    if (testStore() === 'server') return code
    return code
      .replace(/knex\(\{ client.*\}\)/, "embeddedDatabase(process.env['MYSQL_URL'] ?? '')")
      .replace("import knex from 'knex'", "import { embeddedDatabase } from 'koa-itsm/embedded'")
  }

  it('is TypeScript that compiles in a strict project', async () => {
    expect(programs.map(({ section }) => section)).to.include.members([MOUNT, 'Store the bytes elsewhere', 'rule'])
    // In the reference, `typescript` is for declarations.
    for (const document of DOCUMENTS.filter((path) => !path.includes('/reference/')))
      expect(readFileSync(document, 'utf8'), document).not.to.match(/^```(js|javascript|typescript)$/m)
    expect(complaints).to.equal('')
  })

  it('mounts, may be started twice on one database, and ends by SIGTERM alone', async () => {
    expect(complaints).to.equal('')
    const env = { MYSQL_URL: database.url.replace(/^sqlite:/, ''), ITSM_SECRET: 'only for this spec, and long enough' }
    const tokens: string[] = []
    const teams: unknown[] = []
    for (const _ of ['first', 'second']) {
      const host = consumer.run('mount.js', env)
      const [, token = '', body = '', url = ''] = await host.prints(/Try: curl -u (\w+):x --json '(.*)' (http:\S+\/requests)/)
      const headers = { Authorization: `Basic ${Buffer.from(`${token}:x`).toString('base64')}` }
      const me = await fetch(url.replace(/requests$/, 'me'), { headers })
      expect(await me.json()).to.include({ name: 'Ines Álvarez', primary_email: 'ines@acme.example' })
      const json = { ...headers, 'Content-Type': 'application/json' }
      const made = await fetch(url, { method: 'POST', headers: json, body })
      const request = (await made.json()) as { readonly team?: { readonly name: string } }
      expect([made.status, request.team?.name]).to.deep.equal([201, 'Service Desk'])
      teams.push(request.team)
      tokens.push(token)
      expect(await host.stop('SIGTERM'), host.output).to.equal(0)
      expect(host.output.trim().split('\n')).to.have.length(1)
    }
    expect(tokens[1]).to.equal(tokens[0])
    expect(teams[1]).to.deep.equal(teams[0])
    const people = await database.knex('itsm_people').where({ primary_email: 'ines@acme.example' })
    expect(people).to.have.length(1)
  })

  /** Starts the desk of a guide, and returns a function that posts to it as its administrator. */
  async function deskOf(guide: string) {
    expect(complaints).to.equal('')
    const host = consumer.run(`run-${guide}/desk.js`)
    const [, token = ''] = await host.prints(/TOKEN=(\w+)/)
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const post = async (path: string, body: object) => {
      const url = `http://localhost:${guidePort}/v1${path}`
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
      return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> }
    }
    return { host, post }
  }

  it('of the guide to a first desk leads to a request that has a team', async () => {
    const { host, post } = await deskOf('first-desk')
    const { body, status } = await post('/requests', {
      subject: 'The printer is on fire',
      category: 'incident',
      impact: 'high',
    })
    expect([status, body['team']]).to.deep.equal([201, { id: 1, name: 'Service Desk' }])
    expect(await host.stop('SIGINT'), host.output).to.equal(0)
  })

  it('of the guide to an own type has vehicles, with rules, a timer and events', async () => {
    const { host, post } = await deskOf('own-type')
    const van = { name: 'Van', plate: 'k-oa-1', seats: 3, in_use_from: '2020-01-01T08:00:00Z' }
    const { body } = await post('/vehicles', van)
    expect(body).to.include({ plate: 'K-OA-1', seats: 3 })
    expect((await post('/vehicles', { name: 'Bus', seats: 100 })).body['errors']).to.deep.equal([
      ['plate', "License plate can't be blank"],
      ['seats', 'Seats cannot be greater than 60'],
    ])
    await host.prints(/Vehicle 1 is in_use/)
    expect(await host.stop('SIGINT'), host.output).to.equal(0)
  })

  it('prints the permissions of each record type', async () => {
    expect(complaints).to.equal('')
    const host = consumer.run('permissions.js')
    expect(await host.ends(), host.output).to.equal(0)
    expect(host.output).to.match(/^site: created by account_administrator; everybody see all$/m)
    expect(host.output).to.match(/^request: created by anyone; account_administrator, /m)
  })

  it('runs request cases of a host and of the package, each from the same world', async () => {
    expect(complaints).to.equal('')
    const test = consumer.run('desk.test.js')
    expect(await test.ends(), test.output).to.equal(0)
    expect(test.output)
      .to.match(/Ines asks for one/)
      .and.to.match(/and another case knows nothing of it/)
    expect(test.output).to.match(/# fail 0|ℹ fail 0/)
    const [, passed] = /(?:#|ℹ) pass (\d+)/.exec(test.output) ?? []
    expect(Number(passed)).to.be.greaterThan(5)
  })
})

/** A program that makes plugins with options from other files: those of the guides, and all that have a type of their own. */
function splitProgram(programs: readonly Program[]): string {
  const options = 'people|before|inTransaction|on|authorize|scope|sendMail|observe'
  const found = programs.flatMap(({ file, code }) =>
    [...code.matchAll(new RegExp(`^export const (${options})\\b`, 'gm'))].map(([, name = '']) => ({ name, file })),
  )
  expect(found.map(({ name }) => name)).to.include.members(['people', 'before', 'inTransaction', 'on'])
  const imports = found.map(
    ({ name, file }, index) => `import { ${name} as o${index} } from './${file.replace(/ts$/, 'js')}'\n`,
  )
  const calls = found.map(({ name }, index) => `createPlugin({ ...desk, ${name}: o${index} })\n`)
  return `${imports.join('')}
import { createPlugin } from 'koa-itsm'
import * as hooks from './split-hooks.js'
const desk = ${DESK}
${calls.join('')}
const { accountAddress, authorize, before, byCredentials, byId, inTransaction, observe, on, people } = hooks
const { provision, scope, send, sendMail, signedIn } = hooks
createPlugin({ ...desk, accountAddress, authorize, before, inTransaction, observe, on, people, scope, sendMail, webhooks: { fetch: send } })
createPlugin({ ...desk, people: { byCredentials, byId, provision, signedIn } })
`
}

interface Program {
  /** Path in the project: `guides-own-type/line-120.ts`, or the name that the block says: `guides-own-type/fleet.ts`. */
  readonly file: string
  /** Heading above it. */
  readonly section: string
  readonly code: string
}

/**
 * The TypeScript blocks of a document. One without imports goes on with the block before it. Blocks with `file=fleet.ts` are that
 * file together; others in the document may import it.
 */
function programsIn(document: string): readonly Program[] {
  const text = readFileSync(document, 'utf8')
  const folder = document.replace('plugin/docs/', '').replace('.md', '').replaceAll('/', '-')
  const programs = new Map<string, Program>()
  let section = ''
  let last = ''
  for (const { 0: all, 1: heading, 2: name, 3: code = '', index } of text.matchAll(BLOCKS)) {
    if (!all.startsWith('```')) section = heading ?? ''
    else {
      if (name) last = name
      else if (/^import /m.test(code)) last = `line-${text.slice(0, index).split('\n').length}.ts`
      if (last === '') throw new Error(`This block of ${document} goes on with nothing:\n${code}`)
      const before = programs.get(last)
      const file = `${folder}/${last}`
      programs.set(last, before ? { ...before, code: `${before.code}\n${code}` } : { file, section, code })
    }
  }
  return [...programs.values()]
}

function pagesIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`)
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, 'localhost', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
