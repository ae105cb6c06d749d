import { expect } from 'chai'
import { MINUTE, withWebhooks } from '../support/webhooks.js'

/** A port on which nobody listens. */
const NOBODY = 'http://user:secret@127.0.0.1:9/hook?token=secret'

describe('mails about failing webhooks', () => {
  const world = withWebhooks()

  it('go to the addresses of the webhook', async () => {
    const uri = NOBODY
    await world.queue(await world.addWebhook({ uri, mail_exceptions_to: 'ines@example.com, ops@example.com' }), 1)
    const { deliverDue, close } = world.deliveries()
    await deliverDue()
    await close()
    expect(world.mails).to.have.length(1)
    expect(world.mails[0]).to.deep.include({
      to: ['ines@example.com', 'ops@example.com'],
      subject: 'Webhook Told of requests could not be delivered',
    })
    expect(world.mails[0]?.text)
      .to.contain('Address: http://127.0.0.1:9/hook\n')
      .and.contain('Last error: Connection refused')
      .and.not.contain('secret')
  })

  it('are in the language of each reader, one mail for each language', async () => {
    const languages = ['de', 'nl', 'de', 'fr']
    const readersOf = async () => languages.map((language, index) => ({ email: `reader${index}@acme.example.com`, language }))
    await world.queue(await world.addWebhook({ uri: NOBODY, name: 'Pager' }), 1)
    const { deliverDue, close } = world.deliveries({ readersOf })
    await deliverDue()
    await close()
    expect(world.mails.map(({ to, subject }) => [to, subject])).to.deep.equal([
      [['reader0@acme.example.com', 'reader2@acme.example.com'], 'Webhook Pager konnte nicht zugestellt werden'],
      [['reader1@acme.example.com'], 'Webhook Pager kon niet worden afgeleverd'],
      [['reader3@acme.example.com'], 'Échec d’un appel du webhook Pager'],
    ])
    expect(world.mails[0]?.text).to.match(/^Ein Aufruf des Webhooks Pager ist fehlgeschlagen\.\n\nAdresse: /)
    expect(world.mails[0]?.text).to.match(/\nDatensatz: \d+\nVersuch: 1\nLetzter Fehler: Verbindung abgelehnt\nKonto: acme\n/)
  })

  it('go to the account administrators when the webhook has no addresses', async () => {
    await world.queue(await world.addWebhook({ uri: NOBODY }), 1)
    const { deliverDue, close } = world.deliveries()
    await deliverDue()
    await close()
    expect(world.mails.map(({ to }) => to)).to.deep.equal([['admin@acme.example.com']])
  })

  it('come at most once in 20 minutes for each webhook, also from several processes', async () => {
    const one = await world.addWebhook({ uri: NOBODY, name: 'One' })
    const two = await world.addWebhook({ uri: NOBODY.replace('/hook', '/other'), name: 'Two' })
    const processes = [world.deliveries(), world.deliveries()]
    for (let minute = 0; minute <= 20; minute += 5) {
      for (const id of [one, two]) await world.queue(id, 3)
      for (const { deliverDue } of processes) await deliverDue()
      world.clock.pass(5 * MINUTE)
    }
    for (const { close } of processes) await close()
    const subjects = world.mails.map(({ subject }) => subject).filter((subject) => subject.endsWith('could not be delivered'))
    expect(subjects.map((subject) => subject.slice(0, 11)).sort()).to.deep.equal([
      ...['Webhook One', 'Webhook One', 'Webhook Two', 'Webhook Two'],
    ])
  })

  it('do not disturb deliveries when they cannot be sent, and are sent again', async () => {
    await world.queue(await world.addWebhook({ uri: NOBODY }), 1)
    const { deliverDue, close } = world.deliveries({ sendMail: () => Promise.reject(new Error('no mail today')) })
    expect(await deliverDue()).to.include({ failed: 1 })
    await close()
    expect(world.log.lines.map(({ level, message }) => [level, message])).to.deep.equal([
      ['warn', 'A mail could not be sent and will be sent again'],
    ])
    world.clock.pass(MINUTE)
    await world.deliveries().deliverDue()
    expect(world.mails.map(({ subject }) => subject)).to.deep.equal(['Webhook Told of requests could not be delivered'])
  })

  it('are only logged about when nobody can get them', async () => {
    await world.queue(await world.addWebhook({ uri: NOBODY }), 1)
    const { deliverDue, close } = world.deliveries({ readersOf: async () => [] })
    await deliverDue()
    await close()
    expect(world.mails).to.deep.equal([])
    expect(world.log.lines.map(({ level }) => level)).to.deep.equal(['warn'])
  })

  it('have no line breaks in the subject', async () => {
    await world.queue(await world.addWebhook({ uri: NOBODY, name: 'A\r\nBcc: all@example.com' }), 1)
    const { deliverDue, close } = world.deliveries()
    await deliverDue()
    await close()
    expect(world.mails[0]?.subject).to.equal('Webhook A Bcc: all@example.com could not be delivered')
  })
})
