/** The sample company of the first start, from fixtures/world.json. */
import { createHmac } from 'node:crypto'
import type { Plugin } from 'koa-itsm'
import { loadWorld, shippedFixtures } from 'koa-itsm/testing'
import { StartupError } from './startup-errors.js'

/** The account of the company. */
export const ACCOUNT = 'widgets'

/** People to try, the owner of the account first. */
const PEOPLE = [
  { email: 'owen@widgets.example', is: 'owns the account' },
  { email: 'eva@widgets.example', is: 'works on requests' },
  { email: 'ines@widgets.example', is: 'sees only her own' },
] as const

export interface User {
  readonly name: string
  readonly email: string
  readonly is: string
  readonly token: string
  /** Of the first start. */
  readonly password: string
}

/** A password for the console that only this desk has: it follows from its secret, and is stored nowhere. */
export function passwordOf(email: string, secret: string): string {
  return createHmac('sha256', secret).update(`password of ${email}`).digest('base64url').slice(0, 16)
}

/** Fills an empty database; returns true if it was empty. @throws StartupError if an earlier start was interrupted half-way */
export async function seed(itsm: Plugin, secret: string): Promise<boolean> {
  const isEmpty = (await itsm.accounts.find(ACCOUNT)) === null
  if (!isEmpty) return false
  const { world } = shippedFixtures()
  // The passwords in the file are public, and this database may be kept: people get others. The site in Bangalore is disabled
  // for the specs; here it is enabled, because people of the demo work there.
  const records = world.records.map(({ password: _, ...record }) =>
    record.name === 'bangalore' ? { ...record, body: { ...record.body, disabled: false } } : record,
  )
  await loadWorld(itsm, { ...world, records })
  for (const { email } of PEOPLE) {
    const { id } = await findPerson(itsm, email)
    await itsm.credentials.setPassword(id, passwordOf(email, secret))
  }
  return true
}

/** The people to try, with their API tokens and passwords. */
export async function findUsers(itsm: Plugin, secret: string): Promise<readonly User[]> {
  return Promise.all(
    PEOPLE.map(async ({ email, is }) => {
      const { id, name } = await findPerson(itsm, email)
      return { name, email, is, token: await itsm.credentials.apiToken(id), password: passwordOf(email, secret) }
    }),
  )
}

async function findPerson(itsm: Plugin, email: string): Promise<{ readonly id: number; readonly name: string }> {
  const system = itsm.asSystem('shows the people of the example', ACCOUNT)
  const { items } = await system.list('person', { fields: 'name', primary_email: email })
  const [person] = items
  if (!person)
    throw new StartupError(
      `${email} is missing. The first start may have been interrupted.`,
      'Remove DATA_DIR (or the database) and start again',
    )
  return { id: Number(person['id']), name: String(person['name']) }
}

export interface SampleRecords {
  readonly serviceInstanceId: number
  readonly requestId: number
}

/** A service instance for new requests, and the oldest request, if possible an open one. */
export async function findSampleRecords(itsm: Plugin): Promise<SampleRecords> {
  const system = itsm.asSystem('looks for records to try things out with', ACCOUNT)
  const first = async (type: string, list?: string) => {
    const { items } = await system.list(type, { sort: 'id', per_page: 1 }, list)
    return items[0] && Number(items[0]['id'])
  }
  const requestId = (await first('request', 'open')) ?? (await first('request'))
  return { serviceInstanceId: (await first('service_instance', 'active')) ?? 1, requestId: requestId ?? 1 }
}
