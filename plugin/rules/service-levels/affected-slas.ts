/** Service level agreements that a request affects (behaviour: Affected SLAs). */
import type { Json } from '../../schema/kinds/fields.js'
import { type DraftRow, type Row, type RuleContext, type RuleItem, rule } from '../../schema/language/define-rule.js'
import { agreementsCovering } from './covering.js'
import { impactsAbove } from './hierarchy.js'
import { movesClock } from './keep-clock.js'
import { hasSeveralUsers } from './promise.js'
import { impactOn, promiseAt } from './renew-promise.js'

/** Columns of a request that determine its affected SLAs. */
const DECIDING = ['service_instance_id', 'impact', 'category', 'requested_for_id', 'template_id'] as const

/**
 * Creates the affected SLAs of a request and keeps them in step with it: those of its service instance, and of all service
 * instances that are built on that one.
 */
export const affectsSlas = rule('affectsSlas', () => ({
  fields: ['service_instance', 'impact', 'category', 'requested_for', 'template', 'status', 'desired_completion_at'],
  keeps: {
    'affected_sla.accountability': ['service_instance'],
    'affected_sla.impact': ['service_instance', 'impact', 'parent_service_instance.impact_relation'],
    'affected_sla.covers_requester': ['requested_for'],
    'affected_sla.request': ['service_instance', 'impact', 'category', 'requested_for'],
  },
  begins: true,
  async writtenAll(contexts, { saveAll }) {
    const shared = sharedLookups()
    const items = await Promise.all(contexts.map((context) => itemsFor(context, shared)))
    await saveAll('affected_sla', items.flat())
  },
}))

/** Lookups of a batch whose answers are the same for many of its requests: each is made once. */
interface Shared {
  /** The impacts on the service instance, and on all that are built on it. */
  impacts(context: RuleContext, instance: Json, impact: Json): Promise<ReadonlyMap<number, Json>>
  /** Ids of the agreements that cover the person that the request is for. */
  covering(context: RuleContext): Promise<ReadonlySet<Json>>
  /** What an affected SLA of the request copies. */
  promise(context: RuleContext, impacts: ReadonlyMap<number, Json>, affected: Row): Promise<DraftRow>
}

function sharedLookups(): Shared {
  const known = new Map<string, Promise<unknown>>()
  const once = <T>(ask: () => Promise<T>, ...key: readonly Json[]): Promise<T> => {
    const text = JSON.stringify(key)
    const asked = (known.get(text) as Promise<T> | undefined) ?? ask()
    known.set(text, asked)
    return asked
  }
  return {
    impacts: (context, instance, impact) => once(() => impactsAbove(context, instance, impact), 'impacts', instance, impact),
    covering(context) {
      const person = context.next['requested_for_id'] ?? null
      return once(async () => agreementsCovering(context, await context.load('person', person)), 'covering', person)
    },
    promise(context, impacts, affected) {
      const { sla_id: sla = null, service_instance_id: at = null } = affected
      const template = context.next['template_id'] ?? null
      const ask = () => promiseAt(impacts, context, affected, context.next)
      return once(ask, 'promise', sla, at, impactOn(impacts, affected), template)
    },
  }
}

async function itemsFor(context: RuleContext, shared: Shared): Promise<readonly RuleItem[]> {
  const { before, changed, findBy, next } = context
  const isDecided = DECIDING.some((column) => changed(column))
  if (before ? !isDecided && !movesClock(context) : !next['service_instance_id']) return []
  const known = before ? await findBy('affected_sla', 'request', next['id']) : []
  // Saving without values sets the clock.
  if (!isDecided) return known.map(({ id }) => ({ id: Number(id), body: {} }))
  const category = next['category'] ?? null
  const impact = next['impact'] ?? null
  const instance = next['service_instance_id'] ?? null
  const impacts = await shared.impacts(context, instance, impact)
  const found = await Promise.all(
    [...impacts.keys()].map((id) => findBy('sla', 'service_instance', id, { status: 'active' }, { trusted: true })),
  )
  const slas = found.flat()
  const isNew = ({ id }: Row) => !known.some((one) => one['sla_id'] === id)
  const isForOther = before !== null && changed('requested_for_id')
  const isAsked = slas.some(isNew) || (isForOther && known.length > 0)
  const covering = isAsked ? await shared.covering(context) : new Set<Json>()
  // Agreements of a trusted account with its other customers are not shown here.
  const concernsAll = (sla: Row) => hasSeveralUsers(category, impact) && sla['account_id'] === next['account_id']
  const added = slas.filter((sla) => isNew(sla) && (concernsAll(sla) || covering.has(Number(sla['id']))))
  const coveredBy = (id: Json | undefined) => ({ covers_requester: covering.has(Number(id)) })
  const place = { instance, impacts, hasMoved: changed('service_instance_id') }
  return Promise.all([
    ...known.map(async (one) => {
      const body = { ...(await valuesOf(context, shared, place, one)), ...(isForOther && coveredBy(one['sla_id'])) }
      return { id: Number(one['id']), body }
    }),
    ...added.map(async (sla) => {
      const start = { sla_id: sla['id'] ?? null, service_instance_id: sla['service_instance_id'] ?? null }
      const body = {
        ...start,
        ...coveredBy(sla['id']),
        request_id: next['id'] ?? null,
        ...(await valuesOf(context, shared, { ...place, hasMoved: true }, start)),
      }
      return { id: null, body }
    }),
  ])
}

interface Place {
  /** The service instance of the request. */
  readonly instance: Json
  /** The impact on it, and on all that are built on it. */
  readonly impacts: ReadonlyMap<number, Json>
  /** True if the service instance is another one than before: then it is decided again who is accountable. */
  readonly hasMoved: boolean
}

/** Values of an affected SLA. Where the request has left its service instance, nobody is accountable, and the impact stays. */
async function valuesOf(
  context: RuleContext,
  shared: Shared,
  { hasMoved, impacts, instance }: Place,
  affected: Row,
): Promise<DraftRow> {
  const own = affected['service_instance_id'] ?? null
  const isLeft = own === null || !impacts.has(Number(own))
  const accountability = isLeft ? 'sla_not_affected' : own === instance ? 'provider' : 'supplier'
  return { ...(hasMoved && { accountability }), ...(await shared.promise(context, impacts, affected)) }
}
