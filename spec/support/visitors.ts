/** People with one role or none, whom no record names, to try operations with over HTTP. */
import { expect } from 'chai'
import { ROLES, type Role } from '../../plugin/core/call.js'
import type { Visitor } from './access-expectations.js'
import type { Made } from './contract-place.js'
import type { Mounted, Reply } from './mounted.js'

export interface Visitors {
  /** A new person of Widget IT. */
  invite(...roles: readonly Role[]): Promise<Visitor>
  /** Somebody for each role, and somebody without any. */
  inviteForEachRole(): Promise<readonly Visitor[]>
  ask(visitor: Visitor, method: string, path: string, body?: object): Promise<Reply>
  /** A record as the first administrator sees it; null if it does not exist. */
  find(address: string): Promise<Made | null>
}

const IN_ENGLISH = { 'X-SVC-Language': 'en-US' }

export function createVisitors(mounted: Mounted): Visitors {
  let count = 0
  const idsOf = async (path: string) => {
    const answer = await mounted.ask('@owen', 'GET', `${path}?per_page=100`)
    expect(answer.status, answer.text).to.equal(200)
    return (answer.json as Made[]).map((one) => Number(one['id']))
  }
  const visitors: Visitors = {
    async invite(...roles) {
      const { itsm, world } = mounted
      count += 1
      const name = `${roles.join() || 'no role'} ${count}`
      const organization = world.id('@widget-it')
      const body = { name, primary_email: `visitor${count}@visitors.example`, organization_id: organization }
      const id = Number((await itsm.asSystem('visitors', 'widgets').create('person', body))['id'])
      if (roles.length > 0) await itsm.grant(id, 'widgets', roles)
      return {
        name,
        id,
        headers: { ...IN_ENGLISH, Authorization: `Bearer ${await itsm.credentials.apiToken(id)}` },
        // The owner of an account is one of its administrators (behaviour: Roles).
        roles: new Set(roles.includes('account_owner') ? [...roles, 'account_administrator'] : roles),
        organization,
        agreements: await idsOf(`/people/${id}/sla_coverages`),
        services: await idsOf(`/people/${id}/service_coverages`),
        serviceInstances: await idsOf(`/people/${id}/service_instance_coverages`),
      }
    },
    async inviteForEachRole() {
      const invited: Visitor[] = []
      for (const role of ROLES) invited.push(await visitors.invite(role))
      return [...invited, await visitors.invite()]
    },
    ask: (visitor, method, path, body) => mounted.ask(null, method, path, body, visitor.headers),
    async find(address) {
      const answer = await mounted.ask('@owen', 'GET', address, undefined, IN_ENGLISH)
      expect([200, 404], `${address}: ${answer.text}`).to.include(answer.status)
      return answer.status === 200 ? (answer.json as Made) : null
    },
  }
  return visitors
}

/** Describes what happened to a visitor, and what should have. */
export type Report = (what: string, happened: number, wanted: readonly number[]) => void

/** Tries the operation as every visitor, and fails with all that differ from the expectation. */
export async function tryAll(
  visitors: readonly Visitor[],
  attempt: (visitor: Visitor, report: Report) => Promise<void>,
): Promise<void> {
  const wrong: string[] = []
  for (const visitor of visitors) {
    await attempt(visitor, (what, happened, wanted) => {
      if (!wanted.includes(happened)) wrong.push(`${visitor.name}, ${what}: ${happened} and not ${wanted.join(' or ')}`)
    })
  }
  expect(wrong).to.deep.equal([])
}
