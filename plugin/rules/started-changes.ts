import type { Rule } from '../schema/define-rule.js'

/**
 * A change that is started from a template needs somebody to manage it: a person must be named when there is a template and
 * the service defines no change manager (spec, Request template: change_manager).
 */
export function needsChangeManager(field: string, settings: { readonly template: string; readonly service: string }) {
  return { rule: 'needsChangeManager', field, ...settings } as const
}

export const needsChangeManagerRule: Rule = {
  fields: (use) => [String(use['field']), String(use['template']), String(use['service'])],
  async before({ changed, fail, fieldOf, load, next }, use) {
    const field = String(use['field'])
    const [manager, template, service] = [field, String(use['template']), String(use['service'])].map(
      (name) => fieldOf(name).column,
    ) as [string, string, string]
    if (next[manager] || !next[template] || ![manager, template, service].some(changed)) return
    const provided = await load('service', next[service])
    if (!provided?.['change_manager_id']) fail(field, 'blank')
  },
}
