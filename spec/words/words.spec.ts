import { expect } from 'chai'
import { ROLES } from '../../plugin/core/call.js'
import { british } from '../../plugin/words/british.js'
import { de } from '../../plugin/words/de.js'
import { en, type Words } from '../../plugin/words/en.js'
import { fr } from '../../plugin/words/fr.js'
import { humanize } from '../../plugin/words/labels.js'
import { nl } from '../../plugin/words/nl.js'
import { SAME_VALUES } from '../../plugin/words/values/en.js'
import { createWords } from '../../plugin/words/words.js'

const others: [string, Words][] = [
  ['nl', nl],
  ['de', de],
  ['fr', fr],
]

/** Every text of a table by its path: `sentences blank`, `values request.status assigned`. */
function textsOf(table: object, path: readonly string[] = []): Map<string, string> {
  const texts = new Map<string, string>()
  for (const [key, value] of Object.entries(table)) {
    if (typeof value === 'string') texts.set([...path, key].join(' '), value)
    else if (Array.isArray(value)) texts.set([...path, key].join(' '), value.join('\n'))
    else for (const [at, text] of textsOf(value, [...path, key])) texts.set(at, text)
  }
  return texts
}

function placeholders(text: string): string[] {
  return [...new Set(text.match(/\{\w+\}/g))].sort()
}

