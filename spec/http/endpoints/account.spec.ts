import { expect } from 'chai'
import { withMounted } from '../../support/mounted.js'

interface AccountAnswer {
  readonly url: string
  readonly owner: { readonly id: number; readonly name: string } | null
  readonly organization: object | null
  readonly directory_account: object | null
}

describe('the account of a call', () => {
  const mounted = withMounted('bare', { accountAddress: (account) => `https://${account}.widgets.example/` })
  const ask = async (as: string) => (await mounted.ask(as, 'GET', '/account')).json as AccountAnswer

  it('is found in the user interface where the host says', async () => {
    expect((await ask('@ines')).url).to.equal('https://widgets.widgets.example')
  })

  it('belongs to the first owner who is still there', async () => {
    const { itsm, world } = mounted
    const addOwner = async (name: string) => {
      const body = { name, primary_email: `${name}@new.example` }
      const { id } = await itsm.asSystem('owners', 'new').create('person', body)
      await itsm.grant(Number(id), 'new', ['account_owner'])
      return Number(id)
    }
    await itsm.accounts.put({ id: 'new', name: 'New' })
    await itsm.grant(world.id('@pat'), 'new', ['specialist'])
    const nobody = await mounted.ask('@pat', 'GET', '/account', undefined, { 'X-SVC-Account': 'new' })
    expect(nobody.json).to.deep.include({ id: 'new', owner: null, organization: null, directory_account: null })
    const [first, second] = [await addOwner('Fay'), await addOwner('Sol')]
    const owner = async () => {
      const answer = await mounted.ask('@pat', 'GET', '/account', undefined, { 'X-SVC-Account': 'new' })
      return (answer.json as AccountAnswer).owner
    }
    expect(await owner()).to.deep.equal({ id: first, name: 'Fay', account: { id: 'new', name: 'New' } })
    await itsm.asSystem('owners', 'new').update('person', first, { disabled: true })
    expect(await owner()).to.include({ id: second, name: 'Sol' })
    await itsm.asSystem('owners', 'new').update('person', second, { disabled: true })
    expect(await owner()).to.include({ id: first, disabled: true })
  })

  it('names its directory account', async () => {
    const { accounts } = mounted.itsm
    await accounts.put({ id: 'widgets', name: 'Widget Corporation', directoryAccountId: 'partner' })
    expect((await ask('@ines')).directory_account).to.deep.equal({ id: 'partner', name: 'Partner Services' })
    await accounts.put({ id: 'widgets', name: 'Widget Corporation', directoryAccountId: null })
    expect((await ask('@ines')).directory_account).to.equal(null)
  })
})
