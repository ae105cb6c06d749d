import { changedBy } from '../rules/general/changed-by.js'
import { fillWithCaller } from '../rules/general/fill.js'
import { uiExtensionVersions } from '../rules/general/ui-extension-versions.js'
import { ADMINISTRATORS, identity, provenance, times } from '../schema/kinds/common-fields.js'
import { boolean, oneOf, parts, ref, string, strings, text } from '../schema/kinds/fields.js'
import { defineRecord } from '../schema/language/define-record.js'

/** Code for browsers, without attached files. */
const CODE = { plain: true } as const
/** The content of one of the versions, for files that have both. */
const OF_VERSION = { ...CODE, writeOnly: true } as const

/**
 * Input for html, css and javascript is stored in the prepared version; without one, responses contain those of the active
 * version (behaviour: UI extensions). The plugin neither compiles nor translates them, so the derived fields contain the input.
 */
export const uiExtension = defineRecord('ui_extension', {
  path: 'ui_extensions',
  fields: {
    ...identity,
    ...provenance,
    name: string(190, { required: true }),
    category: oneOf(
      [
        'request_template',
        'change_template',
        'task_template',
        'project',
        'project_task_template',
        'product',
        'product_category',
        'organization',
        'contract',
        'person',
        'site',
        'problem',
      ],
      { required: true, only: 'create' },
    ),
    title: string(128),
    description: text(),
    disabled: boolean({ default: false }),
    active_version: ref('ui_extension_version', { readOnly: true }),
    prepared_version: ref('ui_extension_version', { readOnly: true }),
    html: text(CODE),
    css: text(CODE),
    javascript: text(CODE),
    activate: boolean({ writeOnly: true }),
    active_html: text(OF_VERSION),
    active_css: text(OF_VERSION),
    active_javascript: text(OF_VERSION),
    prepared_html: text(OF_VERSION),
    prepared_css: text(OF_VERSION),
    prepared_javascript: text(OF_VERSION),
    compiled_css: text({ derived: { from: 'css', as: 'value' } }),
    localized_html: text({ derived: { from: 'html', as: 'translation' } }),
    phrases: strings(255, { readOnly: true }),
    created_by: ref('person', { write: [], only: 'create', allowDisabled: true }),
    updated_by: ref('person', { readOnly: true }),
    attachments: parts('attachment', { readOnly: true }),
    ...times,
  },
  collection: {
    fields: 'id sourceID name disabled active_version prepared_version created_at updated_at',
    sort: 'name',
    sortable: { except: 'disabled active_version prepared_version' },
    filterable: { also: 'source', except: 'active_version prepared_version' },
  },
  lists: { enabled: { disabled: false }, disabled: { disabled: true } },
  parts: ['ui_extension_version'],
  access: { create: ADMINISTRATORS, update: ADMINISTRATORS },
  import: {
    type: 'ui_extensions',
    order: 11,
    columns: [
      'Disabled',
      'Name',
      'Title',
      'Category',
      { header: 'Active version HTML', field: 'active_html', shows: 'active_version.html' },
      { header: 'Active version CSS', field: 'active_css', shows: 'active_version.css' },
      { header: 'Active version Javascript', field: 'active_javascript', shows: 'active_version.javascript' },
      { header: 'Prepared version HTML', field: 'prepared_html', shows: 'prepared_version.html' },
      { header: 'Prepared version CSS', field: 'prepared_css', shows: 'prepared_version.css' },
      { header: 'Prepared version Javascript', field: 'prepared_javascript', shows: 'prepared_version.javascript' },
    ],
  },
  rules: [fillWithCaller('created_by'), uiExtensionVersions(), changedBy('updated_by')],
  unique: [['name']],
})

/** Only the extension changes its versions (behaviour: UI extensions). */
export const uiExtensionVersion = defineRecord('ui_extension_version', {
  path: 'versions',
  table: 'ui_extension_versions',
  partOf: ['ui_extension'],
  nested: ['list', 'single'],
  fields: {
    ...identity,
    name: string(10),
    html: text(),
    css: text(),
    javascript: text(),
    ...times,
  },
  collection: {
    fields: 'id name created_at updated_at',
    sort: '-id',
    sortable: { except: 'name' },
  },
  access: { create: [], update: [] },
  audit: false,
  unique: [['name']],
})
