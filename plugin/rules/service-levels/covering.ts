/** Active service level agreements that cover a person (behaviour: Service level agreements). */
import type { Json } from '../../schema/kinds/fields.js'
import type { Row, RuleContext } from '../../schema/language/define-rule.js'
import { withAncestors } from '../general/ancestors.js'

type Context = Pick<RuleContext, 'call' | 'findBy' | 'load'>

const ACTIVE = { status: 'active' } as const
/** In all accounts that the account trusts: providers have agreements there for its people. */
const ANYWHERE = { trusted: true } as const

/** Ids of the agreements of the account, and of those it trusts, that cover the person; also those that cover through others. */
export async function agreementsCovering(context: Context, person: Row | null): Promise<ReadonlySet<number>> {
  if (!person) return new Set()
  const direct = await Promise.all([
    ofAccount(context, person),
    ofOrganizations(context, person),
    linkedTo(context, 'sites', person['site_id'], ['sites']),
    linkedTo(context, 'people', person['id'], ['people']),
    ofConfigurationItems(context, person),
  ])
  const covering = new Map<number, Row>()
  let found: readonly Row[] = direct.flat()
  while (found.length > 0) {
    for (const row of found) covering.set(Number(row['id']), row)
    const instances = new Set(found.map((row) => row['service_instance_id'] ?? null))
    const more = [...instances].map((id) => linkedTo(context, 'service_instances', id, ['service_instances']))
    found = (await Promise.all(more)).flat().filter(({ id }) => !covering.has(Number(id)))
  }
  return new Set(covering.keys())
}

async function linkedTo({ findBy }: Context, link: string, id: Json | undefined, coverages: readonly string[]) {
  return (await findBy('sla', link, id, ACTIVE, ANYWHERE)).filter(({ coverage }) => coverages.includes(String(coverage)))
}

/** Agreements for all people of the account of the customer. */
async function ofAccount({ call, findBy, load }: Context, person: Row): Promise<readonly Row[]> {
  const found = await findBy('sla', 'coverage', 'customer_account', ACTIVE, ANYWHERE)
  const own = person['account_id'] === call.account.id ? call.account.organizationId : null
  const customers = await Promise.all(found.map((row) => load('organization', row['customer_id'])))
  return found.filter(
    (row, index) => customers[index]?.['account_id'] === person['account_id'] || (own !== null && row['customer_id'] === own),
  )
}

/** Agreements for the organization of the person, and for those above it with their descendants. */
async function ofOrganizations(context: Context, person: Row): Promise<readonly Row[]> {
  const { findBy } = context
  const organization = person['organization_id'] ?? null
  const above = await withAncestors(context, 'organization', organization)
  const [wide, exact, ofSite] = await Promise.all([
    Promise.all(above.map((id) => linkedTo(context, 'organizations', id, ['organizations_and_descendants']))),
    linkedTo(context, 'organizations', organization, ['organizations', 'organizations_and_sites']),
    findBy('sla', 'sites', person['site_id'], ACTIVE, ANYWHERE),
  ])
  const sites = new Set(ofSite.map(({ id }) => id))
  return [...wide.flat(), ...exact.filter(({ coverage, id }) => coverage === 'organizations' || sites.has(id))]
}

/** Agreements for the users of the configuration items of their service instance. */
async function ofConfigurationItems(context: Context, person: Row): Promise<readonly Row[]> {
  const { findBy } = context
  const items = await findBy('ci', 'users', person['id'], undefined, ANYWHERE)
  const instances = await Promise.all(items.map(({ id }) => findBy('service_instance', 'cis', id, undefined, ANYWHERE)))
  const ids = [...new Set(instances.flat().map(({ id }) => id))]
  const found = await Promise.all(ids.map((id) => findBy('sla', 'service_instance', id, ACTIVE, ANYWHERE)))
  return found.flat().filter(({ coverage }) => coverage === 'cis_of_service_instance')
}
