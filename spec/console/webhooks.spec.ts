/** Webhooks in the console: one that fails, why, and again. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { withConsole } from '../support/console-visits.js'
import { withMounted } from '../support/mounted.js'

describe('webhooks in the console', function () {
  this.timeout(60_000)
  const mounted = withMounted('mounted under a prefix', {
    console: true,
    jobs: { backend: 'memory' },
    webhooks: { allowPrivateAddresses: true },
  })
  const { expectRefusals, says, signIn } = withConsole(mounted)
  let receiver: Server
  let status = 500
  const got: string[] = []
  before('starts jobs, and a receiver that fails', async () => {
    await mounted.itsm.start()
    receiver = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      got.push(body)
      response
        .writeHead(status, { 'Content-Type': 'text/plain' })
        .end(status === 500 ? 'The disk is full <b>here</b>' : 'thanks')
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
  })
  after('stops the receiver', () => {
    receiver.closeAllConnections()
    receiver.close()
  })

  it('shows why one fails, and sends again when the receiver is repaired', async () => {
    const made = await signIn('owen', '/webhooks/new')
    const { page } = made
    await page.getByLabel(/^Uri/).fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`)
    await page.getByRole('combobox', { name: /^Event/ }).selectOption('request.create')
    await page.getByLabel(/^Secret/).check()
    await page.getByRole('button', { name: 'Create' }).click()
    const secret = await page.locator('dialog output').innerText()
    expect(secret).to.match(/^whsec_/)
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await says(page, 'Nothing has been sent yet.')
    expect(await page.content()).not.to.contain(secret)

    const body = { subject: 'The lift stands', category: 'incident', impact: 'low' }
    const created = await mounted.ask('owen', 'POST', '/requests', body)
    expect(created.status).to.equal(201)
    await page.reload()
    await says(page, '500 Internal Server Error')
    await says(page, /^Fails since/)
    await page.getByRole('button', { name: /^request\.create #/ }).click()
    await says(page, 'The disk is full <b>here</b>')
    await says(page.locator('.deliveries .chip'), 'Refused, tried again later')
    const id = (created.json as { readonly id: number }).id
    expect(await page.getByRole('link', { name: `Request #${id}` }).getAttribute('href')).to.match(
      new RegExp(`/requests/${id}$`),
    )
    await says(page, /event: request\.create/)

    await page.getByRole('button', { name: 'Send again' }).click()
    await says(page, 'It could not be delivered: 500 Internal Server Error', 20_000)
    status = 200
    await page.getByRole('button', { name: 'Send again' }).click()
    await says(page, 'It was delivered.', 20_000)
    await says(page, 'Sent', 20_000)
    await says(page, 'thanks', 20_000)
    expect(got.length).to.be.at.least(2)
    expect(new Set(got).size).to.equal(1)

    // A test has a made-up record, and is not sent again.
    status = 500
    await page.getByRole('button', { name: 'Send a test' }).click()
    const test = page.locator('.deliveries li', { hasText: 'request.create · Test' })
    await test.locator('.chip', { hasText: 'Given up' }).waitFor()
    await test.getByRole('button', { name: 'request.create · Test' }).click()
    await says(test, 'The disk is full <b>here</b>')
    expect(await test.getByRole('link').count()).to.equal(0)
    expect(await test.getByRole('button', { name: 'Send again' }).count()).to.equal(0)
    status = 200

    await page.getByText('Send a period again').click()
    const period = page.locator('form', { has: page.getByLabel('Which deliveries') })
    await period.getByRole('button', { name: 'Send again' }).click()
    await says(page, 'There was nothing to send again in this time.')
    await period.getByLabel('Which deliveries').selectOption('all')
    await period.getByLabel('Event').selectOption('request.create')
    await period.getByRole('button', { name: 'Send again' }).click()
    const before = got.length
    await says(page, /^Deliveries that are sent again: [1-9]/)
    // The list follows what is sent again.
    await page.locator('.deliveries .chip', { hasText: 'Sent' }).first().waitFor()
    await page.locator('.deliveries', { hasText: /Attempts: [4-9]/ }).waitFor({ timeout: 20_000 })
    expect(got.length).to.be.at.least(before)

    await page.getByText('Why was an event not sent?').click()
    const why = page.locator('form', { has: page.getByLabel('Number of the record') })
    await why.getByLabel('Number of the record').fill('the lift')
    await why.getByRole('button', { name: 'Look' }).click()
    expect(await page.evaluate(`document.querySelector('input:invalid')?.value`)).to.equal('the lift')
    await why.getByLabel('Number of the record').fill(`#${id}`)
    await why.getByRole('button', { name: 'Look' }).click()
    await says(page, 'The webhook asks for this event.')
    await says(why, 'What became of it:')
    await says(why.locator('.chip'), 'Sent')
    await says(why, 'thanks')
    await why.getByLabel('Event').selectOption('request.update')
    await why.getByRole('button', { name: 'Look' }).click()
    await says(page, 'No such event is kept')
    expectRefusals(made, [
      `404 GET /desk/api/v1/webhooks/${new URL(page.url()).pathname.split('/').at(-1)}/why?event=request.update&object_id=${id}`,
    ])
  })

  it('shows more than the first twenty deliveries', async () => {
    const { json } = await mounted.ask('owen', 'POST', '/webhooks', {
      uri: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/many`,
      event: 'request.create',
    })
    const { id } = json as { readonly id: number }
    const bodies = Array.from({ length: 45 }, (_, index) => ({ subject: `Lift ${index}`, category: 'rfi' }))
    expect((await mounted.ask('owen', 'POST', '/requests', bodies)).status).to.equal(200)
    const { page } = await signIn('owen', `/webhooks/${id}`)
    await page.getByRole('button', { name: 'Show 45 of 45' }).click({ timeout: 20_000 })
    const lines = page.locator('.deliveries > li')
    await lines.nth(44).waitFor()
    expect(await lines.count()).to.equal(45)
    expect(new Set(await lines.getByRole('button', { name: /^request\.create #/ }).allInnerTexts()).size).to.equal(45)
  })
})
