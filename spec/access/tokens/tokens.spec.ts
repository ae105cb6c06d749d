import { expect } from 'chai'
import { createAccess } from '../../../plugin/access/access.js'
import type { NewToken } from '../../../plugin/access/tokens/token-rows.js'
import { isSecretText } from '../../../plugin/access/tokens/token-text.js'
import { inTransaction } from '../../../plugin/storage/database/transaction.js'
import { countStatements } from '../../support/count-statements.js'
import { errorOf, withHouse } from '../../support/house.js'

const DAY = 24 * 3600_000

describe('tokens', () => {
  const house = withHouse()
  let pat = 0
  let number = 0
  const tokens = () => house.access.tokens
  const later = (milliseconds: number) => new Date(house.clock.now().getTime() + milliseconds)
  const issue = async (more: Partial<NewToken> = {}) => {
    const limits = { readOnly: false, recordTypes: null, expiresAt: null, clientId: null }
    const { token, text } = await tokens().issue({}, { kind: 'personal', personId: pat, name: 'build', ...limits, ...more })
    return { token, text, key: tokens().keyOf(text), find: () => tokens().find(tokens().keyOf(text)) }
  }
  /** Like another process: nothing is told of it. */
  const elsewhere = () => house.storage.knex(house.storage.table('tokens'))
  const lastUses = async (): Promise<(string | null)[]> =>
    elsewhere().where({ person_id: pat }).orderBy('id').pluck('last_used_at')

  beforeEach('adds a person', async () => {
    house.clock.pass(2_000)
    pat = await house.addPerson(`Pat ${String.fromCharCode(97 + number++)}`)
  })

  it('sign their person in, with the limits that they were made with', async () => {
    const { token, text, find } = await issue({ name: 'Ünïcode 🔑', readOnly: true, recordTypes: ['request', 'task'] })
    expect(isSecretText(text)).to.equal(true)
    const owner = await find()
    expect(owner?.actor).to.include({ id: pat, accountId: 'acme' })
    expect(owner?.token).to.deep.include({ id: token.id, kind: 'personal', name: 'Ünïcode 🔑', readOnly: true, clientId: null })
    expect([...(owner?.token.recordTypes ?? [])])
      .to.include.members(['request', 'task', 'note'])
      .and.not.include('problem')
    const [unlimited] = [await (await issue()).find()]
    expect(unlimited?.token).to.deep.include({ readOnly: false, recordTypes: null })
  })

  it('are stored as a digest that reveals nothing, and listed without their text', async () => {
    const { text, token } = await issue({ expiresAt: later(DAY) })
    const dump = JSON.stringify([await elsewhere(), await tokens().list({}, { personId: pat })])
    for (const form of [text, text.slice(9, 39), text.slice(9, 21), Buffer.from(text).toString('base64').slice(0, 40)])
      expect(dump).to.not.include(form)
    expect(await tokens().list({}, { personId: pat })).to.deep.equal([token])
  })

  it('are cached for two seconds, and revoked at once in this process, within two seconds in others', async () => {
    const { token, find } = await issue()
    const statements = countStatements(house.storage.knex)
    expect(await statements.during(find)).to.equal(1)
    expect(await statements.during(find)).to.equal(0)
    expect(await tokens().revoke({}, { id: token.id, personId: pat })).to.equal(1)
    expect(await find()).to.equal(null)
    const other = await issue()
    await other.find()
    await elsewhere().where({ id: other.token.id }).delete()
    expect(await other.find()).to.not.equal(null)
    house.clock.pass(2_000)
    expect(await other.find()).to.equal(null)
  })

  it('of other people are not revoked', async () => {
    const { token, find } = await issue()
    const owen = await house.addPerson(`Owen ${String.fromCharCode(97 + number)}`)
    expect(await tokens().revoke({}, { id: token.id, personId: owen })).to.equal(0)
    expect(await find()).to.not.equal(null)
    expect((await errorOf(tokens().revoke({}, {}))).message).to.match(/which tokens/)
  })

  it('end to the millisecond, also while they are cached', async () => {
    const { find } = await issue({ expiresAt: later(1_000) })
    expect(await find()).to.not.equal(null)
    house.clock.pass(999)
    expect(await find()).to.not.equal(null)
    house.clock.pass(1)
    expect(await find()).to.equal(null)
    expect(await tokens().countValid({}, { personId: pat })).to.equal(0)
    expect(await tokens().list({}, { personId: pat })).to.have.length(1)
  })

  it('are refused to disabled people from that moment on', async () => {
    const { find } = await issue()
    await find()
    await house.operations.save(await house.system(), 'person', pat, { disabled: true })
    expect(await find()).to.equal(null)
  })

  it('are not there when the transaction that makes them is undone, and are once it is committed', async () => {
    const call = await house.system()
    let key = ''
    const failing = inTransaction(house.storage, call, async (inside) => {
      const made = await tokens().issue(inside, { ...(await template()), name: 'lost' })
      key = tokens().keyOf(made.text)
      throw new Error('undo')
    })
    expect((await errorOf(failing)).message).to.equal('undo')
    expect(await tokens().find(key)).to.equal(null)
    await inTransaction(house.storage, call, async (inside) => {
      key = tokens().keyOf((await tokens().issue(inside, await template())).text)
    })
    expect(await tokens().find(key)).to.not.equal(null)
  })
  const template = async (): Promise<NewToken> => ({
    ...{ kind: 'personal', personId: pat, name: 'template', readOnly: false },
    ...{ recordTypes: null, expiresAt: null, clientId: null },
  })

  it('of a client are listed and revoked with it, and with nothing else', async () => {
    const mine = await issue()
    const first = await issue({ kind: 'oauth', clientId: 71, name: 'robot' })
    const second = await issue({ kind: 'oauth', clientId: 72, name: 'robot' })
    expect((await tokens().list({}, { clientId: 71 })).map(({ id }) => id)).to.deep.equal([first.token.id])
    expect((await tokens().list({}, { personId: pat, kind: 'personal' })).map(({ id }) => id)).to.deep.equal([mine.token.id])
    expect((await first.find())?.token).to.include({ kind: 'oauth', clientId: 71 })
    expect(await tokens().revoke({}, { clientId: 71 })).to.equal(1)
    expect(await first.find()).to.equal(null)
    expect(await second.find()).to.not.equal(null)
    expect(await mine.find()).to.not.equal(null)
  })

  it('remember their last use, to the minute, in one write however many calls there are', async () => {
    const { token } = await issue()
    const use = async (count: number) => {
      for (let call = 0; call < count; call += 1) tokens().noteUse(token.id)
      await tokens().finished()
    }
    expect(await countStatements(house.storage.knex).during(() => use(20))).to.equal(1)
    const [first] = await lastUses()
    house.clock.pass(59_000)
    await use(2)
    expect(await lastUses()).to.deep.equal([first])
    house.clock.pass(1_000)
    await use(2)
    expect(String((await lastUses())[0]) > String(first)).to.equal(true)
    const [stored] = await tokens().list({}, { personId: pat })
    expect(stored?.lastUsedAt?.getTime()).to.equal(house.clock.now().getTime())
    // Another process has not noted it yet, but the row has.
    const before = await lastUses()
    house.clock.pass(1_000)
    const other = createAccess(house.accessDeps).tokens
    other.noteUse(token.id)
    await other.finished()
    expect(await lastUses()).to.deep.equal(before)
  })

  it('work when their last use cannot be stored', async () => {
    const warnings: string[] = []
    const log = { ...house.accessDeps.log, warn: (_: object, message: string) => void warnings.push(message) }
    const broken = {
      ...house.storage,
      knex: (() => {
        throw new Error('away')
      }) as unknown as typeof house.storage.knex,
    }
    const { tokens: other } = createAccess({ ...house.accessDeps, storage: broken, log })
    other.noteUse(1)
    other.noteUse(1)
    await other.finished()
    expect(warnings).to.deep.equal(['The time of the last use of a token could not be stored'])
  })

  it('are purged 30 days after their end, those of clients after a day', async () => {
    const names = ['never ends', 'ends late', 'ended long ago', 'client ended', 'client ends']
    const at = (milliseconds: number) => later(milliseconds)
    await issue({ name: 'never ends' })
    await issue({ name: 'ends late', expiresAt: at(-30 * DAY + 1_000) })
    await issue({ name: 'ended long ago', expiresAt: at(-30 * DAY - 1_000) })
    await issue({ name: 'client ended', kind: 'oauth', clientId: 1, expiresAt: at(-DAY - 1_000) })
    await issue({ name: 'client ends', kind: 'oauth', clientId: 1, expiresAt: at(-DAY + 1_000) })
    const stored = async () => (await tokens().list({}, { personId: pat })).map(({ name }) => name).reverse()
    expect(await stored()).to.deep.equal(names)
    await tokens().purge()
    expect(await stored()).to.deep.equal(['never ends', 'ends late', 'client ends'])
  })
})
