/** The owners of sub-records, for rules. */
import type { Row, RuleContext } from '../../schema/language/define-rule.js'

/** Loads the owner of a sub-record. */
export function loadOwner({ load, next }: Pick<RuleContext, 'load' | 'next'>): Promise<Row | null> {
  return load(String(next['owner_type']), next['owner_id'])
}

/** The stored sub-records of the same type and owner, the record itself included. */
export function siblingsOf({ findBy, next, type }: Pick<RuleContext, 'findBy' | 'next' | 'type'>): Promise<readonly Row[]> {
  return findBy(type, 'owner_id', next['owner_id'], { owner_type: String(next['owner_type']) })
}

/** A text that the sub-records of one owner have in common. */
export function ownerKey(row: Row): string {
  return `${row['owner_type']} ${row['owner_id']}`
}
