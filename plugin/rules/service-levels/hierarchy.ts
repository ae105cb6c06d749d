/** Service instances that are built on another one (behaviour: Service instances, Affected SLAs). */
import type { Json } from '../../schema/kinds/fields.js'
import type { RuleContext } from '../../schema/language/define-rule.js'
import { impactAbove } from './promise.js'

/**
 * The impact on a service instance and on all that are built on it, by their ids. With several ways to one of them, the shortest
 * one counts. Service instances that are built on each other end the search.
 */
export async function impactsAbove(
  { findBy }: Pick<RuleContext, 'findBy'>,
  instance: Json,
  impact: Json,
): Promise<ReadonlyMap<number, Json>> {
  const impacts = new Map<number, Json>()
  if (instance === null) return impacts
  let level: readonly (readonly [id: number, impact: Json])[] = [[Number(instance), impact]]
  while (level.length > 0) {
    for (const [id, one] of level) impacts.set(id, one)
    const found = await Promise.all(
      level.map(async ([id, one]) => {
        const above = await findBy(
          'parent_service_instance',
          'owner_id',
          id,
          { owner_type: 'service_instance' },
          { trusted: true },
        )
        return above.map(
          (part) => [Number(part['service_instance_id']), impactAbove(one, part['impact_relation'] ?? null)] as const,
        )
      }),
    )
    level = [...new Map(found.flat())].filter(([id]) => !impacts.has(id))
  }
  return impacts
}
