import { expect } from 'chai'
import { accountAddresses } from '../../plugin/webhooks/account-addresses.js'
import { keptLog } from '../support/webhooks.js'

describe('the address of an account', () => {
  it('is a name below that of the interface', () => {
    expect(accountAddresses('https://desk.example:8443/api/v1', keptLog())('acme')).to.equal('https://acme.desk.example:8443')
  })

  it('is a path where the interface has an IP address', () => {
    expect(accountAddresses('http://127.0.0.1:3000/v1', keptLog())('acme')).to.equal('http://127.0.0.1:3000/acme')
    expect(accountAddresses('http://[::1]:3000/v1', keptLog())('acme')).to.equal('http://[::1]:3000/acme')
  })

  it("is the host's, without a slash at its end", () => {
    const addresses = accountAddresses('https://desk.example/v1', keptLog(), (id) => `https://desk.example/${id}/`)
    expect(addresses('acme')).to.equal('https://desk.example/acme')
  })

  it('is ours when the host answers nonsense or throws, and the log says so', () => {
    const log = keptLog()
    const nonsense = accountAddresses('https://desk.example/v1', log, () => 'acme')
    const throwing = accountAddresses('https://desk.example/v1', log, () => {
      throw new Error('no')
    })
    expect([nonsense('acme'), throwing('acme')]).to.deep.equal(['https://acme.desk.example', 'https://acme.desk.example'])
    expect(log.lines).to.have.length(2)
  })
})
