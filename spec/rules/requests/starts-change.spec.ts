import { expect } from 'chai'
import { startsChange } from '../../../plugin/rules/requests/starts-change.js'
import type { Row } from '../../../plugin/schema/language/define-rule.js'
import { run, type Surroundings } from '../context.js'

const [MAX, MIA, OLD] = [1, 2, 3] as const
const refs = { change: 'change', template: 'request_template' }
const SERVICES = [
  { id: 30, change_manager_id: MIA },
  { id: 31, change_manager_id: null },
  { id: 32, change_manager_id: OLD },
]

describe('a request that starts a change', () => {
  /** What a new request with the template does. */
  const saved = async (template: Row, changeTemplate: Row = {}, about: Surroundings = {}) => {
    const stored = {
      request_template: [{ id: 3, status: 'change_pending', change_template_id: 4, ...template }],
      change_template: [{ id: 4, subject: 'A change', ...changeTemplate }],
      service: SERVICES,
      person: [{ id: MAX }, { id: MIA }, { id: OLD, disabled: true }],
    }
    const next = { id: 12, template_id: 3, ...about.next }
    const rule = startsChange('change', { template: 'template' })
    return (await run(rule, { ...about, type: 'request', refs, stored, next }, 'written')).saves
  }
  const managers: readonly (readonly [name: string, template: Row, changeTemplate: Row, manager: number | null])[] = [
    ['the change manager of the template', { change_manager_id: MAX, service_id: 30 }, {}, MAX],
    ['that of the service of the change', { service_id: 31 }, { service_id: 30 }, MIA],
    ['that of the service of the request', { service_id: 30 }, { service_id: 31 }, MIA],
    ['the next one, if the first is disabled', { change_manager_id: OLD, service_id: 30 }, { service_id: 32 }, MIA],
    ['nobody', { service_id: 31 }, {}, null],
    ['nobody who is disabled', { change_manager_id: OLD }, {}, null],
  ]
  for (const [name, template, changeTemplate, manager] of managers) {
    it(`has it managed by ${name}`, async () => {
      const [first, second] = await saved(template, changeTemplate)
      expect(first).to.deep.equal(['change', null, { template_id: 4, subject: 'A change', manager_id: manager }])
      expect(second).to.deep.equal(['request', 12, { change_id: 999 }])
    })
  }

  const none: readonly (readonly [name: string, template: Row, about: Surroundings])[] = [
    ['with another status of the template', { status: 'assigned' }, {}],
    ['without a change template', { change_template_id: null }, {}],
    ['when it is changed', {}, { before: { id: 12 } }],
    ['when it is imported', {}, { origin: 'import' }],
    ['when its body has a status', {}, { next: { status: 'accepted' } }],
    ['when its body has a change', {}, { next: { change_id: 50 } }],
  ]
  for (const [name, template, about] of none) {
    it(`starts none ${name}`, async () => {
      expect(await saved({ change_manager_id: MAX, ...template }, {}, about)).to.deep.equal([])
    })
  }
})
