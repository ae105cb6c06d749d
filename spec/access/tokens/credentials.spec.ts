import { expect } from 'chai'
import { createCredentialStore } from '../../../plugin/access/tokens/credentials.js'
import { createSecrets } from '../../../plugin/access/tokens/secrets.js'
import { errorOf, withHouse } from '../../support/house.js'

describe('passwords and API tokens', () => {
  const house = withHouse()
  const store = () => house.access.credentials
  const digest = (token = '') => house.access.secrets.digest(token)

  it('are shown again as long as they are valid', async () => {
    const id = await house.addPerson('Ann')
    const token = await store().show(id)
    expect(token).to.match(/^[0-9a-f]{48}$/)
    expect(await store().show(id)).to.equal(token)
  })

  it('are one token, however many ask for it first', async () => {
    const id = await house.addPerson('Crowd')
    const shown = await Promise.all([store().show(id), store().show(id), store().show(id)])
    expect(new Set(shown).size).to.equal(1)
    expect((await house.people.withTokenDigest(digest(shown[0])))?.id).to.equal(id)
  })

  it('are invalid from the moment of the reset', async () => {
    const id = await house.addPerson('Bob')
    const old = await store().show(id)
    const token = await store().reset(id)
    expect(token).to.not.equal(old)
    expect(await house.people.withTokenDigest(digest(old))).to.equal(null)
    expect((await house.people.withTokenDigest(digest(token)))?.id).to.equal(id)
    expect(await store().show(id)).to.equal(token)
  })

  it('are kept beside each other: changing one leaves the other alone', async () => {
    const id = await house.addPerson('Cas')
    const token = await store().show(id)
    await store().setPassword(id, 'a good password')
    await store().reset(id)
    const [known] = await house.people.withEmail('cas@acme.example')
    expect(await house.access.secrets.matchesPassword('a good password', known?.passwordHash ?? '')).to.equal(true)
    expect(await store().show(id)).to.not.equal(token)
  })

  it('cannot be read from a copy of the database', async () => {
    const id = await house.addPerson('Dot')
    const token = await store().show(id)
    await store().setPassword(id, 'correct horse battery')
    const [row] = await house.storage.knex(house.storage.table('credentials')).where({ person_id: id })
    const dump = JSON.stringify(row)
    for (const form of [
      token,
      Buffer.from(token).toString('base64'),
      'correct horse',
      Buffer.from('correct horse').toString('base64').slice(0, 12),
    ]) {
      expect(dump).to.not.include(form)
    }
    // Nor opened, nor looked up, without the secret.
    const other = createSecrets('another secret that is long enough too!!')
    expect(other.open(String(row.token_sealed))).to.equal(null)
    expect(other.digest(token)).to.not.equal(row.token_digest)
    expect(await other.matchesPassword('correct horse battery', String(row.password_hash))).to.equal(true)
  })

  it('that were sealed with another secret are made anew', async () => {
    const id = await house.addPerson('Eve')
    const other = createSecrets('another secret that is long enough too!!')
    const old = await createCredentialStore(house.storage, other, house.clock).show(id)
    const token = await store().show(id)
    expect(token).to.not.equal(old)
    expect((await house.people.withTokenDigest(digest(token)))?.id).to.equal(id)
  })

  it('have a length that is neither guessed nor costly', async () => {
    const id = await house.addPerson('Fay')
    for (const password of ['', '1234567', 'x'.repeat(1_025)]) {
      expect(await errorOf(store().setPassword(id, password))).to.be.instanceOf(RangeError)
    }
    await store().setPassword(id, 'x'.repeat(1_024))
  })
})

describe('secrets', () => {
  const secrets = createSecrets('a secret that only these specs know, and long')

  it('hash the same password differently each time, and recognise it in either form of its letters', async () => {
    const [one, two] = [await secrets.hashPassword('caf\u00e9 au lait'), await secrets.hashPassword('caf\u00e9 au lait')]
    expect(one).to.not.equal(two)
    expect(await secrets.matchesPassword('cafe\u0301 au lait', one)).to.equal(true)
    expect(await secrets.matchesPassword('cafe au lait', one)).to.equal(false)
  })

  it('match nothing against a hash that is none', async () => {
    for (const hash of ['', 'scrypt', 'scrypt$$', 'plain$a$b', 'scrypt$AAAA$AA==']) {
      expect(await secrets.matchesPassword('', hash), hash).to.equal(false)
    }
  })

  it('open only what was sealed with them and not altered', () => {
    const sealed = secrets.seal('token')
    expect(secrets.open(sealed)).to.equal('token')
    expect(secrets.seal('token')).to.not.equal(sealed)
    const bytes = Buffer.from(sealed, 'base64')
    for (const place of [0, 12, bytes.length - 1]) {
      const altered = Buffer.from(bytes)
      altered[place] = (altered[place] ?? 0) ^ 1
      expect(secrets.open(altered.toString('base64'))).to.equal(null)
    }
    for (const short of ['', 'AAAA', Buffer.alloc(27).toString('base64')]) expect(secrets.open(short)).to.equal(null)
  })
})
