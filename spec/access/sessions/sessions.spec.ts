import { expect } from 'chai'
import { createAccess } from '../../../plugin/access/access.js'
import { createAuthenticator } from '../../../plugin/access/sign-in/authenticate.js'
import { createSessionSignIn } from '../../../plugin/access/sign-in/session-sign-in.js'
import { isSecretText } from '../../../plugin/access/tokens/token-text.js'
import { Unauthenticated } from '../../../plugin/core/errors.js'
import { inTransaction } from '../../../plugin/storage/database/transaction.js'
import { countStatements } from '../../support/count-statements.js'
import { errorOf, withHouse } from '../../support/house.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const HERE = '192.0.2.1'
const PASSWORD = 'correct horse battery'

describe('sessions', () => {
  const house = withHouse()
  let pat = 0
  let number = 0
  const sessions = () => house.access.sessions
  /** Another process, or this one. */
  const signInWith = (access = house.access) =>
    createSessionSignIn({
      storage: house.storage,
      sessions: access.sessions,
      authenticator: createAuthenticator({ ...access, failuresPerAddress: 50 }),
    })
  const rightFor = async (personId: number) => {
    const actor = await house.people.find({ id: personId })
    if (!actor) throw new Error('There is no such person')
    return { actor, passwordHash: null }
  }
  const begin = async (personId = pat) => {
    const { text, expiresAt } = await signInWith().begin(await house.by(personId), await rightFor(personId))
    return { text, expiresAt, find: async () => (await sessions().find(sessions().keyOf(text)))?.actor.id ?? null }
  }
  const rows = () => house.storage.knex(house.storage.table('sessions'))
  const countOf = async (personId = pat) => (await rows().where({ person_id: personId })).length
  const use = async (text: string) => {
    const found = await signInWith().find(text, HERE)
    await sessions().finished()
    return found?.id ?? null
  }

  beforeEach('adds a person', async () => {
    house.clock.pass(2_000)
    pat = await house.addPerson(`Pat ${String.fromCharCode(97 + number++)}`)
  })

  it('sign their person in, and are stored as a digest that reveals nothing', async () => {
    const { text, find } = await begin()
    expect(text).to.match(/^itsm_ses_[0-9A-Za-z]{36}$/)
    expect(isSecretText(text)).to.equal(true)
    expect(await find()).to.equal(pat)
    const dump = JSON.stringify(await rows())
    for (const form of [text, text.slice(9, 39), text.slice(9, 21)]) expect(dump).to.not.include(form)
  })

  it('end after eight hours without use, to the millisecond, also while they are cached', async () => {
    const { text, expiresAt, find } = await begin()
    expect(expiresAt.getTime()).to.equal(house.clock.now().getTime() + 8 * HOUR)
    house.clock.pass(7 * HOUR)
    expect(await use(text)).to.equal(pat)
    house.clock.pass(8 * HOUR - 1)
    expect(await find()).to.equal(pat)
    house.clock.pass(1)
    expect(await find()).to.equal(null)
    expect(await use(text)).to.equal(null)
  })

  it('end a day after they began, however often they are used', async () => {
    const { text, find } = await begin()
    for (let hour = 1; hour < 24; hour += 1) {
      house.clock.pass(HOUR)
      expect(await use(text), String(hour)).to.equal(pat)
    }
    house.clock.pass(HOUR - 1)
    expect(await find()).to.equal(pat)
    house.clock.pass(1)
    expect(await find()).to.equal(null)
  })

  it('remember their last use, to the minute, in one write however many calls there are', async () => {
    const { text } = await begin()
    house.clock.pass(MINUTE)
    await sessions().find(sessions().keyOf(text))
    const many = async () => void (await Promise.all(Array.from({ length: 20 }, () => use(text))))
    expect(await countStatements(house.storage.knex).during(many)).to.equal(1)
    house.clock.pass(59_000)
    const again = async () => void (await use(text))
    expect(await countStatements(house.storage.knex).during(again)).to.equal(1)
    house.clock.pass(1_000)
    expect(await countStatements(house.storage.knex).during(again)).to.equal(1)
  })

  it('are cached for two seconds, end at once in this process, and within two seconds in others', async () => {
    const { text, find } = await begin()
    const other = createAccess(house.accessDeps)
    const there = () => signInWith(other).find(text, HERE)
    expect((await there())?.id).to.equal(pat)
    expect(await find()).to.equal(pat)
    expect(await countStatements(house.storage.knex).during(async () => void (await find()))).to.equal(0)
    await signInWith().end(text)
    expect(await find()).to.equal(null)
    house.clock.pass(2_000)
    expect(await there()).to.equal(null)
    await other.sessions.finished()
  })

  it('are twenty for a person: the oldest end, and those that have ended are no reason', async () => {
    const idle = await begin()
    house.clock.pass(7 * HOUR)
    const used = await begin()
    house.clock.pass(HOUR)
    const more = []
    for (let count = 0; count < 19; count += 1) more.push(await begin())
    expect([await idle.find(), await used.find(), await countOf()]).to.deep.equal([null, pat, 20])
    const last = await begin()
    expect([await used.find(), await more[0]?.find(), await last.find(), await countOf()]).to.deep.equal([null, pat, pat, 20])
    const owen = await house.addPerson(`Owen ${String.fromCharCode(97 + number)}`)
    await begin(owen)
    expect([await countOf(), await countOf(owen)]).to.deep.equal([20, 1])
  })

  it('end with the password, in its transaction', async () => {
    await house.access.credentials.setPassword(pat, PASSWORD)
    const { find } = await begin()
    const undone = inTransaction(house.storage, await house.system(), async (inside) => {
      await sessions().endAll(inside, pat)
      throw new Error('undo')
    })
    expect((await errorOf(undone)).message).to.equal('undo')
    expect(await find()).to.equal(pat)
    await inTransaction(house.storage, await house.system(), (inside) => sessions().endAll(inside, pat))
    expect(await find()).to.equal(null)
  })

  it('do not begin with a password that was right, and has been changed or removed since', async () => {
    for (const next of ['another long password', null]) {
      await house.access.credentials.setPassword(pat, PASSWORD)
      const signIn = signInWith()
      const { email = '' } = (await house.people.find({ id: pat })) ?? {}
      const right = await signIn.checkPassword(email, PASSWORD, HERE)
      await house.access.credentials.setPassword(pat, next)
      expect(await errorOf(signIn.begin(await house.by(pat), right))).to.be.instanceOf(Unauthenticated)
      expect(await countOf()).to.equal(0)
    }
  })

  it('are never more than twenty, also of those that begin at once, for several people', async () => {
    const owen = await house.addPerson(`Owen ${String.fromCharCode(97 + number)}`)
    const signIn = signInWith()
    const [calls, rights] = [
      await Promise.all([pat, owen].map((id) => house.by(id))),
      await Promise.all([pat, owen].map(rightFor)),
    ]
    const all = Array.from({ length: 60 }, (_, index) => {
      const [call, right] = [calls[index % 2], rights[index % 2]]
      if (!call || !right) throw new Error('There are two people')
      return signIn.begin(call, right)
    })
    const begun = await Promise.all(all)
    expect(new Set(begun.map(({ text }) => text)).size).to.equal(60)
    expect([await countOf(), await countOf(owen)]).to.deep.equal([20, 20])
  })

  it('do not outlive a password that is changed while they begin', async () => {
    await house.access.credentials.setPassword(pat, PASSWORD)
    const signIn = signInWith()
    const { email = '' } = (await house.people.find({ id: pat })) ?? {}
    const [right, call, system] = [await signIn.checkPassword(email, PASSWORD, HERE), await house.by(pat), await house.system()]
    await signIn.begin(call, right)
    expect(await countOf()).to.equal(1)
    const change = inTransaction(house.storage, system, async (inside) => {
      await house.access.credentials.setPassword(pat, 'another long password', inside)
      await sessions().endAll(inside, pat)
    })
    let isChanged = false
    const changed = change.then(() => {
      isChanged = true
    })
    const outcomes: string[] = []
    while (!isChanged)
      await signIn.begin(call, right).then(
        () => outcomes.push('begun'),
        () => outcomes.push('refused'),
      )
    await changed
    expect(outcomes).to.not.deep.equal([])
    expect(await countOf()).to.equal(0)
    expect(await errorOf(signIn.begin(call, right))).to.be.instanceOf(Unauthenticated)
  })

  it('end with their person, do not begin for one who is disabled, and do not come back', async () => {
    const { find } = await begin()
    const [call, right] = [await house.by(pat), await rightFor(pat)]
    await find()
    await house.operations.save(await house.system(), 'person', pat, { disabled: true })
    expect([await find(), await countOf()]).to.deep.equal([null, 0])
    expect(await errorOf(signInWith().begin(call, right))).to.be.instanceOf(Unauthenticated)
    await house.operations.save(await house.system(), 'person', pat, { disabled: false })
    expect(await find()).to.equal(null)
    expect((await begin()).text).to.match(/^itsm_ses_/)
  })

  it('are purged a day after they began, and not before', async () => {
    const owen = await house.addPerson(`Owen ${String.fromCharCode(97 + number)}`)
    await begin()
    house.clock.pass(24 * HOUR - 1)
    const young = await begin(owen)
    await sessions().purge()
    expect([await countOf(), await countOf(owen)]).to.deep.equal([1, 1])
    house.clock.pass(1)
    await sessions().purge()
    expect([await countOf(), await countOf(owen), await young.find()]).to.deep.equal([0, 1, owen])
  })

  it('are not looked up by texts that cannot be right', async () => {
    const { text } = await begin()
    const signIn = signInWith()
    const swapped = text.replace(/(.)(.)$/, '$2$1')
    const wrong = [
      ...[text.slice(0, -1), `${text}0`, ` ${text}`, text.replace('ses', 'pat'), text.toUpperCase(), `"${text}"`, '', '\0'],
      ...['x'.repeat(10_000), `itsm_ses_${'0'.repeat(36)}`, ...(swapped === text ? [] : [swapped])],
    ]
    const asks = async () => {
      for (const one of wrong) {
        expect(await signIn.find(one, HERE), one.slice(0, 60)).to.equal(null)
        await signIn.end(one)
      }
    }
    expect(await countStatements(house.storage.knex).during(asks)).to.equal(0)
    expect(await use(text)).to.equal(pat)
  })

  it('that are unknown stay unknown, however many there are: others at the address get in', async () => {
    const [right, ended] = [await begin(), await begin()]
    await signInWith().end(ended.text)
    const signIn = signInWith()
    const found = await Promise.all(Array.from({ length: 120 }, () => signIn.find(ended.text, HERE)))
    expect(found.every((one) => one === null)).to.equal(true)
    expect((await signIn.find(right.text, HERE))?.id).to.equal(pat)
    await sessions().finished()
  })
})
