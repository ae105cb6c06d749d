/** Services that a request concerns, and organizations that supply them (behaviour: Requests). */
import { type RuleContext, rule } from '../../schema/define-rule.js'
import type { Json } from '../../schema/fields.js'
import { withAncestors } from '../ancestors.js'

/**
 * Without a service instance, the field becomes the first one of the configuration item, when this item is set. A field that is
 * sent empty stays empty.
 */
export const serviceInstanceOf = rule('serviceInstanceOf', (field: string, settings: { readonly ci: string }) => ({
  fields: [field, settings.ci],
  async fill({ changed, fieldOf, findBy, given, next }) {
    const { column, record } = fieldOf(field)
    const ci = fieldOf(settings.ci).column
    if (!record || next[column] || given.has(field) || !next[ci] || !changed(ci)) return
    const [first] = await findBy(record, 'cis', next[ci])
    next[column] = first?.['id'] ?? null
  },
}))

/**
 * Without a supplier, the field becomes the provider of the service when the service instance is set, if that is an external
 * organization.
 */
export const supplierOf = rule('supplierOf', (field: string, { instance }: { readonly instance: string }) => ({
  fields: [field, instance],
  async fill(context) {
    const { changed, fieldOf, given, load, next } = context
    const { column, record } = fieldOf(field)
    const { column: of, record: type } = fieldOf(instance)
    if (!type || next[column] || given.has(field) || !next[of] || !changed(of)) return
    const service = await load('service', (await load(type, next[of]))?.['service_id'])
    const provider = service?.['provider_id'] ?? null
    const isDisabled = (await load(record, provider))?.['disabled'] === true
    if (!isDisabled && (await isExternal(context, record, provider))) next[column] = provider
  },
}))

/** True outside the tree of the account's own organization. Without such an organization nothing is known to be external. */
export async function isExternal(
  { call, load }: Pick<RuleContext, 'call' | 'load'>,
  record: string,
  organization: Json,
): Promise<boolean> {
  const own = call.account.organizationId
  if (own === null || organization === null) return false
  return !(await withAncestors({ load }, record, organization)).includes(own)
}
