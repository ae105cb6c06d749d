import { fillWithCaller } from '../rules/general/fill.js'
import { mustHaveRole } from '../rules/general/must-have-role.js'
import { stamp } from '../rules/general/stamp.js'
import { releaseOfChanges } from '../rules/workflow/release-of-changes.js'
import { identity, provenance, times } from '../schema/kinds/common-fields.js'
import { datetime, oneOf, parts, ref, string, text } from '../schema/kinds/fields.js'
import { me, not } from '../schema/language/conditions.js'
import { defineRecord } from '../schema/language/define-record.js'
import { CHANGE_COMPLETION_REASONS, CHANGE_IMPACTS, CHANGE_STATUSES, STAFF } from './shared-values.js'

/** Callers set its subject, manager and note; the system sets everything else (spec, Release; behaviour: Releases). */
export const release = defineRecord('release', {
  path: 'releases',
  title: 'subject',
  fields: {
    ...identity,
    ...provenance,
    completed_at: datetime({ readOnly: true, history: true }),
    completion_reason: oneOf(CHANGE_COMPLETION_REASONS, { readOnly: true, history: true }),
    completion_target_at: datetime({ readOnly: true }),
    impact: oneOf(CHANGE_IMPACTS, { readOnly: true, default: 'none', history: true }),
    manager: ref('person', { required: true }),
    note: text({ writeOnly: true, note: 'public' }),
    status: oneOf(CHANGE_STATUSES, { readOnly: true, default: 'registered', history: true }),
    subject: string(255, { required: true }),
    attachments: parts('attachment', { readOnly: true }),
    ...times,
  },
  collection: {
    fields: 'id sourceID subject impact status completion_target_at completed_at created_at updated_at',
    sort: '-id',
    countable: 'impact status completion_target_at completed_at created_at updated_at',
    filterable: { also: 'source' },
  },
  lists: {
    open: { status: not('completed') },
    completed: { status: 'completed' },
    managed_by_me: { manager: me },
  },
  children: { changes: { record: 'change', by: 'release', link: true } },
  parts: ['note'],
  access: {
    see: { roles: STAFF, otherwise: { manager: me } },
    create: ['release_manager', 'account_administrator'],
    update: ['release_manager', 'account_administrator', { person: 'manager' }],
  },
  settle: [releaseOfChanges],
  import: {
    type: 'releases',
    order: 40,
    columns: [
      'Subject',
      'Manager',
      'Impact',
      'Completion Target At',
      'Status',
      'Completion Reason',
      'Completed At',
      'Created At',
      'Updated At',
      { header: 'Notes', field: 'note' },
      'Changes',
    ],
  },
  rules: [
    mustHaveRole('manager', 'release_manager'),
    // After the check: callers who create a release may omit the manager (behaviour: Required fields).
    fillWithCaller('manager'),
    stamp('completed_at', { field: 'status', values: ['completed'] }),
  ],
  events: ['create', 'update', 'note-added', 'manager-changed'],
})
