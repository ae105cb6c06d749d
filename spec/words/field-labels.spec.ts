import { expect } from 'chai'
import { records } from '../../plugin/records/records.js'
import type { RecordType } from '../../plugin/schema/catalog.js'
import { compile } from '../../plugin/schema/compile/compile.js'
import { inputNameOf, isWritable } from '../../plugin/schema/derive/input-names.js'
import { de } from '../../plugin/words/de.js'
import { en, type Words } from '../../plugin/words/en.js'
import { fr } from '../../plugin/words/fr.js'
import { humanize } from '../../plugin/words/labels.js'
import { nl } from '../../plugin/words/nl.js'
import { SHARED_LISTS } from '../../plugin/words/shared-lists.js'
import { createWords } from '../../plugin/words/words.js'
import { vehicle } from '../support/vehicle.js'

/** Names in refusals of endpoints that are no records: uploads, imports, permissions. */
const OF_ENDPOINTS = ['file', 'from', 'key', 'type', 'roles']

/** Words that are the same as in English. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  nl: [
    ...[
      'account',
      'chat',
      'contract',
      'coordinator',
      'deadline',
      'event',
      'filter',
      'headers',
      'impact',
      'interval',
      'label',
      'manager',
      'medium',
    ],
    'model',
    ...['portfolio', 'releases'],
    ...['performance', 'product', 'project', 'record', 'release', 'service', 'services', 'software', 'status', 'supportID'],
    ...['team', 'teams', 'template', 'tokens', 'type', 'urgent', 'website', 'workaround', 'protocol', 'date', 'support_team'],
  ],
  de: [
    ...[
      'chat',
      'filter',
      'integration',
      'interval',
      'manager',
      'medium',
      'name',
      'performance',
      'person',
      'phase',
      'position',
      'problem',
      'region',
      'release',
    ],
    ...['portfolio', 'releases'],
    ...['service', 'services', 'software', 'status', 'team', 'teams', 'text', 'website', 'supportID'],
  ],
  fr: [
    ...['action', 'chat', 'description', 'date', 'impact', 'information', 'justification', 'message', 'note', 'notes', 'phase'],
    ...['organization', 'organizations', 'performance', 'phases', 'position', 'program', 'satisfaction', 'service', 'services'],
    ...['site', 'sites', 'source', 'type', 'versions', 'version', 'url', 'urgent', 'audit', 'correction', 'cause'],
  ],
}
/** Abbreviations and names, the same in all languages. */
const EVERYWHERE = [
  ...['ci', 'css', 'flsa', 'flsas', 'html', 'ical', 'id', 'javascript', 'sla', 'slas', 'vip', 'roi', 'uri', 'url', 'cis'],
  ...['webhook', 'webhooks'],
]

