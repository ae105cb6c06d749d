import { expect } from 'chai'
import {
  createRecognition,
  type HostPerson,
  type NewcomerSeen,
  type Provision,
} from '../../../plugin/access/sign-in/recognize-person.js'
import { HookFailed, TimedOut } from '../../../plugin/core/errors.js'
import { createAskHost } from '../../../plugin/core/waiting/ask-host.js'
import { errorOf, withHouse } from '../../support/house.js'

function never(message: string): never {
  throw new Error(message)
}

describe('A person who is signed in at the host', () => {
  const house = withHouse()
  const HOOK = 'people.signedIn'
  let ada = 0
  let gone = 0
  before(async () => {
    ada = await house.addPerson('Ada')
    gone = await house.addPerson('Gone', [], { disabled: true })
  })

  /** A process of its own, as far as signing in goes. */
  function process(provision?: Provision, people = house.people) {
    const logged: { readonly details: object; readonly message: string }[] = []
    const warn = (details: object, message: string) => void logged.push({ details, message })
    const log = { debug() {}, info() {}, error() {}, warn }
    const { clock, createPerson: create } = house
    const recognize = createRecognition({ people, ask: createAskHost(200), log, clock, create, provision })
    return { logged, find: async (person: HostPerson) => (await recognize(HOOK, person))?.id ?? null }
  }
  const count = async (email: string) =>
    (await house.table('people')).filter(({ primary_email }) => primary_email === email).length

  it('is the one of the record, whoever could be made', async () => {
    const { find, logged } = process(() => {
      throw new Error('must not be asked')
    })
    expect(await find({ id: ada })).to.equal(ada)
    expect(await find({ email: 'ada@acme.example' })).to.equal(ada)
    expect(logged).to.deep.equal([])
  })

  it('is refused without a record, with a line in the log that does not come with each call', async () => {
    const { find, logged } = process()
    for (const person of [{ email: 'new@acme.example', account: 'acme' }, { id: 99_999 }, { id: gone }]) {
      expect(await find(person)).to.equal(null)
    }
    const message = 'No enabled person matches the result of the hook: the call is refused'
    expect(logged).to.deep.equal([{ details: { hook: HOOK, person: { email: 'new@acme.example', account: 'acme' } }, message }])
    house.clock.set('2026-11-21T09:31:01Z')
    await find({ id: 99_999 })
    expect(logged[1]?.details).to.deep.equal({ hook: HOOK, person: { id: 99_999 }, refusedSinceLastLine: 2 })
  })

  it('gets a record on first sight, through the pipeline, with roles', async () => {
    const asked: NewcomerSeen[] = []
    const { find } = process(async (newcomer) => {
      asked.push(newcomer)
      const { name } = newcomer.known as { name: string }
      return { body: { name, job_title: 'Engineer' }, roles: ['key_contact'] }
    })
    const person = { email: 'Nina@acme.example', account: 'acme', known: { name: 'Nina' } }
    const id = await find(person)
    expect(id).to.be.a('number')
    expect(await house.row('person', Number(id))).to.deep.include({
      ...{ name: 'Nina', job_title: 'Engineer', primary_email: 'nina@acme.example', account_id: 'acme', disabled: false },
    })
    expect([...(await house.people.rolesOf(Number(id), 'acme'))]).to.deep.equal(['key_contact'])
    const lines = (await house.table('audit_lines')).filter(
      ({ owner_id, owner_type }) => owner_id === id && owner_type === 'person',
    )
    expect(lines.map(({ action, created_by_id }) => [action, created_by_id])).to.deep.equal([
      ['create', null],
      ['update', null],
    ])
    expect(await find(person)).to.equal(id)
    expect(await find({ email: 'nina@acme.example' })).to.equal(id)
    expect(asked).to.deep.equal([person])
  })

  it('gets one record, however many first calls there are, in several processes', async () => {
    let asked = 0
    const provision: Provision = async () => {
      asked += 1
      await new Promise((resolve) => setTimeout(resolve, 20))
      return { account: 'acme', body: { name: 'Otto' } }
    }
    const processes = [process(provision), process(provision), process(provision)]
    const person = { email: 'otto@acme.example' }
    const ids = await Promise.all(processes.flatMap(({ find }) => [find(person), find(person), find(person)]))
    expect(new Set(ids).size).to.equal(1)
    expect(ids[0]).to.be.a('number')
    expect(await count('otto@acme.example')).to.equal(1)
    expect(asked).to.equal(3)
  })

  it('is not taken for disabled when another process makes the record between two looks', async () => {
    const person = { email: 'olga@acme.example', account: 'acme' }
    const provision: Provision = () => ({ body: { name: 'Olga' } })
    const isKnown: typeof house.people.isKnown = async (key) => {
      await process(provision).find(person)
      return house.people.isKnown(key)
    }
    const { find, logged } = process(provision, { ...house.people, isKnown })
    expect(await find(person)).to.be.a('number')
    expect(logged).to.deep.equal([])
    expect(await count(person.email)).to.equal(1)
  })

  it('is refused when the host makes none, and when the person is disabled', async () => {
    const { find, logged } = process(() => null)
    expect(await find({ email: 'nobody@acme.example', account: 'acme' })).to.equal(null)
    expect(logged[0]?.message).to.match(/^people\.provision returned no record/)
    const disabled = process(() => ({ account: 'acme', body: { name: 'Again' } }))
    for (const person of [{ email: 'gone@acme.example', account: 'acme' }, { email: ' GONE@acme.example' }]) {
      expect(await disabled.find(person)).to.equal(null)
    }
    expect(disabled.logged[0]?.message).to.match(/is disabled/)
    expect(await count('gone@acme.example')).to.equal(1)
    // In another account the address belongs to somebody else.
    expect(await process(() => ({ body: { name: 'Other' } })).find({ email: 'gone@acme.example', account: 'globex' })).to.be.a(
      'number',
    )
  })

  it('gets no record from an answer that is wrong, and the error names the hook', async () => {
    const email = 'wrong@acme.example'
    const body = { name: 'Wrong' }
    const wrong: readonly (readonly [answer: unknown, reason: string])[] = [
      ['yes', 'it must return { body, account?, roles? } or null, and body is undefined'],
      [{ name: 'Wrong' }, 'it must return { body, account?, roles? } or null, and body is undefined'],
      [{ body, role: 'auditor' }, "it must return { body, account?, roles? }, without 'role'"],
      [{ body, account: '' }, 'it must name the account of the new person'],
      [{ body, account: 'globex' }, "its account 'globex' is not 'acme', where the person is signed in"],
      [
        { body: { ...body, primary_email: 'else@acme.example' } },
        `its primary_email 'else@acme.example' is not '${email}', with which the person is signed in`,
      ],
      [{ body: { primary_email: Object.create(null) } }, `its primary_email an object is not '${email}'`],
      [Object.defineProperty({}, 'body', { enumerable: true, get: () => never('an odd answer') }), 'an odd answer'],
      [{ body, roles: ['admin'] }, 'its roles must be an array of names, among account_owner'],
      [{ body: {} }, "Validation Failed: 'name' can't be blank"],
      [{ body: { ...body, job_titel: 'x' } }, "Validation Failed: 'job_titel' is not a known field; did you mean 'job_title'?"],
    ]
    for (const [answer, reason] of wrong) {
      const error = await errorOf(process(() => answer as never).find({ email, account: 'acme' }))
      expect(error).to.be.instanceOf(HookFailed)
      expect(error.message).to.include(`The host's people.provision failed: ${reason}`)
    }
    const nowhere = await errorOf(process(() => ({ body, account: 'nowhere' })).find({ email }))
    expect(nowhere.message).to.equal("The host's people.provision failed: There is no account 'nowhere'")
    const silent = await errorOf(process(() => new Promise(() => {})).find({ email, account: 'acme' }))
    expect(silent).to.be.instanceOf(TimedOut)
    expect(await count(email)).to.equal(0)
    // Nothing is remembered of what has failed.
    expect(await process(() => ({ body })).find({ email, account: 'acme' })).to.be.a('number')
  })
})
