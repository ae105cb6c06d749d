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
    await says(page, /event: request\.create/)

    status = 200
    await page.getByRole('button', { name: 'Send again' }).click()
    await says(page, 'Sent', 20_000)
    await says(page, 'thanks', 20_000)
    expect(got.length).to.be.at.least(2)
    expect(new Set(got).size).to.equal(1)

    await page.getByText('Send a period again').click()
    const period = page.locator('form', { has: page.getByLabel('Which deliveries') })
    await period.getByRole('button', { name: 'Send again' }).click()
    await says(page, 'There was nothing to send again in this time.')
    await period.getByLabel('Which deliveries').selectOption('all')
    await period.getByLabel('Event').selectOption('request.create')
    await period.getByRole('button', { name: 'Send again' }).click()
    await says(page, /^Deliveries that are sent again: [1-9]/)

    await page.getByText('Why was an event not sent?').click()
    const why = page.locator('form', { has: page.getByLabel('Number of the record') })
    const { id } = created.json as { readonly id: number }
    await why.getByLabel('Number of the record').fill(`#${id}`)
    await why.getByRole('button', { name: 'Look' }).click()
    await says(page, 'The webhook asks for this event.')
    await why.getByLabel('Event').selectOption('request.update')
    await why.getByRole('button', { name: 'Look' }).click()
    await says(page, 'No such event is kept')
    expectRefusals(made, [
      `404 GET /desk/api/v1/webhooks/${new URL(page.url()).pathname.split('/').at(-1)}/why?event=request.update&object_id=${id}`,
    ])
  })
})
