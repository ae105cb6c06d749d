import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import { createDeliveries } from '../../plugin/deliveries/deliveries.js'
import { extendRecord, rule } from '../../plugin/index.js'
import { createMailWriter } from '../../plugin/mails/mail-to.js'
import { createMailChannel, type MailsDeps } from '../../plugin/mails/mails.js'
import { createLeases } from '../../plugin/storage/queues/leases.js'
import { addMails } from '../../plugin/storage/queues/mail-queue.js'
import { type Mail, mistakeInMail } from '../../plugin/words/mails/mail.js'
import { createWords } from '../../plugin/words/words.js'
import { recordLog } from '../jobs/record-log.js'
import { withHouse } from '../support/house.js'

const MINUTE = 60_000
/** A rule of a host that tells a person of each new site. */
const greets = rule('greets', () => ({
  fields: ['remarks'],
  written({ call, fail, mail, next }) {
    mail(call.actor?.id ?? null, 'desired_completion_set', { id: Number(next['id']), subject: 'x', desired: 'soon' })
    if (next['remarks'] === 'typo') mail(1, 'desired_completion' as never, {})
    if (next['remarks'] === 'refuse') fail('remarks', 'not_allowed')
  },
}))

describe('mails about records', function () {
  this.timeout(60_000)
  const house = withHouse({ file: true, extend: [extendRecord('site', { rules: [greets()] })] })
  const sent: Mail[] = []
  const recorded = recordLog()
  let [agent, team] = [0, 0]
  let present = Date.parse('2026-11-21T09:30:00Z')
  const pass = (milliseconds: number) => {
    present += milliseconds
    house.clock.set(new Date(present).toISOString())
  }
  const mailsOf = (deps: Partial<MailsDeps> = {}) => {
    const { access, catalog, clock, storage } = house
    const { log } = recorded
    const leases = createLeases({ storage, clock, log, randomId: () => `${Math.random()}` })
    const sendMail = async (mail: Mail) => void sent.push(mail)
    const channels = [createMailChannel({ ...access, log, words: createWords(), sendMail, ...deps })]
    const parts = { catalog, storage, clock, leases, log, channels, takeOverAfterMs: MINUTE, keepDays: 30 }
    return { sendDue: () => createDeliveries(parts).deliverDue('mail') }
  }
  const waiting = async () => (await house.table('channel_deliveries')).filter(({ state }) => state === 'waiting')
  const ask = async (person: number, more: object = {}) => {
    const body = { subject: 'Mail is slow', category: 'other', team_id: team, requested_by_id: person, ...more }
    return Number((await house.operations.save(await house.by(agent), 'request', null, body))['id'])
  }
  const change = async (id: number, body: object) => house.operations.save(await house.by(agent), 'request', id, body)
  /** The mails since the last time, as subject and text. */
  const received = async () => {
    sent.length = 0
    await mailsOf().sendDue()
    return sent.map(({ subject, text, to }) => ({ to: to.join(), subject, text }))
  }
  before(async () => {
    agent = await house.addPerson('Sam', ['specialist'])
    team = await house.add('team', { name: 'Desk' })
  })

  it('tell the requester of a desired completion, in the language and time zone of the requester', async () => {
    const ines = await house.addPerson('Ines', [], { locale: 'nl', time_zone: 'Amsterdam' })
    const id = await ask(ines, { desired_completion_at: '2026-12-01T12:00:00Z' })
    await change(id, { desired_completion_at: '2026-12-02T08:30:00Z' })
    await change(id, { subject: 'Mail is still slow' })
    await change(id, { desired_completion_at: '2026-12-02T09:30:00+01:00' })
    await change(id, { desired_completion_at: null })
    const mails = await received()
    expect(mails.map(({ text }) => text)).to.deep.equal([
      `Voor dit verzoek is een gewenste voltooiing vastgelegd.\n\nVerzoek: ${id}\nOnderwerp: Mail is slow\nGewenste voltooiing: dinsdag 1 december 2026 om 13:00 CET\nAccount: ACME\n`,
      `De gewenste voltooiing van dit verzoek is gewijzigd.\n\nVerzoek: ${id}\nOnderwerp: Mail is slow\nGewenste voltooiing: woensdag 2 december 2026 om 09:30 CET\nEerder: dinsdag 1 december 2026 om 13:00 CET\nAccount: ACME\n`,
      `De gewenste voltooiing van dit verzoek is vervallen.\n\nVerzoek: ${id}\nOnderwerp: Mail is still slow\nEerder: woensdag 2 december 2026 om 09:30 CET\nAccount: ACME\n`,
    ])
    expect(mails[0]?.subject).to.equal(`Gewenste voltooiing van verzoek ${id}: Mail is slow`)
    expect(new Set(mails.map(({ to }) => to))).to.deep.equal(new Set(['ines@acme.example']))
    expect(await waiting()).to.deep.equal([])
  })

  it('fall back to the language and the time zone of the account', () => {
    const account = { locale: 'de', timeZone: 'Berlin', name: 'ACME' }
    const values = { id: 1, subject: 's', desired: { at: '2026-12-01T12:00:00Z' } }
    for (const locale of [null, 'xx', '../etc']) {
      const person = { email: 'a@x', locale, timeZone: null }
      const { text } = createMailWriter(createWords())(person, account, 'desired_completion_set', values)
      expect(text).to.contain('Gewünschter Abschluss: Dienstag, 1. Dezember 2026 um 13:00 MEZ\n')
    }
    // A language without texts gets English ones, with English dates.
    const person = { email: 'a@x', locale: 'fi', timeZone: 'No such zone' }
    const { text } = createMailWriter(createWords())(person, account, 'desired_completion_set', values)
    expect(text).to.match(/Desired completion: Tuesday, December 1, 2026 at 12:00\sPM UTC\n/)
  })

  it('come from templates, too, and not from a change that is refused', async () => {
    const template = await house.add('request_template', { subject: 'Laptop', category: 'other', desired_completion: 90 })
    const eva = await house.addPerson('Eva')
    await ask(eva, { template_id: template })
    const id = await ask(eva)
    await change(id, { desired_completion_at: '2026-12-01T12:00:00Z', subject: '' }).catch(() => {})
    expect((await received()).map(({ text }) => text.split('\n')[0])).to.deep.equal([
      'A desired completion has been set for your request.',
    ])
  })

  it('are a single line where a header is, and cannot be mistaken for other lines', async () => {
    const eve = await house.addPerson('Eve')
    const subject = 'Slow\r\nBcc: all@acme.example\u2028Account: \u0085\u0000\u001b[2J {desired} {id}'
    await house.storage
      .knex('itsm_requests')
      .where({ id: await ask(eve) })
      .update({ subject: 'x' })
    const { storage, clock } = house
    const params = { id: 1, subject, desired: { at: '2026-12-01T12:00:00Z' } }
    await addMails(
      storage.knex,
      storage,
      [{ accountId: 'acme', to: { personId: eve }, mail: 'desired_completion_set', params }],
      clock.now(),
    )
    const [mail] = await received()
    expect(mail?.subject).to.equal('Desired completion of request 1: Slow Bcc: all@acme.example Account: [2J {desired} {id}')
    expect(mail?.text.split('\n')).to.have.length(7)
    expect(`${mail?.subject}${mail?.text.replaceAll('\n', '')}`).not.to.match(/\p{Cc}|\u2028/u)
  })

  it('are tried again when the host fails, ten times in all, while others are sent', async () => {
    const [bad, good] = [await house.addPerson('Bad'), await house.addPerson('Good')]
    await ask(bad, { desired_completion_at: '2026-12-01T12:00:00Z' })
    await ask(good, { desired_completion_at: '2026-12-01T12:00:00Z' })
    sent.length = 0
    let tries = 0
    const mails = mailsOf({
      sendMail: (mail) => {
        if (mail.to[0] === 'good@acme.example') return Promise.resolve(void sent.push(mail))
        tries += 1
        if (tries % 2 === 0) throw new Error('no mail today')
        return Promise.reject(undefined)
      },
    })
    const first = await mails.sendDue()
    expect([first.delivered, first.failed, first.next?.getTime()]).to.deep.equal([1, 1, present + MINUTE])
    expect((await mails.sendDue()).failed).to.equal(0)
    for (let minutes = 1; minutes <= 256; minutes *= 2) {
      pass(minutes * MINUTE)
      await mails.sendDue()
    }
    expect(tries).to.equal(10)
    expect(sent).to.have.length(1)
    expect(await waiting()).to.deep.equal([])
    expect(recorded.of('error').map(({ message }) => message)).to.deep.equal([
      'A mail could not be sent for the last time; it is dropped',
    ])
  })

  it('do not wait for one that cannot be written, and count each error of the host', async () => {
    const { clock, storage } = house
    const eve = await house.addPerson('Eve Late')
    const add = (mail: string, params: object) =>
      addMails(storage.knex, storage, [{ accountId: 'acme', to: { personId: eve }, mail, params } as never], clock.now())
    const params = { id: 1, subject: 'x', desired: 'soon' }
    await add('of_a_newer_version', params)
    for (const wrong of [null, { at: 'yesterday' }, {}]) await add('desired_completion_set', { ...params, subject: wrong })
    await add('desired_completion_set', params)
    // Whatever is thrown, the mail was not sent.
    for (const thrown of ['', 0, false, null]) {
      const { failed, delivered: taken } = await mailsOf({ sendMail: () => Promise.reject(thrown) }).sendDue()
      expect([failed, taken]).to.deep.equal([5, 0])
      pass(600 * MINUTE)
    }
    expect(await received()).to.have.length(1)
    expect((await waiting()).map(({ attempts }) => Number(attempts))).to.deep.equal([5, 5, 5, 5])
    await storage.knex('itsm_channel_deliveries').delete()
  })

  it('do not wait forever for a host that does not take one', async () => {
    await ask(await house.addPerson('Slow'), { desired_completion_at: '2026-12-01T12:00:00Z' })
    const result = await mailsOf({ timeout: 20, sendMail: () => new Promise(() => {}) }).sendDue()
    expect(result.failed).to.equal(1)
    pass(MINUTE)
    expect(await received()).to.have.length(1)
  })

  it('are dropped when the person has been disabled', async () => {
    const gone = await house.addPerson('Gone')
    await ask(gone, { desired_completion_at: '2026-12-01T12:00:00Z' })
    await house.operations.save(await house.system(), 'person', gone, { disabled: true })
    expect(await received()).to.deep.equal([])
    expect(await waiting()).to.deep.equal([])
  })

  it('are sent once by several processes, and by another one when the first has died', async () => {
    const many = await Promise.all(Array.from({ length: 5 }, (_, index) => house.addPerson(`Reader ${'abcde'[index]}`)))
    for (const person of many) await ask(person, { desired_completion_at: '2026-12-01T12:00:00Z' })
    sent.length = 0
    const slow = async (mail: Mail) => {
      await setTimeout(5)
      sent.push(mail)
    }
    await Promise.all([1, 2, 3].map(() => mailsOf({ sendMail: slow }).sendDue()))
    expect(sent.map(({ to }) => to[0]).sort()).to.deep.equal(many.map((_, index) => `reader.${'abcde'[index]}@acme.example`))
    await house.storage
      .knex('itsm_leases')
      .insert({ kind: 'mails', name: '', holder: 'dead', held_until: '2026-01-01 00:00:00.000', beats: 1 })
      .onConflict(['kind', 'name'])
      .merge()
    await ask(many[0] ?? 0, { desired_completion_at: '2026-12-01T12:00:00Z' })
    expect(await received()).to.have.length(1)
  })

  it('reach each person in order, and several people at the same time', async () => {
    const [one, two] = [await house.addPerson('One'), await house.addPerson('Two')]
    const due = { desired_completion_at: '2026-12-01T12:00:00Z' }
    const id = await ask(one, { ...due, subject: 'First' })
    await change(id, { desired_completion_at: null, subject: 'Second' })
    await ask(two, { ...due, subject: 'Other' })
    const steps: string[] = []
    let release = () => {}
    const otherIsSent = new Promise<void>((resolve) => {
      release = resolve
    })
    await mailsOf({
      async sendMail({ subject }) {
        const name = subject.split(': ').at(-1)
        steps.push(`${name} begins`)
        // Ends only if the mail to somebody else is sent meanwhile.
        if (name === 'First') await otherIsSent
        steps.push(`${name} ends`)
        if (name === 'Other') release()
      },
    }).sendDue()
    expect(steps.slice(0, 3)).to.have.members(['First begins', 'Other begins', 'Other ends'])
    expect(steps.slice(3)).to.deep.equal(['First ends', 'Second begins', 'Second ends'])
  })

  it('are looked for again soon while another process sends, and taken over when it has died', async () => {
    const { clock, storage } = house
    await ask(await house.addPerson('Waiting'), { desired_completion_at: '2026-12-01T12:00:00Z' })
    const other = createLeases({ storage, clock, log: recorded.log, randomId: () => 'other' }).holder('mails', MINUTE)
    await other.take([''])
    const result = await mailsOf().sendDue()
    expect([result.delivered, result.next?.getTime()]).to.deep.equal([0, present + 1000])
    pass(MINUTE)
    expect(await received()).to.have.length(1)
  })

  it('are at hand in rules of the host, and vanish with what is undone', async () => {
    const call = await house.by(await house.addPerson('Ada', ['account_administrator']))
    await house.operations.save(call, 'site', null, { name: 'Plant' })
    await house.operations.save(call, 'site', null, { name: 'Ruin', remarks: 'refuse' }).catch(() => {})
    expect((await received()).map(({ text }) => text)).to.deep.equal([
      'A desired completion has been set for your request.\n\nRequest: 1\nSubject: x\nDesired completion: soon\nAccount: ACME\n',
    ])
  })

  it('are checked when a rule queues them: nobody would see the mistake later', async () => {
    const call = await house.by(await house.addPerson('Tess', ['account_administrator']))
    const error = await house.operations
      .save(call, 'site', null, { name: 'Typo', remarks: 'typo' })
      .catch((thrown: Error) => thrown)
    expect(error).to.have.property('cause').that.is.instanceOf(TypeError)
    expect(String(error)).to.match(/rule \w+ of site failed: mail: there is no mail 'desired_completion'$/)
    const mistake = (values: unknown) => mistakeInMail('desired_completion_set', values)
    expect(mistake({ id: 1, subject: '', desired: { at: '2026-12-01T12:00:00Z' } })).to.equal(null)
    expect(mistake(null)).to.equal('the values must be an object, not null')
    for (const [value, shown] of [
      [null, 'null'],
      [undefined, 'undefined'],
      [Number.NaN, 'NaN'],
      [true, 'true'],
      [{ at: 'soon' }, 'an object'],
      [{ at: 5 }, 'an object'],
      [[], 'an empty list'],
    ])
      expect(mistake({ subject: value })).to.equal(`subject: must be a text, a number or { at: timestamp }, not ${shown}`)
  })

  it('cost one statement for a batch', async () => {
    const person = await house.addPerson('Many')
    const body = {
      subject: 's',
      category: 'other',
      team_id: team,
      requested_by_id: person,
      desired_completion_at: '2026-12-01T12:00:00Z',
    }
    const statements: string[] = []
    const listen = ({ sql }: { sql: string }) => statements.push(sql)
    house.storage.knex.on('query', listen)
    await house.operations.saveAll(
      await house.by(agent),
      'request',
      Array.from({ length: 20 }, () => ({ id: null, body })),
    )
    house.storage.knex.removeListener('query', listen)
    expect(statements.filter((sql) => sql.includes('channel_deliveries'))).to.have.length(1)
    expect(await received()).to.have.length(20)
  })
})
