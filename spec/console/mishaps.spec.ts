/** The console where something goes wrong: answers are lost, the server is away, and tabs and accounts differ. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { Page } from 'playwright-core'
import { withConsole } from '../support/console-visits.js'
import { withMounted } from '../support/mounted.js'

describe('the console when something goes wrong', function () {
  this.timeout(60_000)
  const mounted = withMounted('mounted under a prefix', { console: true })
  const { enter, expectRefusals, home, says, settled, signIn, visit } = withConsole(mounted)

  it('stores a note once, with its file, although the first answer is lost', async () => {
    const path = `/requests/${mounted.world.id('mail-is-slow')}`
    const made = await signIn('owen', path)
    const { page } = made
    let lost = 1
    await page.route(`**/v1${path}/notes`, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      const response = await route.fetch()
      return lost-- > 0 ? route.abort() : route.fulfill({ response })
    })
    await page.getByLabel('New note').fill('Told once')
    await page.getByLabel('Files').setInputFiles({ name: 'once.txt', mimeType: 'text/plain', buffer: Buffer.from('once') })
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.locator('.new-note .problem').waitFor()
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByRole('link', { name: 'once.txt' }).waitFor()
    const { json } = await mounted.ask('owen', 'GET', `${path}/notes?per_page=100`)
    expect((json as { text: string }[]).filter(({ text }) => text === 'Told once')).to.have.lengthOf(1)
    expect(lost).to.equal(-1)
    expectRefusals(made, [])
  })

  it('chooses nobody whom the text does not mean, however fast Enter follows', async () => {
    const { page } = await signIn('owen', '/requests/new')
    const field = page.getByLabel(/^Requested for/)
    await field.click()
    await page.locator('[role=option]').nth(1).waitFor()
    await settled(page)
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('Hank')
    await page.keyboard.press('Enter')
    expect(await field.inputValue()).to.equal('Hank')
    await page.locator('[role=option]').nth(1).waitFor({ state: 'detached' })
    await page.locator('[role=option]', { hasText: 'Hank' }).waitFor()
    await page.keyboard.press('Enter')
    expect(await field.inputValue()).to.match(/^Hank /)
  })

  it('says that somebody is still signed in, if the server cannot be asked', async () => {
    const made = await signIn('owen', '/requests')
    const { page } = made
    await page.route('**/v1/session', (route) => route.abort())
    await page.locator('.menu.person summary').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await says(page, /The server cannot be reached/)
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor()
    await page.unroute('**/v1/session')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.locator('input[name=email]').waitFor()
    expect(await page.context().cookies()).to.deep.equal([])
    expectRefusals(made, [])
  })

  it('shows the records of the account that somebody has changed to, in this tab alone', async () => {
    const { page } = await signIn('pat', '/people')
    await page.getByRole('link', { name: 'Paula Greene' }).waitFor()
    const other = await page.context().newPage()
    await other.goto(`${home()}/people`)
    await other.getByRole('link', { name: 'Paula Greene' }).waitFor()
    await page.locator('.menu.person summary').click()
    await page.getByLabel('Account').selectOption('widgets')
    await page.getByRole('link', { name: 'Eva Nováková' }).waitFor()
    expect(await page.getByRole('link', { name: 'Paula Greene' }).count()).to.equal(0)
    const asked = other.waitForRequest(/\/v1\/organizations\?/)
    await other.getByRole('navigation').getByRole('link', { name: 'Organizations' }).click()
    expect((await asked).headers()['x-svc-account']).to.equal(undefined)
    await page.reload()
    await page.getByRole('link', { name: 'Eva Nováková' }).waitFor()
  })

  it('lets somebody in who may not enter the account that was chosen before', async () => {
    const made = await visit()
    const { page } = made
    await page.goto(home())
    await page.evaluate("localStorage.setItem('koa-itsm /desk/api/console.account', 'partner')")
    await page.reload()
    const { email, password } = mounted.world.signIn('ines')
    await enter(page, email, password)
    await says(page, 'Hello, Ines Álvarez')
    expectRefusals(made, ['403 GET /desk/api/v1/me'])
  })

  it('never writes as somebody else than the page names, whoever signs in in another tab', async () => {
    const path = `/requests/${mounted.world.id('mail-is-slow')}`
    const { page } = await signIn('owen', path)
    await page.getByLabel('New note').fill('By Owen')
    const other = await page.context().newPage()
    await other.goto(home())
    await other.locator('.menu.person summary').click()
    await other.getByRole('button', { name: 'Sign out' }).click()
    const { email, password } = mounted.world.signIn('ines')
    await other.locator('input[name=email]').waitFor()
    await enter(other, email, password)
    await other.getByRole('navigation').first().waitFor()
    await page.getByRole('button', { name: 'Add note' }).waitFor({ state: 'detached' })
    const { json } = await mounted.ask('owen', 'GET', `${path}/notes?per_page=100`)
    expect((json as { text: string }[]).filter(({ text }) => text === 'By Owen')).to.deep.equal([])
    // What Owen has typed comes back with Owen, and with nobody else.
    const owen = mounted.world.signIn('owen')
    await other.locator('.menu.person summary').click()
    await other.getByRole('button', { name: 'Sign out' }).click()
    await page.locator('input[name=email]').waitFor()
    await enter(page, owen.email, owen.password)
    await page.getByLabel('New note').waitFor()
    expect(await page.getByLabel('New note').inputValue()).to.equal('By Owen')
  })

  it('does not write as somebody else either, where the browser has not told of the other sign-in', async () => {
    const path = `/requests/${mounted.world.id('mail-is-slow')}`
    const made = await visit()
    const { page } = made
    // Browsers may tell a page late that another one has changed what they keep: here never.
    await page.addInitScript("addEventListener('storage', (event) => event.stopImmediatePropagation(), true)")
    const [owen, ines] = [mounted.world.signIn('owen'), mounted.world.signIn('ines')]
    await page.goto(home() + path)
    await enter(page, owen.email, owen.password)
    await page.getByLabel('New note').fill('Not by Ines')
    const other = await page.context().newPage()
    await other.goto(home())
    await other.locator('.menu.person summary').click()
    await other.getByRole('button', { name: 'Sign out' }).click()
    await enter(other, ines.email, ines.password)
    await other.getByRole('navigation').first().waitFor()
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    const notesWith = async (text: string) => {
      const { json } = await mounted.ask('owen', 'GET', `${path}/notes?per_page=100`)
      return (json as { text: string; person: { name: string } }[]).filter((note) => note.text === text)
    }
    expect(await notesWith('Not by Ines')).to.deep.equal([])
    await enter(page, owen.email, owen.password)
    await page.locator('dialog').waitFor({ state: 'detached' })
    await says(page.locator('.notes'), 'Not by Ines')
    expect((await notesWith('Not by Ines')).map(({ person }) => person.name)).to.deep.equal(['Owen Wright'])
    expectRefusals(made, [`401 POST /desk/api/v1${path}/notes`])
  })

  it('asks before a half-typed note is left', async () => {
    const { page } = await signIn('owen', `/requests/${mounted.world.id('mail-is-slow')}`)
    await page.getByLabel('New note').fill('Half')
    await settled(page)
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.message())
      void dialog.dismiss()
    })
    await page.getByRole('link', { name: 'People', exact: true }).click()
    expect(asked).to.deep.equal(['What you have typed is not saved. Leave it?'])
    expect(await page.getByLabel('New note').inputValue()).to.equal('Half')
  })

  it('asks before Back and Forward leave something typed, and goes on from there as before', async () => {
    const path = `/requests/${mounted.world.id('mail-is-slow')}`
    const { page } = await signIn('owen', '/people')
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Requests', exact: true }).click()
    await page.getByRole('link', { name: 'Mail is slow' }).click()
    const note = page.getByLabel('New note')
    await note.fill('Half')
    await settled(page)
    const asked: string[] = []
    let isLeft = false
    page.on('dialog', (dialog) => {
      asked.push(dialog.message())
      void (isLeft ? dialog.accept() : dialog.dismiss())
    })
    for (const distance of [-1, -2]) {
      const question = page.waitForEvent('dialog')
      await page.evaluate(`history.go(${distance})`)
      await question
      await page.waitForURL(home() + path)
      await settled(page)
      expect([page.url(), await note.inputValue()]).to.deep.equal([home() + path, 'Half'])
    }
    expect(asked).to.have.lengthOf(2)
    isLeft = true
    await page.evaluate('history.back()')
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor()
    expect(asked).to.have.lengthOf(3)
    await page.evaluate('history.back()')
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
    await page.evaluate('history.go(2)')
    await page.getByRole('heading', { name: 'Mail is slow', level: 1 }).waitFor()
    expect(await note.inputValue()).to.equal('Half')
    expect(asked).to.have.lengthOf(3)
  })

  it('counts a link within the page as no place of its own', async () => {
    const path = `/requests/${mounted.world.id('mail-is-slow')}`
    const { page } = await signIn('owen', '/people')
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Requests', exact: true }).click()
    await page.getByRole('link', { name: 'Mail is slow' }).click()
    await page.getByLabel('New note').fill('Half')
    await settled(page)
    for (let times = 0; times < 2; times++) {
      await page.locator('a.skip').focus()
      await page.keyboard.press('Enter')
      expect(await page.evaluate('document.activeElement.id')).to.equal('page')
    }
    // Somebody may still write one into the address bar.
    for (const hash of ['page', 'page', 'other']) await page.evaluate(`location.hash = '${hash}'`)
    let asked = 0
    page.on('dialog', (dialog) => {
      asked++
      void dialog.dismiss()
    })
    for (let step = 0; step < 5 && asked === 0; step++) {
      await page.evaluate('history.back()')
      await settled(page)
    }
    expect([asked, new URL(page.url()).pathname]).to.deep.equal([1, new URL(home() + path).pathname])
    expect(await page.getByLabel('New note').inputValue()).to.equal('Half')
  })

  it('ends what is under way when somebody signs out, also for who signs in next in the same tab', async () => {
    const path = `/requests/${mounted.world.id('mail-is-slow')}`
    const made = await signIn('owen', path)
    const { page } = made
    let goOn: () => void = () => undefined
    const isSlow = new Promise<void>((resolve) => (goOn = resolve))
    const held = new Promise<void>((resolve) => {
      void page.route(`**/v1${path}/notes`, async (route) => {
        if (route.request().method() !== 'POST') return route.continue()
        resolve()
        await isSlow
        return route.continue()
      })
    })
    await page.getByLabel('New note').fill('Slow by Owen')
    await page.getByRole('button', { name: 'Add note' }).click()
    await held
    await page.locator('.menu.person summary').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.locator('input[name=email]').waitFor()
    const ines = mounted.world.signIn('ines')
    await enter(page, ines.email, ines.password)
    await page.locator('.menu.person summary', { hasText: 'Ines' }).waitFor()
    const refused = page.waitForResponse((response) => response.status() === 401)
    goOn()
    await refused
    await settled(page)
    expect(await page.locator('dialog').count()).to.equal(0)
    expectRefusals(made, [`401 POST /desk/api/v1${path}/notes`])
    const { json } = await mounted.ask('owen', 'GET', `${path}/notes?per_page=100`)
    expect((json as { text: string }[]).filter(({ text }) => text === 'Slow by Owen')).to.deep.equal([])
  })

  it('says that it could not be started, and that a page of something between is no answer', async () => {
    const made = await visit()
    const { page } = made
    await page.route('**/assets/texts-*', (route) => route.fulfill({ status: 500, body: '' }))
    await page.goto(home())
    await says(page, /The console could not be started/)
    const refused = made.errors.splice(0).map((error) => error.replace(/-[0-9a-f]{8}(?=\.json$)/, ''))
    expect(refused).to.deep.equal(['500 GET /desk/api/console/assets/texts-en.json'])
    await page.unroute('**/assets/texts-*')
    await page.route('**/v1/requests?**', (route) =>
      route.fulfill({ status: 200, contentType: 'text/html', body: '<p>Sign in</p>' }),
    )
    await page.getByRole('button', { name: 'Try again' }).click()
    const { email, password } = mounted.world.signIn('owen')
    await enter(page, email, password)
    await says(page, /The server cannot be reached/)
  })

  it('has no page below a record, and holds a word without blanks within a phone', async () => {
    const path = `/requests/${mounted.world.id('mail-is-slow')}`
    await mounted.ask('owen', 'POST', `${path}/notes`, { text: 'w'.repeat(300) })
    const { page } = await signIn('owen', `${path}/foo`, {
      viewport: { width: 360, height: 740 },
      isMobile: true,
      hasTouch: true,
    })
    await says(page, 'There is no such page.')
    await page.goto(home() + path)
    await says(page, /^w{300}$/)
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(360)
  })
})

describe('the console when the session of the host ends', function () {
  this.timeout(60_000)
  const mounted = withMounted('mounted under a prefix', {
    console: true,
    people: {
      signedIn: async (ctx) => {
        const [, name] = /host=(\w+)/.exec(ctx.get('Cookie')) ?? []
        return name === undefined ? null : { email: mounted.world.signIn(name).email }
      },
    },
  })
  const { expectRefusals, home, says, settled, visit } = withConsole(mounted)
  const signInAtHost = (page: Page, name: string) =>
    page.context().addCookies([{ name: 'host', value: name, url: new URL(mounted.baseUrl).origin }])

  it('keeps what was typed, and goes on for the same person alone', async () => {
    const path = `/requests/${mounted.world.id('mail-is-slow')}`
    const made = await visit()
    const { page } = made
    await signInAtHost(page, 'owen')
    await page.goto(home() + path)
    await page.getByLabel('New note').fill('Over the night')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Add note' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.getByRole('button', { name: 'Go on' }).click()
    await says(dialog, 'Nobody is signed in yet.')
    expectRefusals(made, [`401 POST /desk/api/v1${path}/notes`, '401 GET /desk/api/v1/me'])
    await signInAtHost(page, 'owen')
    await dialog.getByRole('button', { name: 'Go on' }).click()
    await says(page.locator('.notes'), 'Over the night')
    // A wrong token does not stand in the way of the host.
    await page.context().clearCookies()
    await page.getByLabel('New note').fill('With a wrong token')
    await page.getByRole('button', { name: 'Add note' }).click()
    await dialog.getByLabel('Token').fill('wrong')
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await says(dialog, 'The token is wrong, or has ended.')
    await signInAtHost(page, 'owen')
    await dialog.getByRole('button', { name: 'Go on' }).click()
    await says(page.locator('.notes'), 'With a wrong token')
    expectRefusals(made, [`401 POST /desk/api/v1${path}/notes`, '401 GET /desk/api/v1/me'])
    // Whoever signs in at the host next, in the same browser, is not Owen.
    await signInAtHost(page, 'ines')
    await page.getByLabel('New note').fill('Still by Owen')
    await page.getByRole('button', { name: 'Add note' }).click()
    await dialog.getByRole('button', { name: 'Go on' }).click()
    await page.locator('.menu.person summary', { hasText: 'Ines' }).waitFor()
    const { json } = await mounted.ask('owen', 'GET', `${path}/notes?per_page=100`)
    expect((json as { text: string }[]).filter(({ text }) => text === 'Still by Owen')).to.deep.equal([])
    expectRefusals(made, [`401 POST /desk/api/v1${path}/notes`])
  })

  it('does not write as the next person while it finds out who that is', async () => {
    const path = `/requests/${mounted.world.id('mail-is-slow')}`
    const made = await visit()
    const { page } = made
    await signInAtHost(page, 'owen')
    await page.goto(home() + path)
    await page.getByLabel('New note').fill('In between')
    let goOn: () => void = () => undefined
    const isSlow = new Promise<void>((resolve) => (goOn = resolve))
    await page.route('**/v1/catalog', async (route) => {
      await isSlow
      return route.continue()
    })
    await page.locator('.menu.person summary').click()
    await page.getByLabel('Language').waitFor()
    await settled(page)
    await signInAtHost(page, 'ines')
    await page.getByLabel('Language').selectOption('nl')
    const refused = page.waitForResponse((response) => response.status() === 401)
    await page.locator('.new-note button[type=submit]').click()
    await refused
    goOn()
    await page.locator('.menu.person summary', { hasText: 'Ines' }).waitFor()
    await settled(page)
    expect(await page.locator('dialog').count()).to.equal(0)
    const { json } = await mounted.ask('owen', 'GET', `${path}/notes?per_page=100`)
    expect((json as { text: string }[]).filter(({ text }) => text === 'In between')).to.deep.equal([])
    expectRefusals(made, [`401 POST /desk/api/v1${path}/notes`])
  })
})
