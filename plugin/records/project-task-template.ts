import { identity, provenance, times } from '../schema/kinds/common-fields.js'
import { boolean, integer, oneOf, parts, ref, string, text } from '../schema/kinds/fields.js'
import { defineRecord } from '../schema/language/define-record.js'
import type { Grant } from '../schema/language/who.js'
import { PLANNED_HOURS } from './shared-values.js'

const MAINTAINERS: readonly Grant[] = ['project_manager', 'account_administrator']

/** Record type `project_task_template` (spec, Project task template; behaviour: Project task templates). */
export const projectTaskTemplate = defineRecord('project_task_template', {
  path: 'project_task_templates',
  title: 'subject',
  fields: {
    ...identity,
    ...provenance,
    assign_to_project_manager: boolean({ default: false }),
    assign_to_requester: boolean({ default: false }),
    assign_to_requester_business_unit_manager: boolean({ default: false }),
    assign_to_requester_manager: boolean({ default: false }),
    assign_to_service_owner: boolean({ default: false }),
    attachments: parts('attachment', { readOnly: true }),
    category: oneOf(['activity', 'approval', 'milestone'], { required: true }),
    copy_notes_to_project: boolean({ default: false }),
    disabled: boolean({ default: false }),
    instructions: text(),
    note: text(),
    planned_duration: integer({ required: true, ...PLANNED_HOURS }),
    planned_effort_project_manager: integer(PLANNED_HOURS),
    planned_effort_requester: integer(PLANNED_HOURS),
    planned_effort_requester_business_unit_manager: integer(PLANNED_HOURS),
    planned_effort_requester_manager: integer(PLANNED_HOURS),
    planned_effort_service_owner: integer(PLANNED_HOURS),
    required_approvals: integer({ default: 1, minimum: 1 }),
    subject: string(190, { required: true }),
    supplier: ref('organization'),
    times_applied: integer({ readOnly: true, default: 0 }),
    ui_extension: ref('ui_extension'),
    ...times,
  },
  collection: {
    // without impact (behaviour: Settled defaults)
    fields: 'id sourceID subject category created_at updated_at',
    sort: '-id',
    sortable: { also: 'times_applied' },
    filterable: { also: 'source disabled' },
  },
  lists: { enabled: { disabled: false }, disabled: { disabled: true } },
  links: {
    project_templates: {
      record: 'project_template',
      table: 'project_template_task_templates',
      from: 'task_template_id',
      to: 'project_template_id',
      write: 'none',
    },
  },
  // A list of fields, so that these records are shown here, but not created.
  children: { project_tasks: { record: 'project_task', by: ['template'] } },
  parts: ['project_task_template_assignment'],
  access: { create: MAINTAINERS, update: MAINTAINERS },
  partImports: [
    {
      type: 'project_task_template_assignments',
      order: 35,
      owner: { header: 'Project Task Template', field: 'subject' },
      parts: {
        assignments: {
          columns: [
            { header: 'Assignee', field: 'assignee' },
            { header: 'Planned Effort', field: 'planned_effort' },
          ],
          key: ['assignee'],
        },
      },
    },
  ],
  import: {
    type: 'project_task_templates',
    namedBy: 'subject',
    order: 34,
    columns: [
      'Disabled',
      'Subject',
      'Instructions',
      'Note',
      'Copy notes to project',
      'Category',
      'Required Approvals',
      'Assign to Project Manager',
      'Planned Effort Project Manager',
      'Assign to Service Owner',
      'Planned Effort Service Owner',
      'Assign to Requester',
      'Planned Effort Requester',
      'Assign to Requester Manager',
      'Planned Effort Requester Manager',
      'Assign to Requester Business Unit Manager',
      'Planned Effort Requester Business Unit Manager',
      'Supplier',
      'Planned Duration',
      'Created At',
      'Updated At',
    ],
    ignored: ['Team', 'Planned Effort'],
  },
})

/** Assignees of the tasks that are created from the template (behaviour: Project task templates). */
export const projectTaskTemplateAssignment = defineRecord('project_task_template_assignment', {
  path: 'assignments',
  table: 'project_task_template_assignments',
  title: null,
  partOf: ['project_task_template'],
  fields: {
    ...identity,
    assignee: ref('person', { required: true }),
    planned_effort: integer(PLANNED_HOURS),
  },
  collection: {
    sort: 'id',
    sortable: 'id assignee',
    filterable: 'id assignee',
  },
  access: { create: MAINTAINERS, update: MAINTAINERS, remove: MAINTAINERS },
  audit: false,
})

/** Record type `project_template` (behaviour: Project task templates). */
export const projectTemplate = defineRecord('project_template', {
  path: 'project_templates',
  title: 'subject',
  fields: {
    ...identity,
    ...provenance,
    disabled: boolean({ default: false }),
    subject: string(190, { required: true }),
    times_applied: integer({ readOnly: true, default: 0 }),
    ...times,
  },
  import: {
    type: 'project_templates',
    namedBy: 'subject',
    order: 36,
    columns: ['Disabled', 'Subject', 'Task Templates'],
  },
  collection: {
    fields: 'id sourceID subject created_at updated_at',
    sort: '-id',
    sortable: { also: 'times_applied' },
    filterable: { also: 'source disabled' },
  },
  lists: { enabled: { disabled: false }, disabled: { disabled: true } },
  links: {
    task_templates: {
      record: 'project_task_template',
      table: 'project_template_task_templates',
      from: 'project_template_id',
      to: 'task_template_id',
    },
  },
  access: { create: MAINTAINERS, update: MAINTAINERS },
})
