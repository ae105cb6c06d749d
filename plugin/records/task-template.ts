import { STAGES } from '../rules/workflow/progress.js'
import { identity, provenance, times } from '../schema/kinds/common-fields.js'
import { boolean, integer, oneOf, parts, ref, string, text } from '../schema/kinds/fields.js'
import { defineRecord } from '../schema/language/define-record.js'
import type { Grant } from '../schema/language/who.js'
import { CHANGE_IMPACTS, PLANNED_HOURS } from './shared-values.js'

const MAINTAINERS: readonly Grant[] = ['change_manager', 'account_administrator']

/** Record type `task_template` (spec, Task template; behaviour: Task templates). */
export const taskTemplate = defineRecord('task_template', {
  path: 'task_templates',
  title: 'subject',
  fields: {
    ...identity,
    ...provenance,
    assign_to_change_manager: boolean({ default: false }),
    assign_to_requester: boolean({ default: false }),
    assign_to_requester_business_unit_manager: boolean({ default: false }),
    assign_to_requester_manager: boolean({ default: false }),
    assign_to_service_owner: boolean({ default: false }),
    category: oneOf(STAGES, { required: true }),
    copy_notes_to_change: boolean({ default: false }),
    disabled: boolean({ default: false }),
    impact: oneOf(CHANGE_IMPACTS),
    instructions: text(),
    note: text(),
    member: ref('person'),
    planned_duration: integer({ required: true, ...PLANNED_HOURS }),
    required_approvals: integer({ default: 1, minimum: 1 }),
    subject: string(190, { required: true }),
    supplier: ref('organization'),
    team: ref('team'),
    times_applied: integer({ readOnly: true, default: 0 }),
    ui_extension: ref('ui_extension'),
    urgent: boolean({ default: false }),
    attachments: parts('attachment', { readOnly: true }),
    ...times,
  },
  collection: {
    fields: 'id sourceID subject impact category created_at updated_at',
    sort: '-id',
    sortable: { also: 'times_applied' },
    filterable: { also: 'source disabled' },
  },
  lists: { enabled: { disabled: false }, disabled: { disabled: true } },
  links: {
    cis: { record: 'ci', table: 'task_template_cis', from: 'task_template_id', to: 'ci_id' },
    service_instances: {
      record: 'service_instance',
      table: 'task_template_service_instances',
      from: 'task_template_id',
      to: 'service_instance_id',
    },
    change_templates: {
      record: 'change_template',
      table: 'change_template_task_templates',
      from: 'task_template_id',
      to: 'change_template_id',
      write: 'none',
    },
  },
  // A list of fields, so that these records are shown here, but not created.
  children: { tasks: { record: 'task', by: ['template'] } },
  parts: ['task_template_approval'],
  access: { create: MAINTAINERS, update: MAINTAINERS },
  partImports: [
    {
      type: 'task_template_approvals',
      order: 27,
      owner: { header: 'Task Template', field: 'id' },
      parts: {
        approvals: {
          columns: [
            { header: 'Approver', field: 'approver' },
            { header: 'Planned Effort', field: 'planned_effort' },
          ],
          key: ['approver'],
        },
      },
    },
  ],
  import: {
    type: 'task_templates',
    order: 26,
    columns: [
      'Disabled',
      'Subject',
      'Instructions',
      'Note',
      'Copy notes to change',
      'Category',
      'Impact',
      'Team',
      'Member',
      'Required Approvals',
      'Assign to Change Manager',
      'Assign to Service Owner',
      'Assign to Requester',
      'Assign to Requester Manager',
      'Assign to Requester Business Unit Manager',
      'Supplier',
      'Planned Duration',
      { header: 'Mark as Urgent', field: 'urgent' },
      'Service Instances',
      { header: 'Configuration Items', field: 'cis' },
      'UI Extension',
      'Created At',
      'Updated At',
    ],
    ignored: [
      'Planned Effort Change Manager',
      'Planned Effort Service Owner',
      'Planned Effort Requester',
      'Planned Effort Requester Manager',
      'Planned Effort Requester Business Unit Manager',
      'Planned Effort',
    ],
  },
})

/** Approvers of the tasks that are created from the template (behaviour: Task templates). */
export const taskTemplateApproval = defineRecord('task_template_approval', {
  path: 'approvals',
  table: 'task_template_approvals',
  title: null,
  partOf: ['task_template'],
  fields: {
    ...identity,
    approver: ref('person', { required: true }),
    planned_effort: integer(PLANNED_HOURS),
  },
  collection: {
    sort: 'id',
    sortable: 'id approver',
    filterable: 'id approver',
  },
  access: { create: MAINTAINERS, update: MAINTAINERS, remove: MAINTAINERS },
  audit: false,
})
