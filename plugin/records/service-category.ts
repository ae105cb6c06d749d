import { identity, provenance, times } from '../schema/kinds/common-fields.js'
import { parts, picture, string, text } from '../schema/kinds/fields.js'
import { defineRecord, OPERATIONS } from '../schema/language/define-record.js'
import { SERVICE_MAINTAINERS } from './shared-values.js'
import { attachmentsOfTexts, translationOf } from './translation.js'

/**
 * Services are grouped for people who search for one; a category may be removed, its services stay (behaviour: Service
 * categories).
 */
export const serviceCategory = defineRecord('service_category', {
  path: 'service_categories',
  operations: OPERATIONS,
  fields: {
    ...identity,
    ...provenance,
    name: string(128, { required: true }),
    localized_name: string(255, { derived: { from: 'name', as: 'translation' } }),
    description: text(),
    localized_description: text({ derived: { from: 'description', as: 'translation' } }),
    picture_uri: picture(),
    attachments: parts('attachment', { readOnly: true }),
    ...times,
  },
  collection: {
    fields: 'id sourceID name created_at updated_at',
    sort: 'name',
    filterable: { also: 'source' },
  },
  links: {
    services: { record: 'service', table: 'service_category_services', from: 'service_category_id', to: 'service_id' },
  },
  parts: ['service_category_translation'],
  access: { create: SERVICE_MAINTAINERS, update: SERVICE_MAINTAINERS, remove: SERVICE_MAINTAINERS },
  unique: [['name']],
  import: {
    type: 'service_categories',
    order: 13,
    columns: ['Name', 'Description', 'Services'],
  },
})

export const serviceCategoryTranslation = translationOf('service_category', {
  fields: { name: string(255), description: text(), attachments: attachmentsOfTexts },
  maintainers: SERVICE_MAINTAINERS,
})
