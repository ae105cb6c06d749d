/** A client of orval, with fetch: what it lists, finds, creates, changes and is refused. */
import * as desk from './orval/desk.js'

const [, token = '', title = ''] = process.argv.slice(2)
const again = `${title} again`
const signedIn = { headers: { Authorization: `Bearer ${token}` } }
const page = { per_page: 1 }

/** The response, if it has the expected status; the compiler then knows its value. */
function having<S extends number, R extends { readonly status: number }>(response: R, status: S): R & { readonly status: S } {
  if (response.status !== status) throw new Error(`${response.status} ${JSON.stringify(response)}`)
  return response as R & { readonly status: S }
}

/** The first error of a response, which must be one. */
function refusal({ data }: { readonly data: unknown }): string {
  const { errors = [] } = data as { readonly errors?: readonly (readonly string[])[] }
  return String(errors[0]?.[1])
}

async function requests() {
  const { data: made } = having(await desk.createRequest({ subject: title, category: 'other' }, {}, signedIn), 201)
  const { data: listed } = having(await desk.listRequests(page, signedIn), 200)
  const asked = { subject: made.subject, status: '!completed' }
  const { data: found } = having(await desk.listRequests(asked, signedIn), 200)
  const { data: changed } = having(await desk.updateRequest(made.id, { subject: again }, {}, signedIn), 200)
  const { data: note } = having(await desk.createNoteOfRequest(made.id, { text: 'A note' }, signedIn), 201)
  const refused = having(await desk.updateRequest(made.id, { subject: '' }, {}, signedIn), 422)
  return [listed.length, found.length, made.subject, changed.subject, refusal(refused), note.text]
}

async function people() {
  const body = { name: title, primary_email: `${title}@widgets.example` }
  const { data: made } = having(await desk.createPerson(body, {}, signedIn), 201)
  const { data: listed } = having(await desk.listPeople(page, signedIn), 200)
  const { data: found } = having(await desk.listPeople({ primary_email: body.primary_email }, signedIn), 200)
  const { data: changed } = having(await desk.updatePerson(made.id, { name: again }, {}, signedIn), 200)
  const refused = having(await desk.updatePerson(made.id, { name: '' }, {}, signedIn), 422)
  return [listed.length, found.length, made.name, changed.name, refusal(refused)]
}

async function organizations() {
  const { data: made } = having(await desk.createOrganization({ name: title }, {}, signedIn), 201)
  const { data: listed } = having(await desk.listOrganizations(page, signedIn), 200)
  const { data: found } = having(await desk.listOrganizations({ name: made.name }, signedIn), 200)
  const { data: changed } = having(await desk.updateOrganization(made.id, { name: again }, {}, signedIn), 200)
  const refused = having(await desk.updateOrganization(made.id, { name: '' }, {}, signedIn), 422)
  return [listed.length, found.length, made.name, changed.name, refusal(refused)]
}

async function calendars() {
  const calendar_hours_attributes = [{ weekday: 'mon', time_from: '09:00', time_until: '17:00' } as const]
  const { data: made } = having(await desk.createCalendar({ name: title, calendar_hours_attributes }, signedIn), 201)
  const { data: listed } = having(await desk.listCalendars(page, signedIn), 200)
  const { data: found } = having(await desk.listCalendars({ name: made.name }, signedIn), 200)
  const { data: changed } = having(await desk.updateCalendar(made.id, { name: again }, signedIn), 200)
  const refused = having(await desk.updateCalendar(made.id, { name: '' }, signedIn), 422)
  return [listed.length, found.length, made.name, changed.name, refusal(refused)]
}

async function broadcasts() {
  const { data: made } = having(await desk.createBroadcast({ message: title, message_type: 'outage' }, signedIn), 201)
  const { data: listed } = having(await desk.listBroadcasts(page, signedIn), 200)
  const { data: found } = having(await desk.listBroadcasts({ id: String(made.id), message_type: 'outage' }, signedIn), 200)
  const { data: changed } = having(await desk.updateBroadcast(made.id, { message: again }, signedIn), 200)
  const refused = having(await desk.updateBroadcast(made.id, { message: '' }, signedIn), 422)
  return [listed.length, found.length, made.message, changed.message, refusal(refused)]
}

console.log(JSON.stringify([await requests(), await people(), await organizations(), await calendars(), await broadcasts()]))
