import { expect } from 'chai'
import { countStatements } from '../../support/count-statements.js'
import { withMounted } from '../../support/mounted.js'

interface Found {
  readonly id: number
  readonly name: string
}

describe('looking people up by telephone', () => {
  const mounted = withMounted('bare', { clock: { now: () => new Date('2026-11-21T09:00:00Z') } })
  let count = 0

  /** A person of the account with these telephone numbers, or with contacts in other words. */
  const addPerson = async (name: string, contacts: readonly (string | object)[], more: object = {}) => {
    count += 1
    const body = { name, primary_email: `caller${count}@widgets.example`, ...more }
    const made = await mounted.ask('@owen', 'POST', '/people', body)
    expect(made.status, made.text).to.equal(201)
    const { id } = made.json as Found
    for (const contact of contacts) {
      const sent = typeof contact === 'string' ? { label: 'work', telephone: contact } : contact
      const answer = await mounted.ask('@owen', 'POST', `/people/${id}/contacts`, sent)
      expect(answer.status, answer.text).to.equal(201)
    }
    return id
  }
  const lookUp = async (telephone: string, headers: Record<string, string> = {}) => {
    const path = `/sd?telephone=${encodeURIComponent(telephone)}`
    const answer = await mounted.ask('@dana', 'GET', path, undefined, headers)
    expect(answer.status, answer.text).to.equal(200)
    return answer.json as readonly Found[]
  }
  const ids = async (telephone: string) => (await lookUp(telephone)).map(({ id }) => id)

  it('compares digits from the end of the number on, whatever stands between and before them', async () => {
    const id = await addPerson('Ada', ['+1 (123) 456 7890'])
    for (const asked of ['4567890', '+1 (123) 456 7890', '0011234567890', '01234567890', 'tel:+1-123-456-7890', '67890']) {
      expect(await ids(asked), asked).to.deep.equal([id])
    }
    for (const asked of ['4567891', '123456789', '2234567890', '456789', '7890', '']) {
      expect(await ids(asked), asked).to.deep.equal([])
    }
  })

  it('finds short numbers on record by longer ones, but not those of less than five digits', async () => {
    const id = await addPerson('Bob', ['55501', '5550'])
    expect(await ids('0031 20 7755501')).to.deep.equal([id])
    expect(await ids('31205550')).to.deep.equal([])
  })

  it('looks at every telephone number, whatever its label, and at nothing else', async () => {
    const id = await addPerson('Cem', [
      { label: 'fax', telephone: '600 100 200' },
      { label: 'personal', email: '600100201@widgets.example' },
      { label: 'personal', website: 'https://600100202.example' },
    ])
    expect(await ids('600100200')).to.deep.equal([id])
    expect(await ids('600100201')).to.deep.equal([])
    expect(await ids('600100202')).to.deep.equal([])
    const number = await mounted.ask('@owen', 'POST', `/organizations/${mounted.world.id('@widget-sales')}/contacts`, {
      label: 'general',
      telephone: '600100203',
    })
    expect(number.status).to.equal(201)
    expect(await ids('600100203')).to.deep.equal([])
  })

  it('follows a number that changes, and one that is removed', async () => {
    const id = await addPerson('Dov', ['600 200 300'])
    const [contact] = (await mounted.ask('@owen', 'GET', `/people/${id}/contacts`)).json as Found[]
    const at = `/people/${id}/contacts/${contact?.id}`
    await mounted.ask('@owen', 'PATCH', at, { telephone: '600 200 301' })
    expect([await ids('600200300'), await ids('600200301')]).to.deep.equal([[], [id]])
    await mounted.ask('@owen', 'PATCH', at, { email: '600200301@widgets.example', label: 'personal' })
    expect(await ids('600200301')).to.deep.equal([])
    await mounted.ask('@owen', 'PATCH', at, { telephone: '600 200 302', label: 'work' })
    expect(await ids('600200302')).to.deep.equal([id])
    await mounted.ask('@owen', 'DELETE', at)
    expect(await ids('600200302')).to.deep.equal([])
  })

  it('tells a person once, with two numbers that fit and a support ID', async () => {
    const id = await addPerson('Eli', ['600 300 400', '+32 600 300 400'], { supportID: '600300400' })
    expect(await ids('600300400')).to.deep.equal([id])
  })

  it('takes two numbers of which neither fits for no number', async () => {
    await addPerson('Fay', ['600 399 998', '600 400 002'])
    expect(await ids('600400000')).to.deep.equal([])
  })

  it('finds a support ID as a whole and without regard to case', async () => {
    const id = await addPerson('Gus', [], { supportID: 'Ext-77' })
    expect(await ids('ext-77')).to.deep.equal([id])
    expect(await ids('ext-7')).to.deep.equal([])
  })

  it('leaves disabled people out', async () => {
    const id = await addPerson('Hal', ['600 500 600'], { supportID: 'HAL-1' })
    await mounted.ask('@owen', 'PATCH', `/people/${id}`, { disabled: true })
    expect([await ids('600500600'), await ids('HAL-1')]).to.deep.equal([[], []])
  })

  it('tells ten people at most, the first by name, at the same cost as one', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `Worker ${String.fromCharCode(76 - index)}`)
    await addPerson('Worker, the only one', ['600 600 701'])
    for (const name of names) await addPerson(name, ['600 600 700'])
    const counter = countStatements(mounted.database.knex)
    await lookUp('600600700')
    const many = await counter.during(async () => {
      const found = await lookUp('600600700')
      expect(found.map(({ name }) => name)).to.deep.equal(names.toReversed().slice(0, 10))
    })
    const one = await counter.during(async () => expect(await lookUp('600600701')).to.have.length(1))
    expect(many).to.equal(one).and.to.be.greaterThan(0)
  })

  it('stays in the account, and in the directory account that it belongs to', async () => {
    const { accounts } = mounted.itsm
    const paula = { type: 'person', id: mounted.world.id('@paula') }
    const contact = { label: 'work', telephone: '600 700 800' }
    await mounted.itsm.asSystem('a number', 'partner').create('contact', contact, paula)
    expect(await ids('600700800')).to.deep.equal([])
    await accounts.put({ id: 'widgets', name: 'Widget Corporation', directoryAccountId: 'partner' })
    const found = await lookUp('600700800')
    await accounts.put({ id: 'widgets', name: 'Widget Corporation', directoryAccountId: null })
    expect(found.map(({ id }) => id)).to.deep.equal([paula.id])
    expect(found[0]).to.have.nested.property('account.id', 'partner')
    expect(found[0]).to.have.nested.property('contacts[0].telephone', '600 700 800')
  })

  it('takes anything for a number', async () => {
    const asked = [
      'letters only',
      "' OR 1=1 --",
      '%',
      '_____',
      '9'.repeat(5_000),
      `${'x'.repeat(4_000)}`,
      '\u0000',
      '😀',
      '٠١٢٣٤٥٦',
    ]
    for (const one of asked) expect(await ids(one), one.slice(0, 20)).to.deep.equal([])
    await addPerson('Ida', [`+${'1234567890'.repeat(5)}`])
    expect(await ids('1234567890'.repeat(5))).to.have.length(1)
    expect(await ids(`77${'1234567890'.repeat(50)}`)).to.have.length(1)
    expect(await ids('567890')).to.have.length(2)
  })
})
