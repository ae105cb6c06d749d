import { clearedWithCategory } from '../rules/assets/cis.js'
import { productName } from '../rules/assets/products.js'
import { identity, provenance, times } from '../schema/kinds/common-fields.js'
import { boolean, decimal, integer, oneOf, parts, picture, ref, string, text } from '../schema/kinds/fields.js'
import { myTeams } from '../schema/language/conditions.js'
import { defineRecord } from '../schema/language/define-record.js'
import { ASSET_MAINTAINERS, DEPRECIATION_METHODS, RULE_SETS } from './asset-values.js'

/** Record type `product` (behaviour: Products). */
export const product = defineRecord('product', {
  path: 'products',
  reference: ['brand', 'category', 'model'],
  fields: {
    ...identity,
    ...provenance,
    name: string(128, { required: true }),
    brand: string(128, { required: true }),
    model: string(128, { required: true }),
    category: ref('product_category', { required: true, shownAs: 'reference' }),
    rule_set: oneOf(RULE_SETS, { derived: { from: 'category.rule_set', as: 'value' } }),
    disabled: boolean({ default: false }),
    service: ref('service'),
    support_team: ref('team'),
    supplier: ref('organization'),
    financial_owner: ref('organization'),
    depreciation_method: oneOf(DEPRECIATION_METHODS),
    useful_life: integer({ minimum: 0, unit: 'years' }),
    rate: integer({ minimum: 0, maximum: 100, unit: 'percent' }),
    salvage_value: decimal(),
    remarks: text(),
    picture_uri: picture(),
    ui_extension: ref('ui_extension'),
    attachments: parts('attachment', { readOnly: true }),
    ...times,
  },
  collection: {
    fields: 'id sourceID name category support_team service created_at updated_at',
    sort: 'name',
    sortable: { except: 'category' },
    filterable: { also: 'source disabled rule_set' },
  },
  lists: { enabled: { disabled: false }, disabled: { disabled: true }, supported_by_my_teams: { support_team: myTeams } },
  children: { cis: { record: 'ci', by: 'product' } },
  access: { publicTitle: true, create: ASSET_MAINTAINERS, update: ASSET_MAINTAINERS },
  rules: [productName(), clearedWithCategory('ci', { field: 'license_type', by: 'product' })],
  events: ['create', 'update'],
  unique: [['name']],
  import: {
    type: 'products',
    order: 22,
    columns: [
      'Disabled',
      'Name',
      'Brand',
      'Model',
      'Category',
      'Service',
      'Support Team',
      'Remarks',
      'Supplier',
      'Financial Owner',
      'Depreciation Method',
      'Useful Life',
      'Rate',
      'UI Extension',
    ],
    ignored: ['Product ID', 'Active CIs', 'Custom Fields'],
  },
})
