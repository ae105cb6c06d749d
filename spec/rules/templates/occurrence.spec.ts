import { expect } from 'chai'
import { isDue, occurs } from '../../../plugin/rules/templates/occurrence.js'
import type { DraftRow, Row } from '../../../plugin/schema/language/define-rule.js'
import { NOW, run } from '../context.js'

const LATER = '2026-11-21T09:30:01Z'

describe('an occurrence', () => {
  const template: Row = { id: 3, disabled: false, subject: 'Patch', service_id: 5, change_manager_id: null }
  const cases: readonly (readonly [name: string, before: Row | null, next: Row, template: Row | null, due: boolean])[] = [
    ['is due at its time', { next_occurrence_at: NOW }, {}, template, true],
    ['is due after its time', { next_occurrence_at: '2025-01-01T00:00:00Z' }, {}, template, true],
    ['is not due before its time', { next_occurrence_at: LATER }, {}, template, false],
    ['is not due without a time', { next_occurrence_at: null }, {}, template, false],
    ['is not due when the recurrence is created', null, { next_occurrence_at: NOW }, template, false],
    ['is not due while the recurrence is disabled', { next_occurrence_at: NOW }, { disabled: true }, template, false],
    ['is not due while its template is disabled', { next_occurrence_at: NOW }, {}, { ...template, disabled: true }, false],
    ['is not due without a template', { next_occurrence_at: NOW }, {}, null, false],
  ]
  for (const [name, before, next, of, due] of cases) {
    it(name, () => expect(isDue({ before, next, template: of }, NOW)).to.equal(due))
  }

  const saves = async (source: Row, service: Row, next: DraftRow = {}) => {
    const person = [{ id: 7 }, { id: 9 }, { id: 11, disabled: true }]
    const stored = { change_template: [{ ...template, ...source }], service: [{ id: 5, ...service }], person }
    const before = { id: 8, owner_id: 3, next_occurrence_at: NOW, last_occurrence_at: null }
    const about = { type: 'recurrence', stored, before, next }
    return run(occurs('change', { template: 'change_template', services: 'service' }), about, 'all')
  }

  it('creates a change for the manager of the template', async () => {
    const { next, saves: saved } = await saves({ change_manager_id: 7 }, { change_manager_id: 9 })
    expect(saved).to.deep.equal([
      ['change', null, { template_id: 3, subject: 'Patch', manager_id: 7 }],
      ['recurrence', 8, { last_occurrence_object_id: 999, last_occurrence_errors: null }],
    ])
    expect(next['last_occurrence_at']).to.equal(NOW)
  })
  it('creates it for the manager of the service otherwise', async () => {
    const { saves: saved } = await saves({}, { change_manager_id: 9 })
    expect(saved[0]?.[2]).to.deep.equal({ template_id: 3, subject: 'Patch', manager_id: 9 })
  })
  it('creates it for the manager of the service if that of the template is disabled', async () => {
    const { saves: saved } = await saves({ change_manager_id: 11 }, { change_manager_id: 9 })
    expect(saved[0]?.[2]).to.deep.equal({ template_id: 3, subject: 'Patch', manager_id: 9 })
  })
  it('has nobody named when there is no manager, so that the change is refused', async () => {
    const { saves: saved } = await saves({ change_manager_id: 11 }, {})
    expect(saved[0]?.[2]).to.deep.equal({ template_id: 3, subject: 'Patch', manager_id: null })
  })
  it('creates nothing while it is not due', async () => {
    const { next, saves: saved } = await saves({ disabled: true }, {})
    expect([saved, next['last_occurrence_at']]).to.deep.equal([[], null])
  })
})
