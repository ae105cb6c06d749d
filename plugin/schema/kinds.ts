import type { FieldKind } from './fields.js'

/** Kinds whose values stand in other tables than that of the record. */
const ELSEWHERE = ['refs', 'part', 'parts', 'owner'] as const
export type KindElsewhere = (typeof ELSEWHERE)[number]

/** True for kinds whose values stand in other tables than that of the record. */
export function isElsewhere(kind: FieldKind): kind is KindElsewhere {
  return ELSEWHERE.some((other) => other === kind)
}
