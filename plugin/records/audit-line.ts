import { ORIGINS } from '../core/call.js'
import { identity } from '../schema/kinds/common-fields.js'
import { changes, datetime, mention, oneOf, owner, ref, string } from '../schema/kinds/fields.js'
import { defineRecord } from '../schema/language/define-record.js'

/**
 * Only the pipeline creates audit lines. Callers who may read them see each change of a field, the person who made it, where it
 * came from, and what made it if no caller has chosen it (behaviour: Audit).
 */
export const auditLine = defineRecord('audit_line', {
  path: 'audit_lines',
  pathBelow: 'audit',
  title: null,
  partOf: '*',
  operations: ['list', 'single'],
  nested: ['list', 'single'],
  fields: {
    ...identity,
    action: oneOf(['create', 'update', 'destroy'], { readOnly: true }),
    created_at: datetime({ readOnly: true }),
    created_by: ref('person', { readOnly: true, allowDisabled: true }),
    origin: oneOf(ORIGINS, { readOnly: true }),
    source: string(30, { readOnly: true }),
    cause: string(255, { readOnly: true }),
    caused_by: mention({ readOnly: true }),
    audited: string(64, { derived: { from: 'owner_type', as: 'value' } }),
    owner: owner(),
    changes: changes({ readOnly: true }),
  },
  collection: {
    fields: 'id action created_at created_by audited owner',
    sort: '-id',
    sortable: 'id',
    filterable: 'id created_at created_by audited origin source cause',
    below: { fields: 'id action created_at created_by origin source cause caused_by changes' },
  },
  access: { use: ['account_administrator', 'auditor', 'specialist'], create: [], update: [] },
  audit: false,
})
