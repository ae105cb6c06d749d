import { fixedWhileUsed, valueBy } from '../rules/assets/products.js'
import { referenceOf } from '../rules/general/reference-of.js'
import { whileStatus } from '../rules/general/stamp.js'
import { ADMINISTRATORS, identity, times } from '../schema/kinds/common-fields.js'
import { boolean, oneOf, oneOfList, picture, string, text } from '../schema/kinds/fields.js'
import { defineRecord } from '../schema/language/define-record.js'
import { CI_TYPES, RULE_SETS } from './asset-values.js'
import { translationOf } from './translation.js'

/**
 * The rule set determines the kind of its CIs (spec, Product category; behaviour: Product categories): software, license
 * certificates or hardware.
 */
export const productCategory = defineRecord('product_category', {
  path: 'product_categories',
  fields: {
    ...identity,
    source: string(30, { ignoreCase: true }),
    sourceID: string(128, { ignoreCase: true }),
    disabled: boolean({ default: false }),
    group: string(255, { required: true }),
    localized_group: text({ derived: { from: 'group', as: 'translation' } }),
    localized_name: string(255, { derived: { from: 'name', as: 'translation' } }),
    name: string(255, { required: true, ignoreCase: true }),
    picture_uri: picture(),
    reference: string(80, { readOnly: true, ignoreCase: true }),
    rule_set: oneOf(RULE_SETS, { required: true }),
    software: boolean({ readOnly: true, hidden: true }),
    ci_type: oneOfList('ci.ci_type', CI_TYPES, { readOnly: true, hidden: true }),
    ...times,
  },
  collection: {
    fields: 'id sourceID name group rule_set reference created_at updated_at',
    sort: 'name',
    sortable: { except: 'group' },
    filterable: { also: 'source disabled', except: 'group' },
  },
  lists: { enabled: { disabled: false }, disabled: { disabled: true } },
  parts: ['product_category_translation'],
  access: { create: ADMINISTRATORS, update: ADMINISTRATORS },
  rules: [
    referenceOf('reference', { of: ['group', 'name'], max: 80 }),
    fixedWhileUsed('rule_set', { by: 'product', as: 'category' }),
    whileStatus('software', { field: 'rule_set', values: ['software', 'software_distribution_package'] }),
    valueBy('ci_type', {
      of: 'rule_set',
      values: { software: 'software_version', license_certificate: 'software_license_certificate' },
      otherwise: 'hardware',
    }),
  ],
  unique: [['reference']],
  import: {
    type: 'product_categories',
    order: 21,
    key: 'reference',
    columns: ['Disabled', 'Name', 'Group', 'Reference', 'Rule Set'],
    ignored: ['UI Extension'],
  },
})

/** Translations of product categories. Maximum lengths are those of localized_name and localized_group. */
export const productCategoryTranslation = translationOf('product_category', {
  fields: { name: string(255), group: text() },
  maintainers: ADMINISTRATORS,
})
