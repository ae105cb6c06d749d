import { referenceOf } from '../rules/general/reference-of.js'
import { identity, times } from '../schema/kinds/common-fields.js'
import { boolean, integer, parts, string, text } from '../schema/kinds/fields.js'
import { defineRecord } from '../schema/language/define-record.js'
import type { Grant } from '../schema/language/who.js'

const MAINTAINERS: readonly Grant[] = ['project_manager', 'account_administrator']

/** Shared by categories and risk levels of projects: projects show the reference, which never changes. */
const LEVEL = {
  fields: {
    ...identity,
    source: string(30, { ignoreCase: true }),
    sourceID: string(128, { ignoreCase: true }),
    name: string(128, { required: true, ignoreCase: true }),
    reference: string(128, { readOnly: true, ignoreCase: true }),
    description: string(255),
    information: text(),
    position: integer(),
    disabled: boolean({ default: false }),
    attachments: parts('attachment', { readOnly: true }),
    ...times,
  },
  collection: {
    fields: 'id sourceID reference name description position created_at updated_at',
    sort: 'id',
    sortable: { except: 'description' },
    filterable: { also: 'source disabled', except: 'description position' },
  },
  access: { create: MAINTAINERS, update: MAINTAINERS },
  rules: [referenceOf('reference', { of: ['name'], max: 128, kept: true })],
  unique: [['reference']],
} as const

const LEVEL_FILES = {
  key: 'reference',
  columns: ['Disabled', 'Name', 'Reference', 'Description', 'Information', 'Position'],
} as const

/** Record type `project_category` (behaviour: Project categories). */
export const projectCategory = defineRecord('project_category', {
  ...LEVEL,
  path: 'project_categories',
  import: { ...LEVEL_FILES, type: 'project_categories', order: 32 },
})

/** Record type `project_risk_level` (behaviour: Project categories). */
export const projectRiskLevel = defineRecord('project_risk_level', {
  ...LEVEL,
  path: 'project_risk_levels',
  import: { ...LEVEL_FILES, type: 'project_risk_levels', order: 33 },
})
