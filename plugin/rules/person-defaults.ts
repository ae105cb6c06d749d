import type { Rule } from '../schema/define-rule.js'

/** Defaults of a new person: organization and locale of the account, time zone of the site or the account (gaps 7.5). */
export function defaultsOfPerson() {
  return { rule: 'defaultsOfPerson' } as const
}

export const defaultsOfPersonRule: Rule = {
  fields: () => ['organization', 'locale', 'site', 'time_zone'],
  fills: () => ['organization', 'locale', 'time_zone'],
  async before({ before, call, load, next }) {
    if (before) return
    next['organization_id'] ??= call.account.organizationId
    next['locale'] ??= call.account.locale
    if (!next['time_zone']) next['time_zone'] = (await load('site', next['site_id']))?.['time_zone'] ?? call.account.timeZone
  },
}
