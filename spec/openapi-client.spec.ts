/** A TypeScript client that is generated from the OpenAPI document: it compiles, and the compiler knows what a request needs. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import Koa from 'koa'
import { createPlugin } from '../plugin/index.js'
import { TEST_SECRET } from './support/settings.js'

const run = promisify(execFile)
/** As programs: the generator has no types for the way in which this repository is compiled, and the compiler no interface. */
const GENERATOR = 'node_modules/openapi-typescript/bin/cli.js'
const COMPILER = 'node_modules/typescript/bin/tsc'

/** Each expected error is one: the compiler complains about an expectation that is not met. */
const PROGRAM = `
import type { components, operations, paths } from './api.js'

type Schemas = components['schemas']
type Json<T> = T extends { content: { 'application/json': infer J } } ? J : never
type Body<O> = O extends { requestBody?: infer B } ? Json<NonNullable<B>> : never
type Success<O> = O extends { responses: { 200: infer R } } ? Json<R> : O extends { responses: { 201: infer R } } ? Json<R> : never
declare function send<O extends keyof operations>(operation: O, body: Body<operations[O]>): Success<operations[O]>
declare function read<O extends keyof operations>(operation: O): Success<operations[O]>
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
declare function same<A, B>(is: Same<A, B>): void

// What is required, and what is not.
send('create_request', { subject: 'No mail', category: 'incident' })
send('create_request', { subject: 'No mail', category: 'incident', impact: null, member_id: 3, custom_data: { floor: 3 } })
// A template may give the category.
send('create_request', { subject: 'No mail', template_id: 4 })
// @ts-expect-error: the name is missing
send('create_calendar', { disabled: true })
// @ts-expect-error: there is no such category
send('create_request', { subject: 'No mail', category: 'wish' })
// @ts-expect-error: an empty text is no value of an enumeration
send('create_request', { subject: 'No mail', category: 'incident', impact: '' })
// @ts-expect-error: a subject cannot be cleared
send('create_request', { subject: null, category: 'incident' })
// @ts-expect-error: ids are numbers
send('create_request', { subject: 'No mail', category: 'incident', member_id: '3' })
// @ts-expect-error: misspelt
send('create_request', { subject: 'No mail', category: 'incident', memberId: 3 })
send('update_request', { status: 'completed', completion_reason: 'solved' })
send('update_request', {})
// @ts-expect-error: booleans are not texts
send('update_request', { urgent: 'yes' })
send('create_tasks_of_change', { template_id: 4 })
// @ts-expect-error: the template is missing
send('create_tasks_of_change', {})
send('create_calendar', { name: 'Days', calendar_hours: [{ weekday: 'mon', time_from: '09:00', time_until: '17:00' }] })
send('update_person', { contacts_attributes: [{ label: 'work', telephone: '12345' }, { id: 3, _destroy: true }] })

// What is read.
const request = read('read_request')
same<typeof request.subject, string>(true)
same<typeof request.id, number>(true)
same<typeof request.status, Schemas['RequestStatus']>(true)
same<typeof request.impact, 'low' | 'medium' | 'high' | 'top' | null>(true)
same<typeof request.urgent, boolean>(true)
same<typeof request.completed_at, string | null>(true)
same<typeof request.member, Schemas['PersonReference'] | null>(true)
same<typeof request.requested_by, Schemas['PersonReference']>(true)
same<typeof request.team.id, number>(true)
// @ts-expect-error: there is no such field
request.colour
const [first] = read('list_requests')
same<NonNullable<typeof first>['subject'], string | undefined>(true)
const saved = send('update_request', {})
// @ts-expect-error: callers who may not see the request get its id alone
saved.subject
if ('subject' in saved) same<typeof saved.subject, string>(true)

// What can be asked for.
type Query = NonNullable<operations['list_requests']['parameters']['query']>
export const query: Query = { sort: '-id', state: 'open', per_page: 50, status: '!completed', fields: 'id,subject' }
// @ts-expect-error: there is no such list
export const wrong: Query = { state: 'nearly_open' }
same<Json<paths['/requests/open']['get']['responses'][200]>, Schemas['RequestListed'][]>(true)
same<Json<operations['read_request']['responses']['default']>['message'], string>(true)
`

describe('a TypeScript client that is generated from the OpenAPI document', () => {
  let folder = ''

  before('generates its types', async function () {
    this.timeout(60_000)
    folder = await mkdtemp(join(tmpdir(), 'koa-itsm-client-'))
    await writeFile(join(folder, 'openapi.json'), await documentText())
    await run(process.execPath, [GENERATOR, join(folder, 'openapi.json'), '--output', join(folder, 'api.ts')])
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('compiles, knows what is required, and has the types of all values', async () => {
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    await writeFile(join(folder, 'use.ts'), PROGRAM)
    expect(await compilerErrors(folder)).to.equal('')
  })
})

/** The document as callers get it; no database is needed for that. */
async function documentText(): Promise<string> {
  const itsm = createPlugin({
    baseUrl: 'https://desk.example/v1',
    allowInsecure: true,
    secret: TEST_SECRET,
    database: { url: 'mysql://nobody@nowhere.example/none' },
  })
  const server = createServer(new Koa().use(itsm.middleware).callback())
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  try {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/openapi.json`)
    expect(answer.status).to.equal(200)
    return await answer.text()
  } finally {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
    await itsm.stop()
  }
}

/** What the compiler says of the program, as strict as it can be. */
async function compilerErrors(folder: string): Promise<string> {
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--target', 'es2023']
  const modules = ['--module', 'nodenext', '--types', '']
  try {
    await run(process.execPath, [resolve(COMPILER), ...options, ...modules, 'use.ts'], { cwd: folder })
    return ''
  } catch (error) {
    return String((error as { readonly stdout?: string }).stdout || error)
  }
}
