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
    const [manager, template, service] = [fieldOf(field), fieldOf(String(use['template'])), fieldOf(String(use['service']))]
    const isTouched = [manager, template, service].some(({ column }) => changed(column))
    if (next[manager.column] || !next[template.column] || !isTouched) return
    const provided = await load(service.record, next[service.column])
    if (!provided?.['change_manager_id']) fail(field, 'blank')
  },
}
