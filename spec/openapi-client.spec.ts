/** TypeScript clients that are generated from the OpenAPI document: they compile, know what is required, and work. */
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { clientFolder, compilerErrors, doneBy, generate, runProgram } from './support/clients.js'
import { withMounted } from './support/mounted.js'

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
send('create_task_of_change', { template_id: 4 })
// @ts-expect-error: the template is missing
send('create_task_of_change', {})
send('create_calendar', { name: 'Days', calendar_hours: [{ weekday: 'mon', time_from: '09:00', time_until: '17:00' }] })
send('update_person', { contacts_attributes: [{ label: 'work', telephone: '12345' }, { id: 3, _destroy: true }] })
// @ts-expect-error: a contact has no such field
send('update_person', { contacts_attributes: [{ label: 'work', colour: 'red' }] })

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
// What was saved, too.
const saved = send('update_request', {})
same<typeof saved.subject, string>(true)
same<typeof saved, typeof request>(true)

// What can be asked for.
type Query = NonNullable<operations['list_requests']['parameters']['query']>
export const query: Query = { sort: '-id', state: 'open', per_page: 50, status: '!completed', fields: 'id,subject' }
// @ts-expect-error: there is no such list
export const wrong: Query = { state: 'nearly_open' }
same<Json<paths['/requests/{id}/cis']['get']['responses'][200]>, Schemas['CiListed'][]>(true)
same<Json<operations['read_request']['responses']['default']>['message'], string>(true)
`

/** What generated clients cannot have with the strictest option: their own code does not compile with it. */
const STRICTEST = ['--exactOptionalPropertyTypes']

describe('a TypeScript client that is generated from the OpenAPI document', () => {
  const mounted = withMounted('bare')
  const folder = clientFolder()

  before('generates three', async function () {
    this.timeout(120_000)
    const { text } = await mounted.ask(null, 'GET', '/openapi.json')
    await writeFile(join(folder(), 'openapi.json'), text)
    await writeFile(join(folder(), 'use.ts'), PROGRAM)
    for (const name of ['openapi-fetch', 'hey-api', 'orval']) {
      await copyFile(`spec/clients/${name}.mts`, join(folder(), `${name}.ts`))
    }
    await Promise.all([generate.types(folder()), generate.heyApi(folder()), generate.orval(folder(), mounted.baseUrl)])
  })

  it('compiles, knows what is required, and has the types of all values', async () => {
    expect(await compilerErrors(folder(), ['use.ts'], STRICTEST)).to.equal('')
  }).timeout(60_000)

  it('compiles with the generated code of each generator, and with the programs that use it', async () => {
    expect(await compilerErrors(folder(), ['openapi-fetch.ts', 'hey-api.ts', 'orval.ts'])).to.equal('')
  }).timeout(60_000)

  for (const name of ['openapi-fetch', 'hey-api', 'orval']) {
    it(`lists, filters, creates and changes records, adds a note and reads errors with ${name}`, async () => {
      const done = await runProgram(folder(), `${name}.ts`, [mounted.baseUrl, mounted.world.token('owen'), name])
      expect(done).to.deep.equal(doneBy(name))
    }).timeout(60_000)
  }
})
