import { identity } from '../schema/kinds/common-fields.js'
import { boolean, datetime, integer, string } from '../schema/kinds/fields.js'
import { defineRecord } from '../schema/language/define-record.js'

/**
 * Attachments are added and removed with the input for the texts of a record, and are returned within the record (behaviour:
 * Attachments). They have no URL of their own.
 */
export const attachment = defineRecord('attachment', {
  path: 'attachments',
  partOf: [],
  operations: [],
  nested: [],
  fields: {
    ...identity,
    key: string(512, { readOnly: true }),
    name: string(255, { readOnly: true }),
    size: integer({ readOnly: true, unit: 'bytes' }),
    inline: boolean({ readOnly: true, default: false }),
    uri: string(4096, { derived: { from: 'key', as: 'download' } }),
    /** The text that it belongs to. */
    field: string(64, { readOnly: true, hidden: true }),
    created_at: datetime({ readOnly: true }),
  },
  collection: {
    sort: 'id',
    sortable: 'id',
    filterable: 'id',
  },
  access: { create: [], update: [] },
  audit: false,
})
