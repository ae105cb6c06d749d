import { identity, times } from '../schema/kinds/common-fields.js'
import { parts, string } from '../schema/kinds/fields.js'
import { type Definition, defineRecord, type Fields } from '../schema/language/define-record.js'
import type { Rule } from '../schema/language/define-rule.js'
import type { Grant } from '../schema/language/who.js'

interface TranslationSettings<F extends Fields> {
  /** The texts, with the same names as in the owner. */
  readonly fields: F
  /** The texts are rich texts of the owner, to which files can be attached (behaviour: Attachments). */
  readonly attachments?: true
  /** The maintainers of the owner. */
  readonly maintainers: readonly Grant[]
  readonly rules?: readonly Rule[]
}

/**
 * Sub-records with texts of their owner in other languages, one per language: `/<owners>/:id/translations`. All have the form
 * of broadcast translations (behaviour: Translations).
 */
export function translationOf<const F extends Fields>(owner: string, settings: TranslationSettings<F>): Definition {
  const { fields, attachments, maintainers, rules = [] } = settings
  return defineRecord(`${owner}_translation`, {
    path: 'translations',
    table: `${owner}_translations`,
    partOf: [owner],
    title: 'locale',
    fields: {
      ...identity,
      locale: string(5, { required: true, format: 'locale' }),
      ...fields,
      ...(attachments && { attachments: parts('attachment', { readOnly: true }) }),
      ...times,
    },
    collection: {
      fields: 'id locale created_at updated_at',
      sort: '-created_at',
      sortable: { also: Object.keys(fields).join(' ') },
    },
    access: { create: maintainers, update: maintainers, remove: maintainers },
    rules,
    unique: [['locale']],
    translates: true,
    audit: false,
  })
}
