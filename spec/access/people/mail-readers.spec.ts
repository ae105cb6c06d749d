import { expect } from 'chai'
import { mailReaders } from '../../../plugin/access/people/mail-readers.js'
import { withHouse } from '../../support/house.js'

describe('readers of mails', () => {
  const house = withHouse()
  const readersOf = (addresses: readonly string[]) => mailReaders(house.people, house.accounts)('acme', addresses)

  it('are the administrators of the account, each in their own language, else in that of the account', async () => {
    await house.accounts.put({ id: 'acme', name: 'Acme', locale: 'nl' })
    await house.addPerson('Ann', ['account_administrator'], { primary_email: 'ann@acme.example', locale: 'fr' })
    await house.addPerson('Bob', ['account_administrator', 'account_owner'], { primary_email: 'bob@acme.example' })
    await house.addPerson('Cy', ['specialist'], { primary_email: 'cy@acme.example' })
    const bob = (await house.people.find({ email: 'bob@acme.example' }))?.locale ?? 'nl'
    expect(await readersOf([])).to.deep.equal([
      { email: 'ann@acme.example', language: 'fr' },
      { email: 'bob@acme.example', language: bob },
    ])
  })

  it('may be named by address: people of the account read in their language, others in that of the account', async () => {
    await house.accounts.put({ id: 'acme', name: 'Acme', locale: 'de' })
    await house.addPerson('Dee', [], { primary_email: 'dee@acme.example', locale: 'fr-CA' })
    expect(await readersOf(['DEE@acme.example', 'pager@elsewhere.example', "o'x; --@elsewhere.example"])).to.deep.equal([
      { email: 'DEE@acme.example', language: 'fr-CA' },
      { email: 'pager@elsewhere.example', language: 'de' },
      { email: "o'x; --@elsewhere.example", language: 'de' },
    ])
  })
})
