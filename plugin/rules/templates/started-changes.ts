import { rule } from '../../schema/language/define-rule.js'

/**
 * A change that is started from a template needs a manager: the caller must name one if there is a template and the service has
 * no change manager (spec, Request template: change_manager).
 */
export const needsChangeManager = rule(
  'needsChangeManager',
  (field: string, settings: { readonly template: string; readonly service: string }) => ({
    fields: [field, settings.template, settings.service],
    async check({ changed, fail, fieldOf, load, next }) {
      const [manager, template, service] = [fieldOf(field), fieldOf(settings.template), fieldOf(settings.service)]
      const isTouched = [manager, template, service].some(({ column }) => changed(column))
      if (next[manager.column] || !next[template.column] || !isTouched) return
      const provided = await load(service.record, next[service.column])
      if (!provided?.['change_manager_id']) fail(field, 'blank')
    },
  }),
)
