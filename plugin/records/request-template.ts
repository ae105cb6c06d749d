import { agreesWithOwners } from '../rules/general/agrees-with-owner.js'
import { requiredWhen } from '../rules/general/by-status.js'
import { mustHaveRole } from '../rules/general/must-have-role.js'
import { needsChangeManager } from '../rules/templates/started-changes.js'
import { identity, provenance, times } from '../schema/kinds/common-fields.js'
import { boolean, integer, oneOf, parts, ref, string, text } from '../schema/kinds/fields.js'
import { defineRecord } from '../schema/language/define-record.js'
import type { Grant } from '../schema/language/who.js'
import { IMPACTS, timeZone } from './shared-values.js'
import { attachmentsOfTexts, translationOf } from './translation.js'

const MAINTAINERS: readonly Grant[] = ['service_desk_manager', 'service_level_manager', 'account_administrator']

/**
 * The note is a text for the requests that are created from the template, not a note of the template (spec, Request template;
 * behaviour: Request templates).
 */
export const requestTemplate = defineRecord('request_template', {
  path: 'request_templates',
  title: 'subject',
  reference: ['localized_subject'],
  fields: {
    ...identity,
    ...provenance,
    asset_selection: boolean({ default: false }),
    assign_to_self: boolean({ default: false }),
    category: oneOf(['incident', 'rfc', 'rfi', 'complaint', 'compliment', 'other']),
    change_manager: ref('person'),
    change_template: ref('change_template'),
    ci: ref('ci'),
    completion_reason: oneOf(['solved', 'workaround', 'gone', 'withdrawn', 'conflict', 'unsolvable']),
    desired_completion: integer({ unit: 'minutes', minimum: 0 }),
    disabled: boolean({ default: false }),
    impact: oneOf(IMPACTS),
    instructions: text(),
    localized_note: text({ derived: { from: 'note', as: 'translation' } }),
    localized_registration_hints: text({ derived: { from: 'registration_hints', as: 'translation' } }),
    localized_subject: string(255, { derived: { from: 'subject', as: 'translation' } }),
    member: ref('person'),
    note: text(),
    registration_hints: text(),
    self_service: boolean({ default: true }),
    service: ref('service'),
    service_hierarchy_browser: boolean({ default: true }),
    status: oneOf([
      'declined',
      'assigned',
      'accepted',
      'in_progress',
      'waiting_for',
      'waiting_for_customer',
      'change_pending',
      'completed',
    ]),
    subject: string(255, { required: true }),
    supplier: ref('organization'),
    support_hours: ref('calendar'),
    team: ref('team'),
    time_zone: timeZone(),
    times_applied: integer({ readOnly: true, default: 0 }),
    ui_extension: ref('ui_extension'),
    urgent: boolean({ default: false }),
    attachments: parts('attachment', { readOnly: true }),
    ...times,
  },
  collection: {
    fields: 'id sourceID subject category impact service created_at updated_at',
    sort: '-id',
    sortable: { also: 'times_applied' },
    filterable: { also: 'source disabled change_template' },
  },
  lists: { enabled: { disabled: false }, disabled: { disabled: true } },
  children: { requests: { record: 'request', by: 'template' } },
  parts: ['request_template_translation'],
  access: { create: MAINTAINERS, update: MAINTAINERS },
  rules: [
    requiredWhen('change_template', { field: 'status', values: ['change_pending'] }),
    needsChangeManager('change_manager', { template: 'change_template', service: 'service' }),
    mustHaveRole('change_manager', 'change_manager'),
    agreesWithOwners('service', { part: 'standard_service_request', by: 'request_template' }),
  ],
  import: {
    type: 'request_templates',
    order: 29,
    columns: [
      'Disabled',
      'Subject',
      'Registration Hints',
      'Instructions',
      'Note',
      'Category',
      'Impact',
      'Service',
      'Self Service',
      'Service Hierarchy Browser',
      { header: 'Configuration Item', field: 'ci' },
      'Asset Selection',
      'Change Template',
      'Team',
      'Member',
      'Assign to Self',
      'Supplier',
      'Change Manager',
      'Status',
      'Completion Reason',
      'UI Extension',
      'Desired Completion',
      { header: 'Mark as Urgent', field: 'urgent' },
      'Support Hours',
      'Time Zone',
      'Created At',
      'Updated At',
    ],
    ignored: ['Keywords', 'End Users', 'Specialists', 'Copy Subject to Requests'],
  },
})

/** Texts of a template for requesters, in other languages (behaviour: Translations). */
export const requestTemplateTranslation = translationOf('request_template', {
  fields: { subject: string(255), note: text(), registration_hints: text(), attachments: attachmentsOfTexts },
  maintainers: MAINTAINERS,
})
