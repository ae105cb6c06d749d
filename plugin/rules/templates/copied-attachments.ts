/**
 * Attachments of templates. Records that are created from a template get attachments of their own that refer to the same files;
 * a file is deleted when its last attachment is (ADR 27).
 */
import type { Row, RuleContext, RuleItem } from '../../schema/language/define-rule.js'

/** The record type of attachments. */
export const ATTACHMENTS = 'attachment'

/**
 * Attachments of a template, which may belong to a trusted account. They stay locked until the transaction ends: if another
 * transaction could remove one now, its file could be deleted before the copy is visible.
 */
export function attachmentsOf({ findBy }: Pick<RuleContext, 'findBy'>, type: string, id: Row[string] | undefined) {
  return findBy(ATTACHMENTS, 'owner_id', id, { owner_type: type }, { lock: true, trusted: true })
}

/** New attachments with the files of those that belong to a text of the template. */
export function copiesOf(
  attachments: readonly Row[],
  text: string,
  to: { readonly owner: { readonly type: string; readonly id: number }; readonly field: string },
): readonly RuleItem[] {
  return attachments
    .filter(({ field }) => field === text)
    .map(({ inline, key, name, size }) => ({
      id: null,
      body: { key, name, size, inline, field: to.field },
      owner: to.owner,
    }))
}
