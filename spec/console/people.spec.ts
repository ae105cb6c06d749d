/** People and roles, tokens, OAuth clients and the account in the console. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { Page } from 'playwright-core'
import { withConsole } from '../support/console-visits.js'
import { withMounted } from '../support/mounted.js'

type Roles = readonly { readonly account: { readonly id: string }; readonly roles: readonly string[] }[]

/** Opens a section of the page of a record. */
const open = (page: Page, title: string) => page.locator('summary', { hasText: title }).click()
const accept = (page: Page) => page.on('dialog', (dialog) => void dialog.accept())

describe('people in the console', function () {
  this.timeout(60_000)
  const mounted = withMounted('mounted under a prefix', { console: true, oauth: {} })
  const { expectRefusals, home, says, settled, signIn, visit } = withConsole(mounted)
  const person = (name: string) => `/people/${mounted.world.id(name)}`
  const rolesOf = async (name: string) => {
    const { json } = await mounted.ask('owen', 'GET', `${person(name)}/permissions`)
    return Object.fromEntries((json as Roles).map(({ account, roles }) => [account.id, roles]))
  }
  const bearer = async (token: string) =>
    (await mounted.ask(null, 'GET', '/requests?per_page=1', undefined, { Authorization: `Bearer ${token}` })).status
  const changeRoles = async (page: Page, name: string, account = 'Widget Corporation') => {
    await page.goto(home() + person(name))
    await open(page, 'Roles')
    await page.getByRole('button', { name: `Change roles in ${account}` }).click()
  }

  /** The form has gone: it has the explanations of all roles, too. */
  const isSaved = (page: Page) => page.locator('.role-form').waitFor({ state: 'detached' })

  it('gives and takes roles, and the other person sees it at the next load', async () => {
    const hank = await signIn('hank')
    await settled(hank.page)
    expect(await hank.page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).count()).to.equal(0)
    const { page } = await signIn('owen')
    await changeRoles(page, 'hank')
    await page.getByLabel('Account Administrator').check()
    await page.getByLabel('Change Manager').check()
    await page.getByRole('button', { name: 'Save' }).dblclick()
    await isSaved(page)
    await says(page, 'Maintains changes, tasks, and their templates.')
    expect(await rolesOf('hank')).to.deep.equal({ widgets: ['account_administrator', 'change_manager'] })

    await hank.page.reload()
    await hank.page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).click()
    await hank.page.getByRole('link', { name: 'New: Webhook' }).first().waitFor()
    // An administrator gives all roles but that of the owner.
    await changeRoles(hank.page, 'ines')
    expect(await hank.page.getByLabel('Account Owner').isDisabled()).to.equal(true)
    await hank.page.getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('button', { name: 'Change roles in' }).click()
    await page.getByLabel('Account Administrator').uncheck()
    await page.getByLabel('Change Manager').uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await says(page, 'No roles in this account.')
    expect(await rolesOf('hank')).to.deep.equal({})
    await hank.page.goto(`${home()}/account`)
    await says(hank.page, 'You may not do this.')
    expect(await hank.page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).count()).to.equal(0)
  })

  it('goes on with what others have changed meanwhile', async () => {
    const made = await signIn('owen')
    const { page } = made
    const path = `${person('carl')}/permissions/widgets`
    await changeRoles(page, 'carl')
    await page.getByLabel('Change Manager').uncheck()
    await page.getByLabel('Problem Manager').check()
    await mounted.ask('owen', 'POST', path, { roles: ['auditor'] })
    await page.getByRole('button', { name: 'Save' }).click()
    await says(page, /Stored are now: Auditor, Change Manager, Release Manager/)
    expectRefusals(made, [`412 PATCH /desk/api/v1${path}`])
    expect(await page.getByLabel('Auditor').isChecked()).to.equal(true)
    await page.getByRole('button', { name: 'Save' }).click()
    await isSaved(page)
    await says(page, 'Maintains problems.')
    expect(await rolesOf('carl')).to.deep.equal({ widgets: ['auditor', 'problem_manager', 'release_manager'] })
  })

  it('gives a role once and says so, although the answer is lost', async () => {
    const made = await signIn('owen')
    const { page } = made
    const path = `${person('petra')}/permissions/widgets`
    await changeRoles(page, 'petra')
    await page.getByLabel('Auditor').check()
    let lost = 1
    await page.route(`**/v1${path}`, async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      const response = await route.fetch()
      return lost-- > 0 ? route.abort() : route.fulfill({ response })
    })
    await page.getByRole('button', { name: 'Save' }).click()
    await says(page, /The server cannot be reached/)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Change roles in' }).waitFor()
    expectRefusals(made, [`412 PATCH /desk/api/v1${path}`])
    expect(await rolesOf('petra')).to.deep.equal({ widgets: ['auditor', 'project_manager'] })
  })

  it('asks before roles that were chosen are left, and explains what is refused', async () => {
    const made = await signIn('owen')
    const { page } = made
    const path = `${person('kim')}/permissions/widgets`
    await changeRoles(page, 'kim')
    await page.getByLabel('Auditor').check()
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.message())
      void dialog.dismiss()
    })
    await page.getByRole('navigation').getByRole('link', { name: 'Teams' }).click()
    expect(asked).to.deep.equal(['What you have typed is not saved. Leave it?'])
    for (const [status, text] of [
      [403, 'You may not do this. Closed'],
      [429, 'Too many requests at once. Try again in 7 seconds.'],
      [503, 'The server cannot answer now.'],
      [409, 'Closed'],
    ] as const) {
      await page.route(`**/v1${path}`, (route) =>
        route.fulfill({ status, headers: { 'Retry-After': '7' }, json: { message: 'Closed' } }),
      )
      await page.getByRole('button', { name: 'Save' }).click()
      await says(page, text)
      await page.unroute(`**/v1${path}`)
      expectRefusals(made, [`${status} PATCH /desk/api/v1${path}`])
    }
    expect(await rolesOf('kim')).to.deep.equal({ widgets: ['knowledge_manager'] })
  })

  it('makes a token, shows it once, and revokes it', async () => {
    const { page } = await signIn('eva')
    accept(page)
    await page.locator('.menu.person summary').click()
    await page.getByRole('link', { name: 'Your roles and tokens' }).click()
    await page.getByRole('heading', { name: 'Eva Nováková', level: 1 }).waitFor()
    await says(page, 'You have none yet.')
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('What it is for').fill('Dashboard')
    await page.getByLabel('May only read').check()
    await page.getByLabel('Only for some record types').check()
    expect(await page.getByRole('button', { name: 'Create' }).isDisabled()).to.equal(true)
    await page.getByLabel('Requests', { exact: true }).check()
    await page.getByRole('button', { name: 'Create' }).dblclick()
    const token = await page.locator('dialog output').innerText()
    expect(token).to.match(/^itsm_pat_[0-9A-Za-z]{36}$/)
    await page.getByRole('button', { name: 'I have stored it' }).click()
    expect(await page.content()).not.to.contain(token)
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.to.contain(token)
    const row = page.getByRole('row', { name: /Dashboard/ })
    await row.waitFor()
    expect(await row.innerText()).to.match(/May only read\s+Requests\s+Never used/)
    expect(await bearer(token)).to.equal(200)
    await page.reload()
    await row.getByText('Never used').waitFor({ state: 'detached' })

    // Somebody who has signed in with the token is told why nothing is there.
    const other = await visit()
    await other.page.goto(`${home()}/me`)
    await other.page.getByRole('button', { name: 'Use a token' }).click()
    await other.page.getByLabel('Token').fill(mounted.world.token('eva'))
    await other.page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await says(other.page, /You have signed in with a token/)
    expect(other.calls.filter((call) => call.includes('tokens'))).to.deep.equal([])

    await row.getByRole('button', { name: 'Revoke Dashboard' }).click()
    await says(page, 'Dashboard was revoked.')
    await row.waitFor({ state: 'detached' })
    expect(await bearer(token)).to.equal(401)
  })

  it('makes one token if the answer is lost, and says what to do', async () => {
    const made = await signIn('sam', '/me')
    const { page } = made
    accept(page)
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('What it is for').fill('Lost')
    await page.getByLabel('Ends after days').fill('')
    let lost = 1
    await page.route('**/v1/me/tokens', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      const response = await route.fetch()
      return lost-- > 0 ? route.abort() : route.fulfill({ response })
    })
    await page.getByRole('button', { name: 'Create' }).click()
    await says(page, /The answer did not arrive/)
    await page.getByRole('row', { name: /Lost.*Does not end/ }).waitFor()
    await page.getByRole('button', { name: 'Create' }).click()
    await page.locator('form .problem', { hasNotText: /cannot be reached/ }).waitFor()
    expectRefusals(made, ['422 POST /desk/api/v1/me/tokens'])
    expect(await page.getByRole('row', { name: /Lost/ }).count()).to.equal(1)
    await page.getByRole('button', { name: 'Revoke Lost' }).click()
    await says(page, 'You have none yet.')
    // What was typed makes another one.
    await page.getByRole('button', { name: 'Create' }).click()
    await page.locator('dialog output').waitFor()
  })

  it('makes an OAuth client, whose access tokens end with it', async () => {
    const made = await signIn('ravi', '/me')
    const { page } = made
    accept(page)
    await page.getByRole('button', { name: 'New client' }).click()
    await page.getByLabel('What it is for').fill('Nightly report')
    await page.getByRole('button', { name: 'Create' }).click()
    const secret = await page.locator('dialog output').innerText()
    expect(secret).to.match(/^itsm_ocs_/)
    await page.getByRole('button', { name: 'I have stored it' }).click()
    const row = page.getByRole('row', { name: /Nightly report/ })
    const clientId = await row.locator('.code').innerText()
    const ask = async () => {
      const form = new URLSearchParams({
        ...{ grant_type: 'client_credentials', client_id: clientId, client_secret: secret },
      })
      const { json, status } = await mounted.ask(null, 'POST', '/oauth/token', Buffer.from(String(form)), {
        'Content-Type': 'application/x-www-form-urlencoded',
      })
      return { status, token: (json as { readonly access_token?: string }).access_token ?? '' }
    }
    const { token } = await ask()
    expect(await bearer(token)).to.equal(200)
    // An administrator of the account revokes it.
    const owen = await signIn('owen', person('ravi'))
    accept(owen.page)
    await open(owen.page, 'OAuth clients')
    await owen.page.getByRole('button', { name: 'Revoke Nightly report' }).click()
    await says(owen.page, 'Nightly report was revoked.')
    expect([await bearer(token), (await ask()).status]).to.deep.equal([401, 401])
    // The other tab revokes what is gone, and ends where it wanted to be.
    await row.getByRole('button', { name: 'Revoke Nightly report' }).click()
    await says(page, 'Nightly report was revoked.')
    await row.waitFor({ state: 'detached' })
    expect(made.errors.map((error) => error.replace(/\d+$/, ''))).to.deep.equal(['404 DELETE /desk/api/v1/me/oauth_clients/'])
    made.errors.splice(0)
  })

  it('shows the account, who administers it and whom it trusts, to administrators', async () => {
    const { page } = await signIn('owen')
    await page.getByRole('navigation').getByRole('link', { name: 'Account and trusts' }).click()
    await page.getByRole('heading', { name: 'Widget Corporation', level: 1 }).waitFor()
    await page.getByRole('row', { name: /Partner Services.*partner/ }).waitFor()
    expect(await page.getByRole('row', { name: /Stranger/ }).count()).to.equal(0)
    const administrators = page.locator('section', { has: page.getByRole('heading', { name: 'Administrators' }) })
    await administrators.getByRole('link', { name: 'Owen Wright' }).click()
    await page.getByRole('heading', { name: 'Owen Wright', level: 1 }).waitFor()
  })
})

