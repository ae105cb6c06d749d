import type { Json } from '../../schema/kinds/fields.js'
import { type DraftRow, type Row, type RuleContext, rule } from '../../schema/language/define-rule.js'
import { isRenewed } from '../general/renews.js'
import { isExternal } from '../requests/service-instance.js'
import { IMPACTS } from '../workflow/progress.js'
import { impactsAbove } from './hierarchy.js'
import { promised } from './promise.js'

const STANDARD = 'standard_service_request'
const ofImpacts = (name: string) => IMPACTS.slice(1).map((impact) => `service_offering.${name}_${impact}`)
const OFFERED = ['impact', 'sla.service_offering']
/** Values that decide which standard service request of the offering counts. */
const TEMPLATE = ['sla.service_offering', 'request.template', `${STANDARD}.request_template`]
const SERVICE = ['service_instance.service', 'service.provider', 'organization.parent', 'account.organization']
const KEEPS = {
  first_line_team: ['service_instance.first_line_team'],
  support_team: ['service_instance.support_team', 'service_instance.service', 'service.support_team'],
  supplier: SERVICE,
  time_zone: ['sla.service_offering', 'service_offering.time_zone'],
  service_hours: [...OFFERED, 'service_offering.service_hours'],
  support_hours: [...OFFERED, ...TEMPLATE, ...ofImpacts('support_hours'), `${STANDARD}.support_hours`],
  maximum_response_duration: [...OFFERED, ...TEMPLATE, ...ofImpacts('response_target'), `${STANDARD}.response_target`],
  maximum_resolution_duration: [...OFFERED, ...TEMPLATE, ...ofImpacts('resolution_target'), `${STANDARD}.resolution_target`],
  standard_service_request: TEMPLATE,
}

/**
 * Copies what is promised again when the timer of the field has fired: after a change of the service offering, the service
 * instance, or hours (behaviour: Affected SLAs). While the request is completed nothing is copied, so that is made up for when it
 * is opened again. Place it before the clock.
 */
export const renewPromise = rule('renewPromise', (field: string) => ({
  fields: [field],
  keeps: KEEPS,
  async fill(context) {
    const { before, load, next } = context
    const request = before && (await load('request', next['request_id']))
    if (!request) return
    const isReopened = before['actual_resolution_at'] && request['status'] !== 'completed'
    if (!isRenewed(context, field) && !isReopened) return
    const impacts = await impactsAbove(context, request['service_instance_id'] ?? null, request['impact'] ?? null)
    Object.assign(next, await promiseAt(impacts, context, next, request))
  },
}))

/**
 * The promise, for the impact that the request has now on the service instance; for the last one where it has none.
 *
 * @param impacts those of the request on its service instance, and on all that are built on it
 */
export async function promiseAt(
  impacts: ReadonlyMap<number, Json>,
  context: RuleContext,
  affected: Row,
  request: Row,
): Promise<DraftRow> {
  const impact = impactOn(impacts, affected)
  return { impact, ...(await promiseOf(context, { ...affected, impact }, request)) }
}

/** The impact that the request has now on the service instance of an affected SLA; the last one where it has none. */
export function impactOn(impacts: ReadonlyMap<number, Json>, affected: Row): Json {
  const own = Number(affected['service_instance_id'])
  return (impacts.has(own) ? impacts.get(own) : affected['impact']) ?? null
}

/** Values that an affected SLA copies: from its service instance, and from its service offering for its impact. */
async function promiseOf(
  context: Pick<RuleContext, 'call' | 'findBy' | 'load'>,
  affected: Row,
  request: Row,
): Promise<DraftRow> {
  const { findBy, load } = context
  // Shared with others who copy from the same records; a change waits for them, and then renews what they have copied.
  const shared: RuleContext['load'] = (type, id) => load(type, id, { lock: 'shared' })
  const [sla, at] = await Promise.all([
    load('sla', affected['sla_id']),
    load('service_instance', affected['service_instance_id']),
  ])
  const [offering, service, standards] = await Promise.all([
    shared('service_offering', sla?.['service_offering_id']),
    load('service', at?.['service_id']),
    findBy('standard_service_request', 'request_template', request['template_id'], undefined, { trusted: true }),
  ])
  const provider = service?.['provider_id'] ?? null
  const standard = standards.find(({ owner_id }) => owner_id === offering?.['id']) ?? null
  return reachable(context, {
    first_line_team_id: at?.['first_line_team_id'] ?? null,
    support_team_id: at?.['support_team_id'] ?? service?.['support_team_id'] ?? null,
    supplier_id: (await isExternal({ ...context, load: shared }, 'organization', provider)) ? provider : null,
    ...(offering && promised(offering, affected['impact'] ?? null, standard)),
  })
}

const COPIED = {
  first_line_team_id: 'team',
  support_team_id: 'team',
  supplier_id: 'organization',
  service_hours_id: 'calendar',
  support_hours_id: 'calendar',
} as const

/**
 * Clears references to records of accounts that the account of the request does not trust, as the provider may: they would
 * refuse the request.
 */
async function reachable({ call, load }: Pick<RuleContext, 'call' | 'load'>, values: DraftRow): Promise<DraftRow> {
  const { account, trusted } = call
  const accounts: readonly unknown[] = [account.id, account.directoryAccountId, ...trusted]
  const checked = Object.entries(COPIED).map(async ([column, type]) => {
    const row = await load(type, values[column])
    return row && !accounts.includes(row['account_id']) ? [[column, null] as const] : []
  })
  return { ...values, ...Object.fromEntries((await Promise.all(checked)).flat()) }
}
