import { expect } from 'chai'
import { withHouse } from '../support/house.js'
import { timersOf } from '../support/house-timers.js'

describe('a broadcast', () => {
  const house = withHouse()

  it('is on the air by the clocks of its own time zone', async () => {
    const reader = await house.addPerson('Ines')
    const add = (time_zone: string) =>
      house.add('broadcast', {
        message: `It is noon in ${time_zone}.`,
        message_type: 'info',
        start_at: '2026-12-01T12:00',
        end_at: '2026-12-01T13:00',
        time_zone,
      })
    const [tokyo, paris, lima] = [await add('Tokyo'), await add('Paris'), await add('Lima')]
    const active = async (now: string) => {
      house.clock.set(now)
      const page = await house.operations.list(await house.by(reader), 'broadcast', { parameters: [], list: 'active' })
      const rest = await house.operations.list(await house.by(reader), 'broadcast', { parameters: [], list: 'inactive' })
      expect(page.totalEntries + rest.totalEntries).to.equal(3)
      return page.items.map((one) => one['id'])
    }
    expect(await active('2026-12-01T03:00:00Z')).to.deep.equal([tokyo])
    expect(await active('2026-12-01T04:00:00Z')).to.deep.equal([])
    expect(await active('2026-12-01T11:59:59Z')).to.deep.equal([paris])
    expect(await active('2026-12-01T17:30:00Z')).to.deep.equal([lima])
  })

  it('starts at the present minute of its own time zone', async () => {
    house.clock.set('2026-12-01T23:30:40Z')
    const id = await house.add('broadcast', { message: 'Now.', message_type: 'info', time_zone: 'Tokyo' })
    expect(await house.row('broadcast', id)).to.include({ start_at: '2026-12-02T08:30', starts_at: '2026-12-01T23:30:00Z' })
  })

  it('has a translation in the language of its account, whatever the language of its author', async () => {
    const author = await house.addPerson('Eva', ['service_desk_manager'], { locale: 'de' })
    const body = { message: 'Hello', message_type: 'info' }
    const { id } = await house.operations.save(await house.by(author), 'broadcast', null, body)
    const made = await house.operations.read(await house.by(author), 'broadcast', Number(id))
    expect(made['translations']).to.have.length(1)
    expect(made['translations']).to.have.nested.property('[0].locale', 'en-US')
  })
})

describe('the message of a broadcast', function () {
  this.timeout(60_000)
  const house = withHouse({ file: true })

  it('becomes its translation into the language that the account gets', async () => {
    const body = { message: 'Hello', message_type: 'info' }
    const [translated, other] = [await house.add('broadcast', body), await house.add('broadcast', body)]
    const owner = { type: 'broadcast', id: translated }
    await house.add('broadcast_translation', { locale: 'nl', message: 'Hallo' }, { owner })
    await house.accounts.put({ id: 'acme', name: 'ACME', locale: 'nl' })
    // Two seconds later all processes know the account.
    house.clock.set('2026-11-21T09:30:02Z')
    await timersOf(house).fireDue()
    expect((await house.row('broadcast', translated))?.['message']).to.equal('Hallo')
    expect((await house.row('broadcast', other))?.['message']).to.equal('Hello')
  })
})
