/** Languages of records, and texts that are also the translation into the language of the account (spec, Broadcast). */
import { type RuleContext, rule } from '../../schema/language/define-rule.js'
import { loadOwner } from './owner-of.js'
import { isRenewed } from './renews.js'

/** An empty language becomes that of the account. */
export const fillWithLocale = rule('fillWithLocale', <const N extends string>(field: N) => ({
  fields: [field],
  fills: [field],
  fill({ call, next }) {
    next[field] ??= call.account.locale
  },
}))

interface TranslatedText {
  /** The record type of the translations. */
  readonly record: string
  /** The field of the timer that fires when the account has got another language. */
  readonly renewed: string
}

/**
 * The text is also the translation for the account's locale, which is created and changed with it. When the account gets another
 * language, a translation into that language becomes the text.
 */
export const alsoTranslation = rule('alsoTranslation', (field: string, { record, renewed }: TranslatedText) => ({
  fields: [field, renewed],
  keeps: { [`${record}.${field}`]: [field], [field]: ['account.locale'] },
  async fill(context) {
    const { call, findBy, next, type } = context
    if (!isRenewed(context, renewed)) return
    const [translation] = await findBy(record, 'owner_id', next['id'], { owner_type: type, locale: call.account.locale })
    if (translation) next[field] = translation[field] ?? null
  },
  async writtenAll(contexts, { saveAll }) {
    const items = await Promise.all(
      contexts.map(async ({ call, changed, findBy, next, type }) => {
        if (!changed(field)) return []
        const owner = { type, id: Number(next['id']) }
        const { locale } = call.account
        const [translation] = await findBy(record, 'owner_id', owner.id, { owner_type: type, locale })
        if (translation?.[field] === next[field]) return []
        return [{ id: translation ? Number(translation['id']) : null, body: { locale, [field]: next[field] }, owner }]
      }),
    )
    await saveAll(record, items.flat())
  },
}))

/**
 * For translations: the one for the account's locale is also the text of the owner, which changes with it. It cannot be removed
 * or moved to another language (behaviour: Translations).
 */
export const alsoTextOfOwner = rule('alsoTextOfOwner', (field: string) => ({
  fields: [field, 'locale'],
  keeps: { [`owner.${field}`]: [field] },
  check(context) {
    const { before, changed, fail } = context
    if (before && changed('locale') && isTextOfOwner(context)) fail('locale', 'cannot_be_changed')
  },
  async writtenAll(contexts, { saveAll }) {
    const changed = contexts.filter((one) => one.next['locale'] === one.call.account.locale && one.changed(field))
    const owners = await Promise.all(changed.map(loadOwner))
    const types = new Set(changed.map(({ next }) => String(next['owner_type'])))
    for (const type of types) {
      const items = changed.flatMap(({ next }, index) => {
        const owner = owners[index]
        if (!owner || next['owner_type'] !== type || owner[field] === next[field]) return []
        return [{ id: Number(owner['id']), body: { [field]: next[field] } }]
      })
      await saveAll(type, items)
    }
  },
  remove(context) {
    if (isTextOfOwner(context)) context.fail('base', 'text_of_owner')
  },
}))

function isTextOfOwner({ before, call }: RuleContext): boolean {
  return before?.['locale'] === call.account.locale
}
