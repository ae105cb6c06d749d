/** Services that a request concerns, and organizations that supply them (behaviour: Requests). */
import type { Json } from '../../schema/kinds/fields.js'
import { type RuleContext, rule } from '../../schema/language/define-rule.js'
import { withAncestors } from '../general/ancestors.js'

/**
 * Without a service instance, the field becomes the first one of the configuration item, when this item is set. Discontinued
 * ones are left out. A field that is sent empty stays empty.
 */
export const serviceInstanceOf = rule('serviceInstanceOf', (field: string, settings: { readonly ci: string }) => ({
  fields: [field, settings.ci],
  async fill({ changed, fieldOf, findBy, given, next }) {
    const { column, record } = fieldOf(field)
    const ci = fieldOf(settings.ci).column
    if (!record || next[column] || given.has(field) || !next[ci] || !changed(ci)) return
    const instances = await findBy(record, 'cis', next[ci])
    next[column] = instances.find(({ status }) => status !== 'discontinued')?.['id'] ?? null
  },
}))

/**
 * When the service instance is set, an empty supplier becomes the provider of its service, if that is an external organization.
 * A supplier that is the provider of the previous service follows in the same way; others stay.
 */
export const supplierOf = rule('supplierOf', (field: string, { instance }: { readonly instance: string }) => ({
  fields: [field, instance],
  async fill(context) {
    const { before, changed, fieldOf, given, load, next } = context
    const { column, record } = fieldOf(field)
    const { column: of, record: type } = fieldOf(instance)
    if (!type || given.has(field) || !changed(of)) return
    const providerOf = async (id: Json | undefined): Promise<Json> => {
      const service = await load('service', (await load(type, id))?.['service_id'])
      return service?.['provider_id'] ?? null
    }
    const current = next[column] ?? null
    if (current !== null && current !== (await providerOf(before?.[of]))) return
    const provider = await providerOf(next[of])
    const isDisabled = (await load(record, provider))?.['disabled'] === true
    const isOffered = !isDisabled && (await isExternal(context, record, provider))
    if (isOffered || current !== null) next[column] = isOffered ? provider : null
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
