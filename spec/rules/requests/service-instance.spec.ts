import { expect } from 'chai'
import { reviewedWhen } from '../../../plugin/rules/requests/reviewed.js'
import { serviceInstanceOf, supplierOf } from '../../../plugin/rules/requests/service-instance.js'
import { run, type Surroundings } from '../context.js'

const refs = {
  ...{ ci: 'ci', service_instance: 'service_instance', supplier: 'organization' },
  ...{ problem: 'problem', change: 'change' },
}

describe('serviceInstanceOf', () => {
  const rule = serviceInstanceOf('service_instance', { ci: 'ci' })
  const stored = { service_instance: [{ id: 3 }, { id: 4 }, { id: 5, status: 'discontinued' }] }
  const links = ['service_instance 3 cis 8', 'service_instance 4 cis 8', 'service_instance 5 cis 7']
  const cases: readonly (readonly [name: string, about: Surroundings, expected: number | null | undefined])[] = [
    ['takes the first one of the item', { next: { ci_id: 8 } }, 3],
    ['keeps the one that is there', { before: { service_instance_id: 4 }, next: { ci_id: 8 } }, 4],
    ['keeps an empty one that is sent', { next: { ci_id: 8, service_instance: null } }, undefined],
    ['does nothing while the item stays', { before: { ci_id: 8, service_instance_id: null }, next: { subject: 's' } }, null],
    ['takes none that is discontinued', { next: { ci_id: 7 } }, null],
    ['does nothing for an item without any', { next: { ci_id: 9 } }, null],
  ]
  for (const [name, about, expected] of cases)
    it(name, async () =>
      expect((await run(rule, { ...about, refs, stored, links })).next['service_instance_id']).to.equal(expected),
    )
})

describe('supplierOf', () => {
  const rule = supplierOf('supplier', { instance: 'service_instance' })
  // The account's own organization is 70, with 71 below it; 80 and 81 are others.
  const stored = {
    service_instance: [10, 11, 12, 13].map((id) => ({ id, service_id: id })),
    service: [71, 80, 81, 82].map((provider_id, index) => ({ id: 10 + index, provider_id })),
    organization: [
      { id: 70, parent_id: null },
      { id: 71, parent_id: 70 },
      { id: 80, parent_id: null },
      { id: 81, parent_id: 80, disabled: true },
      { id: 82, parent_id: 82 },
    ],
  }
  const cases: readonly (readonly [name: string, about: Surroundings, expected: number | null | undefined])[] = [
    ['takes an external provider', { next: { service_instance_id: 11 } }, 80],
    ['takes no internal provider', { next: { service_instance_id: 10 } }, undefined],
    ['takes no disabled provider', { next: { service_instance_id: 12 } }, undefined],
    ['ends where organizations are above themselves', { next: { service_instance_id: 13 } }, 82],
    ['keeps the supplier that is there', { before: { supplier_id: 5 }, next: { service_instance_id: 11 } }, 5],
    ['keeps an empty one that is sent', { next: { service_instance_id: 11, supplier: null } }, undefined],
    ['goes with the service', { before: { service_instance_id: 11, supplier_id: 80 }, next: { service_instance_id: 13 } }, 82],
    [
      'goes when the service is internal',
      { before: { service_instance_id: 11, supplier_id: 80 }, next: { service_instance_id: 10 } },
      null,
    ],
    [
      'goes without a service',
      { before: { service_instance_id: 11, supplier_id: 80 }, next: { service_instance_id: null } },
      null,
    ],
    [
      'stays if somebody chose it',
      { before: { service_instance_id: 11, supplier_id: 5 }, next: { service_instance_id: null } },
      5,
    ],
    ['stays with its service', { before: { service_instance_id: 11, supplier_id: 80 }, next: { subject: 's' } }, 80],
    [
      'knows none without an own organization',
      { account: { organizationId: null }, next: { service_instance_id: 11 } },
      undefined,
    ],
  ]
  for (const [name, about, expected] of cases)
    it(name, async () => expect((await run(rule, { ...about, refs, stored })).next['supplier_id']).to.equal(expected))
})

describe('reviewedWhen', () => {
  const rule = reviewedWhen('reviewed', { without: 'service_instance', linked: ['problem', 'change'], grouping: 'grouping' })
  const open = { service_instance_id: 3, grouping: 'none', impact: 'low', completion_reason: null, reviewed: false }
  const cases: readonly (readonly [next: object, expected: boolean])[] = [
    [{}, false],
    [{ service_instance_id: null }, true],
    [{ problem_id: 1 }, true],
    [{ change_id: 1 }, true],
    [{ grouping: 'group' }, false],
    [{ grouping: 'grouped' }, true],
    [{ completion_reason: 'solved' }, true],
    [{ completion_reason: 'solved', impact: null }, true],
    [{ completion_reason: 'solved', impact: 'top' }, false],
    [{ completion_reason: 'workaround' }, false],
    [{ reviewed: true }, true],
  ]
  for (const [next, expected] of cases)
    it(`is ${expected} for ${JSON.stringify(next)}`, async () =>
      expect((await run(rule, { refs, next: { ...open, ...next } })).next['reviewed']).to.equal(expected))
})
