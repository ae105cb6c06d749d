import { ADMINISTRATORS, identity, provenance, times } from '../schema/kinds/common-fields.js'
import { boolean, parts, ref, string, text } from '../schema/kinds/fields.js'
import { defineRecord } from '../schema/language/define-record.js'

/** People who can do the same kind of work, in any team (behaviour: Skill pools). */
export const skillPool = defineRecord('skill_pool', {
  path: 'skill_pools',
  fields: {
    ...identity,
    ...provenance,
    name: string(128, { required: true }),
    disabled: boolean({ default: false }),
    manager: ref('person'),
    remarks: text(),
    attachments: parts('attachment', { readOnly: true }),
    ...times,
  },
  collection: {
    fields: 'id sourceID name created_at updated_at',
    sort: 'name',
    filterable: { also: 'source disabled manager' },
  },
  lists: { enabled: { disabled: false }, disabled: { disabled: true } },
  links: { members: { record: 'person', table: 'skill_pool_members', from: 'skill_pool_id', to: 'person_id' } },
  access: { create: ADMINISTRATORS, update: ADMINISTRATORS },
  unique: [['name']],
  import: {
    type: 'skill_pools',
    order: 10,
    columns: ['Disabled', 'Name', 'Manager', 'Remarks', 'Members'],
  },
})
