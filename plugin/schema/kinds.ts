import type { FieldKind } from './fields.js'

/** Kinds without a column of their own: their values are in other tables, or in the column of another field. */
const ELSEWHERE = ['refs', 'part', 'parts', 'owner', 'pairs'] as const
export type KindElsewhere = (typeof ELSEWHERE)[number]

/** True for kinds without a column of their own. */
export function isElsewhere(kind: FieldKind): kind is KindElsewhere {
  return ELSEWHERE.some((other) => other === kind)
}
