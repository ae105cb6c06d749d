/** A client of @hey-api/openapi-ts: what it lists, finds, creates, changes and is refused. */
import { client } from './hey-api/client.gen.js'
import * as desk from './hey-api/index.js'

const [baseUrl = '', token = '', title = ''] = process.argv.slice(2)
const again = `${title} again`
client.setConfig({ baseUrl, auth: ({ scheme }) => (scheme === 'bearer' ? token : undefined) })
const throwOnError = true
const page = { query: { per_page: 1 }, throwOnError } as const

/** The first error of a response, which must be one. */
function refusal({ error }: { readonly error?: { readonly errors?: readonly unknown[] } | undefined }): string {
  const [first] = error?.errors ?? []
  return String(Array.isArray(first) ? first[1] : first)
}

async function requests() {
  const made = await desk.createRequest({ body: { subject: title, category: 'other' }, throwOnError })
  const path = { id: made.data.id }
  const listed = await desk.listRequests(page)
  const found = await desk.listRequests({ query: { subject: made.data.subject, status: '!completed' }, throwOnError })
  const changed = await desk.updateRequest({ path, body: { subject: again }, throwOnError })
  const note = await desk.createNoteOfRequest({ path, body: { text: 'A note' }, throwOnError })
  const refused = await desk.updateRequest({ path, body: { subject: '' } })
  const titles = [made.data.subject, changed.data.subject]
  return [listed.data.length, found.data.length, ...titles, refusal(refused), note.data.text]
}

async function people() {
  const body = { name: title, primary_email: `${title}@widgets.example` }
  const made = await desk.createPerson({ body, throwOnError })
  const path = { id: made.data.id }
  const listed = await desk.listPeople(page)
  const found = await desk.listPeople({ query: { primary_email: body.primary_email }, throwOnError })
  const changed = await desk.updatePerson({ path, body: { name: again }, throwOnError })
  const refused = await desk.updatePerson({ path, body: { name: '' } })
  return [listed.data.length, found.data.length, made.data.name, changed.data.name, refusal(refused)]
}

async function organizations() {
  const made = await desk.createOrganization({ body: { name: title }, throwOnError })
  const path = { id: made.data.id }
  const listed = await desk.listOrganizations(page)
  const found = await desk.listOrganizations({ query: { name: made.data.name }, throwOnError })
  const changed = await desk.updateOrganization({ path, body: { name: again }, throwOnError })
  const refused = await desk.updateOrganization({ path, body: { name: '' } })
  return [listed.data.length, found.data.length, made.data.name, changed.data.name, refusal(refused)]
}

async function calendars() {
  const calendar_hours_attributes = [{ weekday: 'mon', time_from: '09:00', time_until: '17:00' } as const]
  const made = await desk.createCalendar({ body: { name: title, calendar_hours_attributes }, throwOnError })
  const path = { id: made.data.id }
  const listed = await desk.listCalendars(page)
  const found = await desk.listCalendars({ query: { name: made.data.name }, throwOnError })
  const changed = await desk.updateCalendar({ path, body: { name: again }, throwOnError })
  const refused = await desk.updateCalendar({ path, body: { name: '' } })
  return [listed.data.length, found.data.length, made.data.name, changed.data.name, refusal(refused)]
}

async function broadcasts() {
  const made = await desk.createBroadcast({ body: { message: title, message_type: 'outage' }, throwOnError })
  const path = { id: made.data.id }
  const listed = await desk.listBroadcasts(page)
  const found = await desk.listBroadcasts({ query: { id: String(path.id), message_type: 'outage' }, throwOnError })
  const changed = await desk.updateBroadcast({ path, body: { message: again }, throwOnError })
  const refused = await desk.updateBroadcast({ path, body: { message: '' } })
  return [listed.data.length, found.data.length, made.data.message, changed.data.message, refusal(refused)]
}

console.log(JSON.stringify([await requests(), await people(), await organizations(), await calendars(), await broadcasts()]))
