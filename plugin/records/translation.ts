import { identity, times } from '../schema/kinds/common-fields.js'
import { parts, string } from '../schema/kinds/fields.js'
import { defineRecord, type Fields } from '../schema/language/define-record.js'
import type { Rule } from '../schema/language/define-rule.js'
import type { Grant } from '../schema/language/who.js'

/** The files in rich texts (behaviour: Attachments). */
export const attachmentsOfTexts = parts('attachment', { readOnly: true })

interface TranslationSettings<F extends Fields> {
  /** The texts, with the same names as in the owner, and `attachments` if they are rich texts. */
  readonly fields: F
  /** The maintainers of the owner. */
  readonly maintainers: readonly Grant[]
  readonly rules?: readonly Rule<never>[]
}

/**
 * Sub-records with texts of their owner in other languages, one per language: `/<owners>/:id/translations`. All have the form
 * of broadcast translations (behaviour: Translations).
 */
export function translationOf<const N extends string, const F extends Fields>(owner: N, settings: TranslationSettings<F>) {
  const { fields, maintainers, rules = [] } = settings
  return defineRecord(`${owner}_translation` as const, {
    path: 'translations',
    table: `${owner}_translations`,
    partOf: [owner],
    title: 'locale',
    fields: {
      ...identity,
      locale: string(5, { required: true, format: 'locale' }),
      ...fields,
      ...times,
    },
    collection: {
      fields: 'id locale created_at updated_at',
      sort: '-created_at',
      sortable: { also: textsIn(fields).join(' ') },
    },
    access: { create: maintainers, update: maintainers, remove: maintainers },
    rules,
    unique: [['locale']],
    translates: true,
    audit: false,
  })
}

function textsIn(fields: Fields): readonly string[] {
  return Object.keys(fields).filter((name) => fields[name]?.kind !== 'parts')
}
