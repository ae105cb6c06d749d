import { expect } from 'chai'
import { withHouse } from '../support/house.js'

describe('a standard service request', function () {
  this.timeout(60_000)
  const house = withHouse({ file: true })

  it('stays within one service, whatever is saved at the same time', async () => {
    const lea = await house.addPerson('Lea', ['account_administrator', 'service_level_manager'])
    const provider_id = await house.add('organization', { name: 'Provider' })
    const [mail, paper] = [
      await house.add('service', { name: 'Mail', provider_id }),
      await house.add('service', { name: 'Paper', provider_id }),
    ]
    for (let round = 0; round < 10; round += 1) {
      const offering = await house.add('service_offering', { name: `Offering ${round}`, service_id: mail })
      const template = await house.add('request_template', { subject: 'Send it', category: 'other', service_id: mail })
      const owner = { type: 'service_offering', id: offering }
      const moved = round % 2 === 0 ? owner : { type: 'request_template', id: template }
      await Promise.allSettled([
        house.operations.save(await house.by(lea), 'standard_service_request', null, { request_template_id: template }, owner),
        house.operations.save(await house.by(lea), moved.type, moved.id, { service_id: paper }),
      ])
      const rows = [await house.row('service_offering', offering), await house.row('request_template', template)]
      const services = new Set(rows.map((row) => row?.['service_id']))
      const targets = (await house.table('standard_service_requests')).filter((row) => Number(row['owner_id']) === offering)
      expect(targets.length + services.size, moved.type).to.equal(2)
    }
  })
})
