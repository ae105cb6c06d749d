import { expect } from 'chai'
import { hasSeveralUsers, impactAbove, promised } from '../../../plugin/rules/service-levels/promise.js'

const OFFERING = {
  id: 1,
  time_zone: 'Amsterdam',
  service_hours_id: 5,
  support_hours_low_id: 6,
  support_hours_top_id: 7,
  response_target_low: 120,
  response_target_top: 15,
  resolution_target_top: 60,
}
const STANDARD = { id: 9, response_target: 30, resolution_target: null, support_hours_id: null }

describe('what is promised', () => {
  it('are the targets of the impact', () => {
    const common = { time_zone: 'Amsterdam', standard_service_request_id: null }
    expect(promised(OFFERING, 'top', null)).to.deep.equal({
      ...common,
      ...{ service_hours_id: 5, support_hours_id: 7, maximum_response_duration: 15, maximum_resolution_duration: 60 },
    })
    expect(promised(OFFERING, 'low', null)).to.deep.equal({
      ...common,
      ...{ service_hours_id: null, support_hours_id: 6, maximum_response_duration: 120, maximum_resolution_duration: null },
    })
    expect(promised(OFFERING, null, null)).to.include({ support_hours_id: null, maximum_response_duration: null })
  })

  it('are the targets of a standard service request, with its hours or those of the impact', () => {
    const values = { maximum_response_duration: 30, maximum_resolution_duration: null, standard_service_request_id: 9 }
    expect(promised(OFFERING, 'low', STANDARD)).to.include({ ...values, support_hours_id: 6 })
    expect(promised(OFFERING, null, { ...STANDARD, support_hours_id: 8 })).to.include({ ...values, support_hours_id: 8 })
  })
})

describe('the impact on what is built on a service instance', () => {
  const above = (relation: string) => ['top', 'high', 'medium', 'low', null].map((impact) => impactAbove(impact, relation))

  it('is the same when both are down together, and less severe when one is only degraded', () => {
    expect(above('down')).to.deep.equal(['top', 'high', 'medium', 'low', null])
    expect(above('degraded')).to.deep.equal(['high', 'high', 'low', 'low', null])
  })

  it('concerns several users only for incidents', () => {
    const severe = ['top', 'high', 'medium', 'low', null].map((impact) => hasSeveralUsers('incident', impact))
    expect(severe).to.deep.equal([true, true, false, false, false])
    expect(hasSeveralUsers('rfc', 'top')).to.equal(false)
  })
})