describe('labels of fields in every language', () => {
  const catalog = compile(records, [], SHARED_LISTS)
  const types = [...catalog.types.values()]
  const words = createWords()
  const tables: readonly (readonly [string, Words])[] = [
    ['nl', nl],
    ['de', de],
    ['fr', fr],
  ]

  /** Fields, links and sub-records: what violations may be about. */
  const namesOf = (type: RecordType) => [
    ...[...type.fields.values()].flatMap(({ name, inputAs }) => [
      name,
      ...(inputAs?.endsWith('_attachments') ? [] : [inputAs ?? name]),
    ]),
    ...type.links.keys(),
    ...type.parts.keys(),
  ]
  /** What callers name references, links and files of texts in bodies. */
  const inputsOf = (type: RecordType) => [
    ...[...type.fields.values()].flatMap(({ kind, name }) => {
      if (kind === 'ref') return [`${name}_id`]
      if (kind === 'text') return [`${name}_attachments`]
      return kind === 'parts' ? [`${name}_attributes`, `${name}_attributes.id`] : []
    }),
    ...[...type.links.keys()].map((link) => inputNameOf(type, link)),
  ]

  it('are in the English table, so that each language must have them', () => {
    const missing = types.flatMap((type) => namesOf(type).filter((name) => !Object.hasOwn(en.fields, name)))
    expect([...new Set([...missing, ...OF_ENDPOINTS.filter((name) => !Object.hasOwn(en.fields, name))])]).to.deep.equal([])
  })

  it('are there for the types of records that logs of imports name', () => {
    const imported = types.filter((type) => type.import || type.partImports.length > 0).map(({ name }) => name)
    expect(imported.filter((name) => !Object.hasOwn(en.fields, name) && !EVERYWHERE.includes(name))).to.deep.equal([])
  })

  for (const [language, table] of tables) {
    describe(`in ${language}`, () => {
      it('name every field, link and sub-record', () => {
        const missing = types.flatMap((type) =>
          namesOf(type)
            .filter((name) => !Object.hasOwn(table.fields, name))
            .map((name) => `${type.name}.${name}`),
        )
        expect(missing).to.deep.equal([])
      })

      it('are not English, but for words that are the same', () => {
        const same = Object.entries(table.fields).filter(([name, label]) => label === humanize(name))
        const allowed = [...EVERYWHERE, ...(SAME[language] ?? [])]
        expect(same.map(([name]) => name).filter((name) => !allowed.includes(name))).to.deep.equal([])
      })

      it('name the inputs that are called after them', () => {
        const english = types.flatMap((type) =>
          inputsOf(type)
            .filter(
              (name) =>
                /_|^[a-z]/.test(words.fieldLabel(language, type.name, name)) ||
                words.fieldLabel(language, type.name, name) === humanize(name),
            )
            .map((name) => `${type.name}.${name}`),
        )
        expect(english).to.deep.equal([])
      })

      it('tell the inputs of a type apart', () => {
        const alike = types.flatMap((type) => {
          const seen = new Map<string, string>()
          return [...type.fields.values()].filter(isWritable).flatMap(({ name }) => {
            const label = words.fieldLabel(language, type.name, name)
            const other = seen.get(label)
            seen.set(label, name)
            return other === undefined ? [] : [`${type.name}: ${other} and ${name} are both ${label}`]
          })
        })
        expect(alike).to.deep.equal([])
      })
    })
  }

  it('start with a capital and have no blanks at the ends', () => {
    for (const [language, table] of [['en', en] as const, ...tables]) {
      for (const [name, label] of Object.entries(table.fields)) {
        if (label !== 'iCalendar') expect(label, `${language} ${name}`).to.match(/^[\p{Lu}\d](.*\S)?$/u)
      }
    }
  })

  it('of files and sub-records are made of two labels', () => {
    expect(words.fieldLabel('de', 'note', 'note_attachments')).to.equal('Notiz: Anhänge')
    expect(words.fieldLabel('fr', 'person', 'contacts_attributes.label')).to.equal('Coordonnées\u00a0: Libellé')
    expect(words.fieldLabel('nl', 'person', 'contacts_attributes.colour')).to.equal('Contactgegevens: colour')
    expect(words.fieldLabel('de', 'person', 'manager_id')).to.equal('Manager')
    expect(words.fieldLabel('nl', 'sla', 'person_ids')).to.equal('Persoon')
    expect(words.fieldLabel('nl', 'team', 'member_ids')).to.equal('Leden')
    expect(words.fieldLabel('en-US', 'note', 'note_attachments')).to.equal('Note attachments')
    expect(words.fieldLabel('ja', 'note', 'note_attachments')).to.equal('Note attachments')
  })

  it('of fields of the host are made by rule in every language, unless the host names them', () => {
    const [field] = Object.keys(vehicle.fields).filter((name) => !Object.hasOwn(en.fields, name))
    expect(field).to.be.a('string')
    expect(words.fieldLabel('de', vehicle.name, String(field))).to.equal(humanize(String(field)))
    const more = createWords({
      es: { fields: { note: 'Nota', attachments: 'Archivos' } },
      de: { fields: { log: 'Fahrtenbuch' } },
    })
    expect(more.fieldLabel('es', 'request', 'note_attachments')).to.equal('Nota: Archivos')
    expect(more.fieldLabel('es', 'request', 'remarks_attachments')).to.equal('Remarks attachments')
    expect(more.fieldLabel('de', 'vehicle', 'log_attachments')).to.equal('Fahrtenbuch: Anhänge')
    expect(more.fieldLabel('de', 'vehicle', 'log_id')).to.equal('Fahrtenbuch')
  })
})
