import { fillWithCaller } from '../rules/general/fill.js'
import { fillWithLocale } from '../rules/general/translations.js'
import { identity, provenance, times } from '../schema/kinds/common-fields.js'
import { integer, oneOf, parts, ref, string, text } from '../schema/kinds/fields.js'
import {
  accountsWithMyRole,
  anyOf,
  me,
  myCoveredServices,
  myServicesWithKnowledge,
  not,
} from '../schema/language/conditions.js'
import { defineRecord } from '../schema/language/define-record.js'
import type { Grant } from '../schema/language/who.js'
import { STAFF } from './shared-values.js'
import { attachmentsOfTexts, translationOf } from './translation.js'

const WRITERS: readonly Grant[] = ['knowledge_manager', 'specialist', 'account_administrator']

/** Record type `knowledge_article` (spec, Knowledge article; behaviour: Knowledge articles). */
export const knowledgeArticle = defineRecord('knowledge_article', {
  path: 'knowledge_articles',
  title: 'subject',
  fields: {
    ...identity,
    ...provenance,
    description: text({ required: true }),
    instructions: text({ required: true }),
    locale: string(5, { format: 'locale' }),
    service: ref('service'),
    // The specified default is not one of the values (behaviour: Settled defaults).
    status: oneOf(['new', 'internal', 'public', 'archived'], { default: 'new' }),
    subject: string(255, { required: true }),
    times_applied: integer({ readOnly: true, default: 0 }),
    author: ref('person', { readOnly: true, hidden: true, allowDisabled: true }),
    attachments: parts('attachment', { readOnly: true }),
    ...times,
  },
  collection: {
    fields: 'id sourceID subject status service created_at updated_at',
    sort: '-id',
    sortable: { except: 'service' },
    filterable: { also: 'source' },
  },
  lists: {
    active: { status: not('archived') },
    archived: { status: 'archived' },
    inactive: { status: 'archived' },
    managed_by_me: { 'service.knowledge_manager': me },
  },
  children: { requests: { record: 'request', by: 'knowledge_article' } },
  parts: ['knowledge_article_translation'],
  access: {
    see: {
      roles: ['account_administrator', 'auditor', 'knowledge_manager'],
      otherwise: anyOf(
        { status: 'public', service: null },
        { status: 'public', service: myCoveredServices },
        { status: not('new'), account: accountsWithMyRole(...STAFF) },
        { 'service.knowledge_manager': me },
        { author: me },
      ),
    },
    // Agreements say if people of other accounts, too, use what the provider knows.
    fromTrusted: { status: 'public', service: myServicesWithKnowledge },
    create: WRITERS,
    update: WRITERS,
  },
  rules: [fillWithLocale('locale'), fillWithCaller('author')],
  events: ['create', 'update'],
  import: {
    type: 'knowledge_articles',
    order: 31,
    columns: ['Status', 'Service', 'Subject', 'Description', 'Instructions', 'Created At', 'Updated At'],
    ignored: [
      'Internal Specialists',
      'Covered Specialists',
      'Key Contacts',
      'End Users',
      'Service Instances',
      'Created By',
      'Keywords',
    ],
  },
})

/** Record type of the translations (behaviour: Knowledge articles). */
export const knowledgeArticleTranslation = translationOf('knowledge_article', {
  fields: { subject: string(255), description: text(), instructions: text(), attachments: attachmentsOfTexts },
  maintainers: WRITERS,
})
