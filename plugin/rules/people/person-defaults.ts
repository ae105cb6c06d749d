import { rule } from '../../schema/language/define-rule.js'

interface Person {
  readonly organization_id: number
  readonly locale: string
  readonly site_id: number
  readonly time_zone: string
}

/**
 * Defaults of a new person: organization and locale of the account, time zone of the site or the account (behaviour: People).
 */
export const defaultsOfPerson = rule.for<Person>()('defaultsOfPerson', () => ({
  fields: ['organization', 'locale', 'site', 'time_zone'],
  fills: ['organization', 'locale', 'time_zone'],
  async fill({ before, call, load, next }) {
    if (before) return
    next.organization_id ??= call.account.organizationId
    next.locale ??= call.account.locale
    if (next.time_zone) return
    const zone = (await load('site', next.site_id))?.['time_zone']
    next.time_zone = typeof zone === 'string' ? zone : call.account.timeZone
  },
}))