describe('words', () => {
  const words = createWords()

  for (const [language, table] of others) {
    describe(`in ${language}`, () => {
      it('have the keys of English', () => {
        expect([...textsOf(table).keys()].sort()).to.eql([...textsOf(en).keys()].sort())
      })

      it('have the placeholders of English in sentences and mails', () => {
        const texts = textsOf(table)
        for (const [at, text] of textsOf(en)) expect(placeholders(texts.get(at) ?? ''), at).to.eql(placeholders(text))
      })

      it('say something everywhere, without blanks at the ends', () => {
        for (const [at, text] of textsOf(table)) expect(text, at).to.match(/^\S(.*\S)?$/s)
      })

      it('translate the sentences', () => {
        for (const [at, text] of textsOf({ sentences: table.sentences })) expect(text, at).not.to.equal(textsOf(en).get(at))
      })

      it('tell the values of an enumeration apart', () => {
        for (const [enumeration, values] of Object.entries(table.values)) {
          expect(new Set(Object.values(values)), enumeration).to.have.property('size', Object.values(values).length)
        }
      })
    })
  }

  describe('sentences', () => {
    it('are those of the specification to the letter', () => {
      const say = (code: string, field: string, params = {}) =>
        words.sentence('en-US', code, words.fieldLabel('en-US', 'request', field), params)

      expect(say('blank', 'subject')).to.equal("Subject can't be blank")
      expect(say('too_long', 'name', { max: 255 })).to.equal('Name is too long (maximum is 255 characters)')
      expect(say('inclusion', 'event')).to.equal('Event is not included in the list')
      expect(say('taken', 'sourceID')).to.equal('Source ID has already been taken')
      expect(say('taken', 'primary_email')).to.equal('Primary email has already been taken')
      expect(say('cannot_be_found', 'team')).to.equal('Team cannot be found')
      expect(say('invalid', 'uri')).to.equal('Uri is invalid')
      expect(say('file_too_big', 'file', { max: 20 })).to.equal('File is too big (maximum is 20 MB)')
      expect(say('not_a_member', 'member')).to.equal('Member is not a member of the team')
      expect(say('descendant_parent', 'parent')).to.equal('Parent cannot be a descendant')
      expect(say('overlaps', 'time_from')).to.equal('Time from overlaps with other hours')
      expect(say('end_before_start', 'end_at')).to.equal('End must be after start')
      expect(say('cannot_be_changed', 'status')).to.equal('Status cannot be changed')
      expect(say('other_change', 'successors')).to.equal('Successors must be linked to the same change')
      expect(say('role_missing', 'manager', { role: 'Release Manager' })).to.equal(
        'Manager does not have the Release Manager role',
      )
      expect(say('duplicate_column', 'file', { column: 'Name' })).to.equal('Duplicate column header: Name')
      expect(say('could_not_be_found', 'site', { value: 'Houston' })).to.equal('Site "Houston" could not be found')
    })

    it('say that a period is locked, not a date', () => {
      const say = (language: string) => words.sentence(language, 'locked', words.fieldLabel(language, 'time_entry', 'date'))
      expect(['en-US', 'nl', 'de', 'fr'].map(say)).to.eql([
        'Date lies in a period that is locked',
        'Datum ligt in een vergrendelde periode',
        'Datum liegt in einem gesperrten Zeitraum',
        'Date se situe dans une période verrouillée',
      ])
    })

    it('come in the language of the caller, with the label of the field', () => {
      const say = (language: string) => words.sentence(language, 'blank', words.fieldLabel(language, 'request', 'subject'))
      expect(['nl', 'de', 'fr', 'fr-CA', 'ja'].map(say)).to.eql([
        'Onderwerp moet ingevuld zijn',
        'Betreff muss ausgefüllt werden',
        'Objet ne peut pas être vide',
        'Objet ne peut pas être vide',
        "Subject can't be blank",
      ])
    })

    it('may be ready when a rule of the host gives them instead of a code', () => {
      expect(words.sentence('nl', 'Kostenplaats is gesloten', 'Kostenplaats')).to.equal('Kostenplaats is gesloten')
      expect(words.sentence('nl', '{label} is closed since {year}', 'Cost centre', { year: 2020 })).to.equal(
        'Cost centre is closed since 2020',
      )
      expect(words.sentence('nl', 'constructor', 'X')).to.equal('constructor')
    })

    it('take values as they are and keep names that have no value', () => {
      expect(words.sentence('en-US', 'could_not_be_found', 'Site', { value: '{label} $& $1' })).to.equal(
        'Site "{label} $& $1" could not be found',
      )
      expect(words.sentence('en-US', 'too_long', 'Name')).to.equal('Name is too long (maximum is {max} characters)')
    })
  })

  describe('labels of fields', () => {
    it('are made by rule in English, with few exceptions', () => {
      const others = Object.entries(en.fields).filter(([field, label]) => label !== humanize(field))
      expect(Object.fromEntries(others)).to.deep.equal({
        base: 'Record',
        customer_rep: 'Customer representative',
        oauth_clients: 'OAuth clients',
        picture_uri: 'Picture',
        po_nr: 'PO number',
        serial_nr: 'Serial number',
      })
      expect(words.fieldLabel('en-US', 'request', 'base')).to.equal('Record')
      expect(words.fieldLabel('en-US', 'vehicle', 'number_plate')).to.equal('Number plate')
    })

    it('are English where there is no translation', () => {
      expect(words.fieldLabel('de', 'vehicle', 'number_plate')).to.equal('Number plate')
      expect(words.fieldLabel('de', 'vehicle', 'toString')).to.equal('ToString')
    })
  })

  describe('labels of values', () => {
    it('are those of the specification', () => {
      const say = (enumeration: string, value: string) => words.valueLabel('en-US', enumeration, value)
      expect(say('request.category', 'rfc')).to.equal('RFC - Request for Change')
      expect(say('request.status', 'waiting_for')).to.equal('Waiting for…')
      expect(say('request.status', 'waiting_for_customer')).to.equal('Waiting for Customer')
      expect(say('request.status', 'in_progress')).to.equal('In Progress')
      expect(say('request.impact', 'top')).to.equal('Top - Service Down for Several Users')
      expect(say('request.completion_reason', 'conflict')).to.equal('Conflict - In Conflict with Internal Standard or Policy')
      expect(say('change.status', 'risk_and_impact')).to.equal('Risk & Impact')
      expect(say('ci.license_type', 'cpu_license')).to.equal('CPU License')
      expect(say('sla.coverage', 'cis_of_service_instance')).to.equal('CIs of Service Instance')
      expect(say('affected_sla.accountability', 'sla_not_affected')).to.equal('SLA Not Affected')
      expect(say('time_allocation.service_category', 'selected')).to.equal('One of the Following')
      expect(say('webhook.event', 'request.status-changed')).to.equal('request.status-changed')
    })

    it('are translated', () => {
      const say = (language: string) => words.valueLabel(language, 'request.status', 'assigned')
      expect(['en-GB', 'nl', 'de', 'fr', 'fr-CA', 'ko'].map(say)).to.eql([
        'Assigned',
        'Toegewezen',
        'Zugewiesen',
        'Affecté',
        'Affecté',
        'Assigned',
      ])
    })

    it('are shared by enumerations with the same values', () => {
      expect(words.valueLabel('nl', 'service.impact', 'low')).to.equal(words.valueLabel('nl', 'request.impact', 'low'))
      expect(words.valueLabel('de', 'sla.status', 'expired')).to.equal('Abgelaufen')
      const known = [...Object.keys(en.values), 'countries']
      expect(Object.values(SAME_VALUES).filter((same) => !known.includes(same))).to.eql([])
    })

    it('name every role', () => {
      expect(Object.keys(en.values['permission.role'])).to.have.members(ROLES)
      expect(words.valueLabel('de', 'permission.role', 'key_contact')).to.equal('Hauptansprechpartner')
    })

    it('name languages by themselves, countries in the language of the caller, time zones with their offset', () => {
      expect(words.valueLabel('fr', 'language', 'nl')).to.equal('Nederlands')
      expect(words.valueLabel('fr', 'countries', 'NL')).to.equal('Pays-Bas')
      expect(words.valueLabel('fr', 'site.country', 'NL')).to.equal('Pays-Bas')
      expect(words.valueLabel('no language at all', 'countries', 'NL')).to.equal('Netherlands')
      expect(words.valueLabel('fr', 'time_zone', 'UTC')).to.equal('(GMT+00:00) UTC')
    })

    it('are made of the value where nobody gave one', () => {
      expect(words.valueLabel('nl', 'vehicle.fuel', 'natural_gas')).to.equal('Natural Gas')
      expect(words.valueLabel('nl', 'request.status', 'on_backlog')).to.equal('On Backlog')
      expect(words.valueLabel('nl', 'constructor', 'name')).to.equal('Name')
    })
  })

  describe('mails', () => {
    const counters = { created: 3, updated: 2, deleted: 0, unchanged: 40, failures: 1, errors: 0 }
    const params = {
      type: 'people',
      file_name: 'people.csv',
      account: 'acme',
      started_at: '2026-11-21 09:30',
      finished_at: '2026-11-21 09:31',
      log: 'https://desk.example/log',
      ...counters,
    }

    it('report an import', () => {
      const { subject, text } = words.mail('en-US', 'import_completed', params)
      expect(subject).to.equal('Import of people completed')
      for (const value of Object.values(params)) expect(text).to.include(String(value))
      expect(text).to.include('Unchanged: 40\n')
    })

    it('report an import that stopped', () => {
      const { subject, text } = words.mail('en-US', 'import_failed', { ...params, message: 'Too many import failures' })
      expect(subject).to.equal('Import of people failed')
      expect(text).to.include('Too many import failures')
    })

    it('report failing and disabled webhooks in the language of the reader', () => {
      const of = { account: 'acme', id: 12 }
      const webhook = { webhook: 'Pager', uri: 'https://pager.example/', event: 'request.create', error: 'status 500', ...of }
      const exception = words.mail('de', 'webhook_exception', { ...webhook, object_id: 219, attempt: 4 })
      expect(exception.subject).to.equal('Webhook Pager konnte nicht zugestellt werden')
      expect(exception.text).to.include('Versuch: 4').and.include('Datensatz: 219').and.include('status 500')
      expect(words.mail('fr', 'webhook_disabled', webhook).subject).to.equal('Le webhook Pager a été désactivé')
    })

    it('keep the subject on one line, whatever a webhook is called', () => {
      const webhook = { webhook: 'Pager\r\nBcc: x@example.com', uri: '', event: '', error: '', account: '', id: '' }
      expect(words.mail('en-US', 'webhook_disabled', webhook).subject).to.equal(
        'Webhook Pager Bcc: x@example.com has been disabled',
      )
    })

    it('leave no placeholder behind', () => {
      for (const language of words.languages) {
        const { subject, text } = words.mail(language, 'import_completed', params)
        expect(placeholders(subject + text)).to.eql([])
      }
    })
  })

  describe('in British English', () => {
    it('are spelt as there, wherever that differs', () => {
      expect(words.fieldLabel('en-GB', 'person', 'organization')).to.equal('Organisation')
      expect(words.fieldLabel('en-GB', 'ci', 'license_expiry_date')).to.equal('Licence expiry date')
      expect(words.valueLabel('en-GB', 'task.status', 'canceled')).to.equal('Cancelled')
      expect(words.valueLabel('en-GB', 'assignment.status', 'canceled')).to.equal('Cancelled')
      expect(words.valueLabel('en-GB', 'problem.status', 'analyzed')).to.equal('Analysed')
      expect(words.sentence('en-GB', 'not_of_organization', 'Customer')).to.match(/^Customer is .*'s organisation$/)
      expect(words.sentence('en-GB', 'blank', 'Subject')).to.equal("Subject can't be blank")
      for (const [at, text] of textsOf(en)) expect(british(text), at).not.to.match(/organiz|analyz|canceled|license/i)
    })

    it('come after what a host says in English', () => {
      const more = createWords({ en: { fields: { organization: 'Company' } } })
      expect(more.fieldLabel('en-GB', 'person', 'organization')).to.equal('Company')
      expect(more.languages).to.eql(['en', 'nl', 'de', 'fr'])
    })

    it('leave American English alone', () => {
      expect(words.fieldLabel('en-US', 'person', 'organization')).to.equal('Organization')
      expect(words.valueLabel('ja', 'task.status', 'canceled')).to.equal('Canceled')
    })
  })

  it('have messages for statuses, in English only', () => {
    const statuses = [401, 403, 404, 406, 422, 429, 500, 502, 503, 504, 418, 999]
    expect(statuses.map(words.message)).to.eql([
      'access credentials required',
      'Forbidden',
      'Not Found',
      'Not Acceptable',
      'Validation Failed',
      'Too Many Requests',
      'Internal Server Error',
      'Bad Gateway',
      'Service Unavailable',
      'Gateway timeout',
      "I'm a Teapot",
      'Status 999',
    ])
  })

  describe('of the host', () => {
    const more = createWords({
      nl: {
        sentences: { closed: '{label} is gesloten', blank: '{label} ontbreekt' },
        fields: { cost_centre: 'Kostenplaats', 'vehicle.name': 'Kenteken' },
        values: { 'vehicle.fuel': { petrol: 'Benzine' }, 'request.impact': { low: 'Laag' } },
      },
      es: {
        values: { 'request.status': { assigned: 'Asignada' } },
        mails: { webhook_disabled: { subject: 'Webhook {webhook} desactivado', lines: ['{error}'] } },
      },
    })

    it('are added to ours', () => {
      expect(more.sentence('nl', 'closed', more.fieldLabel('nl', 'request', 'cost_centre'))).to.equal(
        'Kostenplaats is gesloten',
      )
      expect(more.valueLabel('nl', 'vehicle.fuel', 'petrol')).to.equal('Benzine')
      expect(more.valueLabel('nl', 'request.impact', 'medium')).to.equal(nl.values['request.impact'].medium)
    })

    it('stand in the place of ours', () => {
      expect(more.sentence('nl', 'blank', 'Naam')).to.equal('Naam ontbreekt')
      expect(more.valueLabel('nl', 'service.impact', 'low')).to.equal('Laag')
    })

    it('may be meant for one type', () => {
      expect(more.fieldLabel('nl', 'vehicle', 'name')).to.equal('Kenteken')
      expect(more.fieldLabel('nl', 'team', 'name')).to.equal('Naam')
    })

    it('bring new languages, which fall back on English', () => {
      expect(more.languages).to.eql(['en', 'nl', 'de', 'fr', 'es'])
      expect(more.languageOf('es-MX')).to.equal('es')
      expect(words.languageOf('es-MX')).to.equal('en-US')
      expect(more.valueLabel('es-AR', 'request.status', 'assigned')).to.equal('Asignada')
      expect(more.valueLabel('es', 'request.status', 'accepted')).to.equal('Accepted')
      const mail = { webhook: 'Pager', uri: '', event: '', error: 'status 500', account: '', id: '' }
      expect(more.mail('es', 'webhook_disabled', mail)).to.eql({ subject: 'Webhook Pager desactivado', text: 'status 500' })
    })

    it('do not leak into the words of another plugin', () => {
      expect(words.sentence('nl', 'blank', 'Naam')).to.equal('Naam moet ingevuld zijn')
    })
  })
})
