/** A client of openapi-fetch with types of openapi-typescript: what it lists, finds, creates, changes and is refused. */
import createClient from 'openapi-fetch'
import type { paths } from './api.js'

const [baseUrl = '', token = '', title = ''] = process.argv.slice(2)
const again = `${title} again`
const desk = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } })
const page = { per_page: 1 }

/** The value of a response that is no error; the compiler knows its type. */
function given<T>({ data, error }: { readonly data?: T; readonly error?: { readonly message: string } }): T {
  if (data === undefined) throw new Error(error?.message)
  return data
}

/** The first error of a response, which must be one. */
function refusal({ error }: { readonly error?: { readonly errors?: readonly (readonly string[])[] } }): string {
  return String(error?.errors?.[0]?.[1])
}

async function requests() {
  const made = given(await desk.POST('/requests', { body: { subject: title, category: 'other' } }))
  const path = { id: made.id }
  const listed = given(await desk.GET('/requests', { params: { query: page } }))
  const found = given(await desk.GET('/requests', { params: { query: { subject: made.subject, status: '!completed' } } }))
  const changed = given(await desk.PATCH('/requests/{id}', { params: { path }, body: { subject: again } }))
  const note = given(await desk.POST('/requests/{id}/notes', { params: { path }, body: { text: 'A note' } }))
  const refused = await desk.PATCH('/requests/{id}', { params: { path }, body: { subject: '' } })
  return [listed.length, found.length, made.subject, changed.subject, refusal(refused), note.text]
}

async function people() {
  const body = { name: title, primary_email: `${title}@widgets.example` }
  const made = given(await desk.POST('/people', { body }))
  const path = { id: made.id }
  const listed = given(await desk.GET('/people', { params: { query: page } }))
  const found = given(await desk.GET('/people', { params: { query: { primary_email: body.primary_email } } }))
  const changed = given(await desk.PATCH('/people/{id}', { params: { path }, body: { name: again } }))
  const refused = await desk.PATCH('/people/{id}', { params: { path }, body: { name: '' } })
  return [listed.length, found.length, made.name, changed.name, refusal(refused)]
}

async function organizations() {
  const made = given(await desk.POST('/organizations', { body: { name: title } }))
  const path = { id: made.id }
  const listed = given(await desk.GET('/organizations', { params: { query: page } }))
  const found = given(await desk.GET('/organizations', { params: { query: { name: made.name } } }))
  const changed = given(await desk.PATCH('/organizations/{id}', { params: { path }, body: { name: again } }))
  const refused = await desk.PATCH('/organizations/{id}', { params: { path }, body: { name: '' } })
  return [listed.length, found.length, made.name, changed.name, refusal(refused)]
}

async function calendars() {
  const hours = [{ weekday: 'mon', time_from: '09:00', time_until: '17:00' }] as const
  const made = given(await desk.POST('/calendars', { body: { name: title, calendar_hours_attributes: [...hours] } }))
  const path = { id: made.id }
  const listed = given(await desk.GET('/calendars', { params: { query: page } }))
  const found = given(await desk.GET('/calendars', { params: { query: { name: made.name } } }))
  const changed = given(await desk.PATCH('/calendars/{id}', { params: { path }, body: { name: again } }))
  const refused = await desk.PATCH('/calendars/{id}', { params: { path }, body: { name: '' } })
  return [listed.length, found.length, made.name, changed.name, refusal(refused)]
}

async function broadcasts() {
  const made = given(await desk.POST('/broadcasts', { body: { message: title, message_type: 'outage' } }))
  const path = { id: made.id }
  const listed = given(await desk.GET('/broadcasts', { params: { query: page } }))
  const found = given(await desk.GET('/broadcasts', { params: { query: { id: String(made.id), message_type: 'outage' } } }))
  const changed = given(await desk.PATCH('/broadcasts/{id}', { params: { path }, body: { message: again } }))
  const refused = await desk.PATCH('/broadcasts/{id}', { params: { path }, body: { message: '' } })
  return [listed.length, found.length, made.message, changed.message, refusal(refused)]
}

console.log(JSON.stringify([await requests(), await people(), await organizations(), await calendars(), await broadcasts()]))
