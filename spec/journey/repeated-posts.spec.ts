/** Clients that get no response repeat their POST, at once or after a crash: nothing is done twice. */
import { expect } from 'chai'
import { type ChildHost, startChildHost } from '../support/child-host.js'
import { testStore, withDatabase } from '../support/database.js'

const REPEATS = 50

describe('repeated POSTs', function () {
  this.timeout(120_000)
  let hosts: ChildHost[] = []
  after(async () => {
    for (const host of hosts) await host.kill().catch(() => undefined)
  })
  // After the hook above: the hosts are gone when the database goes.
  const database = withDatabase({ file: true, migrated: false })
  const restart = async (count: number) => {
    for (const host of hosts) await host.kill().catch(() => undefined)
    hosts = []
    while (hosts.length < count) hosts.push(await startChildHost(database.url))
  }
  const host = (index = 0) => hosts[index % hosts.length] as ChildHost
  const keyed = (key: string) => ({ 'idempotency-key': key })
  const namesAt = async (path: string, pattern: RegExp) => {
    const { body } = await host().call('GET', `${path}?per_page=100&fields=name`)
    return body.map(({ name }) => String(name)).filter((name) => pattern.test(name))
  }

  before('starts a process; two, if they can share the database', () => restart(testStore() === 'embedded' ? 1 : 2))

  for (const { about, body, headers, path } of [
    { about: 'a key', path: '/organizations', body: { name: 'Lyon' }, headers: keyed('lyon') },
    { about: 'a source ID', path: '/sites', body: { name: 'Lyon', source: 'ERP', sourceID: '7' }, headers: {} },
  ]) {
    it(`are done once with ${about}: ${REPEATS} at the same moment get the same answer`, async () => {
      const all = await Promise.all(
        Array.from({ length: REPEATS }, (_, index) => host(index).call('POST', path, body, headers)),
      )
      expect(new Set(all.map(({ status }) => status))).to.deep.equal(new Set([201]))
      expect(new Set(all.map((one) => one.body['id'])).size).to.equal(1)
      expect(all.filter((one) => one.headers.get('idempotent-replayed') === null)).to.have.length(1)
      expect(await namesAt(path, /^Lyon/)).to.deep.equal(['Lyon'])
      const id = Number(all[0]?.body['id'])
      const lines = (await host().call('GET', `${path}/${id}/audit?fields=action`)).body
      expect(lines.filter(({ action }) => action === 'create')).to.have.length(1)
    })
  }

  it('are refused at the same moment if they are different, but for one', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) => host(index).call('POST', '/sites', { name: `Nice ${index}` }, keyed('nice'))),
    )
    expect(all.map(({ status }) => status).sort()).to.deep.equal([201, ...Array<number>(19).fill(422)])
    expect(await namesAt('/sites', /^Nice/)).to.have.length(1)
  })

  it('find the record of a process that was killed after its commit, before its response', async () => {
    const site = { name: 'Pompeii' }
    const died = host().call('POST', '/sites', site, { ...keyed('volcano'), 'x-die': 'before the response' })
    expect(await died.then(() => 'answered').catch(() => 'gone')).to.equal('gone')
    await restart(1)
    const { body, headers, status } = await host().call('POST', '/sites', site, keyed('volcano'))
    expect([status, headers.get('idempotent-replayed')]).to.deep.equal([201, 'true'])
    expect(await namesAt('/sites', /Pompeii/)).to.deep.equal(['Pompeii'])
    expect(body['name']).to.equal('Pompeii')
  })

  it('do what a killed process has not done, and nothing else', async () => {
    const send = (index: number) =>
      host().call('POST', '/sites', { name: `Town ${index}` }, keyed(`town ${index}`.replace(' ', '-')))
    let answered = 0
    const first = Array.from({ length: 40 }, (_, index) =>
      send(index).then(
        () => {
          answered += 1
          if (answered === 5) host().process.kill('SIGKILL')
        },
        () => undefined,
      ),
    )
    await Promise.all(first)
    expect(answered).to.be.within(5, 39)
    await restart(1)
    for (let index = 0; index < 40; index += 1) expect((await send(index)).status).to.equal(201)
    const towns = await namesAt('/sites', /^Town/)
    expect(towns.sort()).to.deep.equal(Array.from({ length: 40 }, (_, index) => `Town ${index}`).sort())
  })
})
