import { expect } from 'chai'
import { Forbidden, HookFailed, TimedOut } from '../../../plugin/core/errors.js'
import { createAskHost } from '../../../plugin/core/waiting/ask-host.js'
import { errorOf } from '../../support/house.js'

describe('A function of the host', () => {
  const ask = createAskHost(20)

  it('answers at once or later', async () => {
    expect(await ask('scope', () => 1)).to.equal(1)
    expect(await ask('scope', async () => 2)).to.equal(2)
    expect(await ask('scope', () => null)).to.equal(null)
  })

  it('is named when it throws, whatever it throws', async () => {
    const failures: readonly (() => unknown)[] = [
      () => {
        throw new Error('away')
      },
      () => Promise.reject(new Error('away')),
      () => Promise.reject('away'),
    ]
    for (const fails of failures) {
      const error = await errorOf(ask('people.byId', fails))
      expect(error).to.be.instanceOf(HookFailed)
      expect(error.message).to.equal("The host's people.byId failed: away")
    }
  })

  it('may throw what passes on purpose', async () => {
    const forbids = async () => {
      throw new Forbidden()
    }
    expect(await errorOf(ask('authorize', forbids, (error) => error instanceof Forbidden))).to.be.instanceOf(Forbidden)
    expect(await errorOf(ask('authorize', forbids))).to.be.instanceOf(HookFailed)
  })

  it('is named when it does not answer in time', async () => {
    const error = await errorOf(ask('people.signedIn', () => new Promise(() => {})))
    expect(error).to.be.instanceOf(TimedOut)
    expect((error.cause as Error).message).to.equal("The host's people.signedIn failed: no answer within 20 ms")
  })
})