describe('somebody without rights in the console', function () {
  this.timeout(120_000)
  const mounted = withMounted('mounted under a prefix', { console: true })
  const { home, says, settled, signIn } = withConsole(mounted)

  it('gets neither data nor buttons, wherever they go', async () => {
    const { world } = mounted
    const ask = async (as: string, path: string) =>
      (await mounted.ask(as, 'GET', path)).json as readonly { readonly id: number; readonly subject: string }[]
    const basic = ({ email, password }: { readonly email: string; readonly password: string }) => ({
      Authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
    })
    const body = { name: 'Token of Owen' }
    expect((await mounted.ask(null, 'POST', '/me/tokens', body, basic(world.signIn('owen')))).status).to.equal(201)
    const readable = new Set((await ask('ines', '/requests?per_page=100')).map(({ id }) => id))
    const closed = (await ask('owen', '/requests?per_page=100')).filter(({ id }) => !readable.has(id))
    expect(closed.length).to.be.at.least(3)

    const made = await signIn('ines')
    const { answers, calls, errors, page } = made
    await settled(page)
    const links = page.getByRole('navigation').getByRole('link')
    expect(await links.count()).to.be.above(20)
    const others = ['owen', 'audrey', 'hank'].map((name) => `/people/${world.id(name)}`)
    const typed = [
      ...['/webhooks', '/webhooks/new', '/webhooks/1', '/audit_lines', '/imports', '/imports/new', '/account', '/me/tokens'],
      ...['/people/new', '/teams/new', ...others, ...others.map((path) => `${path}/permissions`), `/requests/${closed[0]?.id}`],
    ]
    const buttons = /^(Edit|Remove|Revoke|Change roles|Save|Send a test|New: (Webhook|Team|Person))/
    const look = async (path: string) => {
      await page.locator('main').locator('h1, .empty, .problem').first().waitFor()
      await settled(page)
      // Views and time entries are their own.
      if (/\/(views|time_entries)$/.test(path)) return
      const main = page.locator('main')
      expect(await main.getByRole('button', { name: buttons }).count(), `buttons of ${path}`).to.equal(0)
      expect(await main.locator('summary', { hasText: /^(Roles|Personal tokens|History)/ }).count(), path).to.equal(0)
    }
    for (let index = 0; index < (await links.count()); index++) {
      await links.nth(index).click()
      await look(page.url())
    }
    for (const path of typed) {
      await page.goto(home() + path)
      await look(path)
    }
    // Pages that were typed in ask for themselves, and are refused. Roles and tokens of others are not even asked for.
    const at = (path: string) => `/desk/api/v1${path}`
    expect(errors.splice(0).map((error) => error.replace(/\?.*/, ''))).to.deep.equal([
      `403 GET ${at('/webhooks')}`,
      `403 GET ${at('/webhooks/1')}`,
      `403 GET ${at('/audit_lines')}`,
      `404 GET ${at(`/requests/${closed[0]?.id}`)}`,
    ])
    const asked = calls.filter((call) => /permissions|tokens|oauth_clients|audit$|imports|account\b/.test(call))
    expect([...new Set(asked.map((call) => call.replace(/\?.*/, '')))].sort()).to.deep.equal([
      'GET /me/permissions',
      'GET /me/permissions/types',
      `GET /people/${world.id('ines')}/permissions`,
    ])
    const sent = answers.join('\n')
    expect(answers.length).to.be.above(80)
    for (const secret of [
      'Token of Owen',
      '"account_owner"',
      'itsm_pat_',
      ...closed.map(({ subject }) => JSON.stringify(subject)),
    ])
      expect(sent.includes(secret), secret).to.equal(false)
    await page.goto(`${home()}/me`)
    await says(page, 'No roles: what everybody may do, and no more.')
    expect(await page.getByRole('heading', { name: 'OAuth clients' }).count()).to.equal(0)
  })
})
