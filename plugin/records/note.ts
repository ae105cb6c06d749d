import { fillWithCaller } from '../rules/general/fill.js'
import { keepsDigest } from '../rules/general/keeps-digest.js'
import { answers } from '../rules/requests/answered.js'
import { notesPassedOn } from '../rules/requests/grouping.js'
import { notesCopiedTo } from '../rules/requests/note-copies.js'
import { afterNoteOfTemplate } from '../rules/requests/template.js'
import { identity } from '../schema/kinds/common-fields.js'
import { boolean, datetime, oneOf, owner, parts, ref, string, text } from '../schema/kinds/fields.js'
import { defineRecord } from '../schema/language/define-record.js'
import { AGENTS, ANSWERED, NOTE_READERS } from './shared-values.js'

/** Notes are added, never edited; callers who see a record may add a public one (behaviour: Notes). */
export const note = defineRecord('note', {
  path: 'notes',
  title: null,
  // Every type with notes among its parts has them; hosts add notes to their types in that way.
  partOf: [],
  operations: ['list', 'single'],
  nested: ['list', 'single', 'create'],
  fields: {
    ...identity,
    person: ref('person', { readOnly: true, allowDisabled: true, history: true }),
    text: text({ required: true }),
    // A misspelt value would make the note public.
    internal: boolean({ default: false, write: NOTE_READERS, namesAccount: true, onlyWords: true }),
    medium: oneOf(['default', 'email', 'system', 'redacted', 'automation'], { readOnly: true, default: 'default' }),
    owner: owner(),
    // Finds notes with the same text.
    digest: string(64, { readOnly: true, hidden: true }),
    attachments: parts('attachment', { readOnly: true, inputAs: 'note_attachments' }),
    created_at: datetime({ readOnly: true, history: true }),
  },
  collection: {
    sort: '-id',
    sortable: 'id person created_at',
    filterable: 'id person created_at medium',
    below: { sort: 'id' },
  },
  lists: { public: { internal: false }, internal: { internal: true } },
  access: { see: { roles: NOTE_READERS, otherwise: { internal: false } }, create: ['anyone'], update: [] },
  rules: [
    fillWithCaller('person'),
    afterNoteOfTemplate('request'),
    keepsDigest('digest', { of: 'text' }),
    answers('request', ANSWERED),
    notesCopiedTo('task', { template: 'template', from: 'task_template', copy: 'copy_notes_to_change', to: 'change' }),
    notesCopiedTo('project_task', {
      template: 'template',
      from: 'project_task_template',
      copy: 'copy_notes_to_project',
      to: 'project',
    }),
    notesPassedOn('request', { by: 'grouped_into', grouping: 'grouping', except: ANSWERED.by, unless: AGENTS }),
  ],
  audit: false,
})
