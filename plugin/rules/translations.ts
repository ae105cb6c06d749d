/** Languages of records, and texts that are also the translation into the language of the account (spec, Broadcast). */
import type { Rule, RuleContext } from '../schema/define-rule.js'

/** An empty language is that of the account. */
export function fillWithLocale(field: string) {
  return { rule: 'fillWithLocale', field } as const
}

/** The text is also the translation for the account's locale, which is made and changed with it. */
export function alsoTranslation(field: string, settings: { readonly record: string }) {
  return { rule: 'alsoTranslation', field, ...settings } as const
}

/**
 * For the translations: the one for the account's locale is also the text of the owner, which is changed with it. It can be
 * neither removed nor moved to another language (gaps 6.13).
 */
export function alsoTextOfOwner(field: string) {
  return { rule: 'alsoTextOfOwner', field } as const
}

export const fillWithLocaleRule: Rule = {
  fields: (use) => [String(use['field'])],
  fills: (use) => [String(use['field'])],
  before({ call, next }, use) {
    next[String(use['field'])] ??= call.account.locale
  },
}

export const alsoTranslationRule: Rule = {
  fields: (use) => [String(use['field'])],
  async after({ call, changed, find, next, save, type }, use) {
    const [field, record, { locale }] = [String(use['field']), String(use['record']), call.account]
    if (!changed(field)) return
    const owner = { type, id: Number(next['id']) }
    const [translation] = await find(record, { owner_type: type, owner_id: owner.id, locale })
    if (translation?.[field] === next[field]) return
    await save(record, translation ? Number(translation['id']) : null, { locale, [field]: next[field] }, owner)
  },
}

export const alsoTextOfOwnerRule: Rule = {
  fields: (use) => [String(use['field']), 'locale'],
  before(context) {
    const { before, changed, fail } = context
    if (before && changed('locale') && isTextOfOwner(context)) fail('locale', 'cannot_be_changed')
  },
  async after({ call, changed, load, next, save }, use) {
    const field = String(use['field'])
    if (next['locale'] !== call.account.locale || !changed(field)) return
    const owner = await load(String(next['owner_type']), next['owner_id'])
    if (owner && owner[field] !== next[field])
      await save(String(next['owner_type']), Number(owner['id']), { [field]: next[field] })
  },
  remove(context) {
    if (isTextOfOwner(context)) context.fail('base', 'text_of_owner')
  },
}

function isTextOfOwner({ before, call }: RuleContext): boolean {
  return before?.['locale'] === call.account.locale
}
