import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { extendRecord, Forbidden, type HostEvent, listener, NotFound } from '../../../plugin/index.js'
import { withFurnished } from '../../support/furnished.js'
import { errorOf } from '../../support/house.js'

describe('events of the host', () => {
  const { furnished } = withFurnished()
  const extend = [extendRecord('site', { emits: ['flooded', 'power-lost'] })]

  it('reach listeners as events of the plugin do, and are no change of the record', async () => {
    const heard: HostEvent[] = []
    const on = { 'site.flooded': [listener('pager', (event) => void heard.push(event))] }
    const { ada, itsm, system } = await furnished({ extend, on })
    await itsm.start()
    const { id } = await system.create('site', { name: 'Plant' })
    const before = await system.read('site', Number(id))
    await itsm.as(ada).emit('site.flooded', Number(id))
    while (heard.length === 0) await sleep(5)
    expect(heard).to.have.length(1)
    expect(heard[0]).to.deep.include({
      ...{ name: 'site.flooded', recordType: 'site', recordId: Number(id), accountId: 'acme' },
      ...{ person: { id: ada, name: 'Ada' }, auditLineId: null },
    })
    expect(await system.read('site', Number(id))).to.deep.equal(before)
    await system.emit('site.flooded', Number(id))
    while (heard.length < 2) await sleep(5)
    expect(heard[1]?.person).to.equal(null)
  })

  it('may be chosen by webhooks', async () => {
    const { itsm, ada } = await furnished({ extend })
    const uri = 'https://hooks.example/itsm'
    expect(await itsm.as(ada).create('webhook', { event: 'site.power-lost', uri })).to.include({ event: 'site.power-lost' })
  })

  it('are refused for events that no type emits, for records that the person does not see, and for those it may not change', async () => {
    const { itsm, ada, system } = await furnished({ extend })
    const { id } = await system.create('site', { name: 'Attic' })
    const uma = await system.create('person', { name: 'Uma', primary_email: 'uma@acme.example' })
    await itsm.grant(Number(uma['id']), 'acme', ['specialist'])
    for (const [event, message] of [
      ['site.floded', "No record type emits 'site.floded'; did you mean 'site.flooded'?"],
      ['site.create', "No record type emits 'site.create'"],
      [5 as never, 'No record type emits 5'],
    ] as const) {
      const error = await errorOf(itsm.as(ada).emit(event, Number(id)))
      expect(error).to.be.instanceOf(RangeError)
      expect(String(error)).to.include(message)
    }
    expect(await errorOf(itsm.as(ada).emit('site.flooded', '1 or 1=1' as never))).to.be.instanceOf(TypeError)
    expect(await errorOf(itsm.as(ada).emit('site.flooded', 404))).to.be.instanceOf(NotFound)
    expect(await errorOf(itsm.as(Number(uma['id'])).emit('site.flooded', Number(id)))).to.be.instanceOf(Forbidden)
    await itsm.accounts.put({ id: 'other', name: 'Other' })
    expect(await errorOf(itsm.asSystem('spec', 'other').emit('site.flooded', Number(id)))).to.be.instanceOf(NotFound)
  })
})
