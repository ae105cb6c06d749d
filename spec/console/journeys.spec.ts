/** The console in a real browser: what people do in it, as they do it. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { withConsole } from '../support/console-visits.js'
import { createLoanCars, loanCar, loanCarWords } from '../support/loan-car.js'
import { withMounted } from '../support/mounted.js'

describe('the console in a browser', function () {
  this.timeout(60_000)
  const mounted = withMounted('mounted under a prefix', {
    console: { brand: { name: 'Widget desk' } },
    records: [loanCar],
    migrations: [createLoanCars],
    words: loanCarWords,
  })
  const { enter, expectRefusals, home, says, settled, signIn, visit } = withConsole(mounted)

  it('lets people in by their password, and out again', async () => {
    const made = await visit()
    const { page } = made
    await page.goto(`${home()}/requests`)
    const { email, password } = mounted.world.signIn('eva')
    await enter(page, email, 'not her password')
    await says(page, 'The email address or the password is wrong.')
    expectRefusals(made, ['401 POST /desk/api/v1/session'])
    await enter(page, email, password)
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor()
    const cookies = await page.context().cookies()
    expect(
      cookies.map(({ httpOnly, name, sameSite, secure }) => [name.startsWith('__Host-itsm'), httpOnly, sameSite, secure]),
    ).to.deep.equal([[true, true, 'Strict', true]])
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.to.contain('itsm_')
    await page.reload()
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor()
    await page.getByText('Eva Nováková').first().click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.locator('input[name=email]').waitFor()
    expect(await page.context().cookies()).to.deep.equal([])
  })

  it('takes a token for this tab alone', async () => {
    const made = await visit()
    const { page } = made
    await page.goto(home())
    await page.getByRole('button', { name: 'Use a token' }).click()
    await page.getByLabel('Token').fill('wrong')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await says(page, 'The token is wrong, or has ended.')
    expectRefusals(made, ['401 GET /desk/api/v1/me'])
    await page.getByLabel('Token').fill(mounted.world.token('eva'))
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await says(page, 'Hello, Eva Nováková')
    const other = await page.context().newPage()
    await other.goto(home())
    await other.locator('input[name=email]').waitFor()
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.to.contain(mounted.world.token('eva'))
  })

  it('finds, opens and changes a record, and shows what others have changed meanwhile', async () => {
    const made = await signIn('eva', '/requests')
    const { page } = made
    await page.locator('.filters summary').click()
    await page.getByLabel('Field').selectOption({ label: 'Subject' })
    await page.getByLabel('Value').fill('Mail is slow')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.locator('tbody tr').nth(1).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Mail is slow' }).click()
    await page.getByRole('heading', { name: 'Mail is slow', level: 1 }).waitFor()
    const id = Number(new URL(page.url()).pathname.split('/').at(-1))

    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel(/^Subject/).fill('Mail is slow again')
    await mounted.ask('owen', 'PATCH', `/requests/${id}`, { subject: 'Mail crawls', urgent: true })
    await page.getByRole('button', { name: 'Save' }).click()
    await says(page, 'Somebody else has saved this record meanwhile')
    expectRefusals(made, [`412 PATCH /desk/api/v1/requests/${id}`])
    const rows = await page.locator('.conflict tbody tr').allInnerTexts()
    expect(rows.map((row) => row.split('\t').map((text) => text.trim()))).to.deep.include([
      'Subject',
      'Mail crawls',
      'Mail is slow again',
    ])
    await page.getByRole('button', { name: 'Keep my values' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Mail is slow again', level: 1 }).waitFor()
    const { json } = await mounted.ask('eva', 'GET', `/requests/${id}`)
    expect(json).to.include({ subject: 'Mail is slow again', urgent: true })
  })

  it('keeps what was typed when the session ends in the middle of a form', async () => {
    const made = await signIn('owen', '/loan_cars/new')
    const { page } = made
    await page.getByLabel(/^Name/).fill('Blue car')
    await page.getByLabel(/^License plate/).fill('LC-1')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Create' }).click()
    await says(page, 'Your session has ended. What you have typed is kept.')
    expectRefusals(made, ['401 POST /desk/api/v1/loan_cars'])
    const { email, password } = mounted.world.signIn('owen')
    await enter(page, email, password)
    await page.getByRole('heading', { name: 'Blue car', level: 1 }).waitFor()
    const { json } = await mounted.ask('owen', 'GET', '/loan_cars?plate=LC-1')
    expect(json).to.have.lengthOf(1)
  })

  it('shows nobody what somebody else has typed in the tab', async () => {
    const made = await signIn('owen', '/requests/new')
    const { page } = made
    await page.getByLabel(/^Subject/).fill('Only mine')
    await settled(page)
    await page.context().clearCookies()
    await page.reload()
    await page.locator('input[name=email]').waitFor()
    expectRefusals(made, ['401 GET /desk/api/v1/me'])
    const { email, password } = mounted.world.signIn('eva')
    await enter(page, email, password)
    await page.getByLabel(/^Subject/).waitFor()
    expect(await page.getByLabel(/^Subject/).inputValue()).to.equal('')
    await page.context().clearCookies()
    await page.reload()
    await page.locator('input[name=email]').waitFor()
    expectRefusals(made, ['401 GET /desk/api/v1/me'])
    const again = mounted.world.signIn('owen')
    await enter(page, again.email, again.password)
    await page.getByLabel(/^Subject/).waitFor()
    expect(await page.getByLabel(/^Subject/).inputValue()).to.equal('Only mine')
  })

  it('lets somebody else who signs in during a call not finish it', async () => {
    const made = await signIn('owen', '/loan_cars/new')
    const { page } = made
    await page.getByLabel(/^Name/).fill('Half')
    await page.getByLabel(/^License plate/).fill('LC-HALF')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Create' }).click()
    await says(page, 'Your session has ended. What you have typed is kept.')
    expectRefusals(made, ['401 POST /desk/api/v1/loan_cars'])
    const { email, password } = mounted.world.signIn('ines')
    await enter(page, email, password)
    await says(page, 'You may not do this.')
    expect((await mounted.ask('owen', 'GET', '/loan_cars?plate=LC-HALF')).json).to.deep.equal([])
  })

  it('keeps an unsaved form over a reload, and asks before it is left', async () => {
    const { page } = await signIn('owen', '/loan_cars/new')
    await page.getByLabel(/^Name/).fill('Half a car')
    await settled(page)
    await page.reload()
    await page.getByLabel(/^Name/).waitFor()
    expect(await page.getByLabel(/^Name/).inputValue()).to.equal('Half a car')
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.message())
      void (asked.length === 1 ? dialog.dismiss() : dialog.accept())
    })
    await page.getByRole('link', { name: 'Requests' }).first().click()
    expect(page.url()).to.match(/loan_cars\/new$/)
    await page.getByRole('link', { name: 'Requests' }).first().click()
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor()
    expect(asked).to.deep.equal(Array(2).fill('What you have typed is not saved. Leave it?'))
  })

  it('creates a record of a host whose rule refuses, and moves it through its life', async () => {
    const made = await signIn('owen', '/loan_cars')
    const { page } = made
    await page.getByRole('link', { name: 'New: Loan car' }).first().click()
    await page.getByLabel(/^Name/).fill('Long car')
    await page.getByLabel(/^License plate/).fill('LC-9')
    await page.getByRole('button', { name: /^More fields/ }).click()
    await page.getByLabel(/^Seats/).fill('20')
    await page.getByLabel(/^Driver/).fill('Hank')
    await page.getByRole('option', { name: /Hank/ }).click()
    await page.getByRole('button', { name: 'Create' }).click()
    await says(page, 'Seats are too many: this is a bus')
    expectRefusals(made, ['422 POST /desk/api/v1/loan_cars'])
    await settled(page)
    expect(await page.evaluate('document.activeElement?.id.endsWith("-seats")')).to.equal(true)
    await page.getByLabel(/^Seats/).fill('5')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Long car', level: 1 }).waitFor()
    await says(page, 'You may move it to: Ready')
    expect(await page.locator('.lifecycle [aria-current=step]').innerText()).to.match(/^Ordered/)
    await page.getByRole('button', { name: 'Edit' }).click()
    expect(
      (
        await page
          .getByLabel(/^Status/)
          .locator('option')
          .allInnerTexts()
      ).filter(Boolean),
    ).to.deep.equal(['Ordered', 'Ready'])
    await page.getByRole('combobox', { name: /^Status/ }).selectOption({ label: 'Ready' })
    await page.getByRole('button', { name: 'Save' }).click()
    await says(page, 'You may move it to: Lent, Retired')
    await page.locator('summary', { hasText: 'History' }).click()
    await says(page, 'api, Console')

    page.on('dialog', (dialog) => dialog.accept())
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('heading', { name: 'Loan cars', level: 1 }).waitFor()
    expect((await mounted.ask('owen', 'GET', '/loan_cars?plate=LC-9')).json).to.deep.equal([])
  })

  it('adds a note with a file, edits sub-records in place, and links records', async () => {
    const { page } = await signIn('owen', `/requests/${mounted.world.id('mail-is-slow')}`)
    await page.getByLabel('New note').fill('See the picture: https://example.com/a?b=c')
    await page.getByLabel('Files').setInputFiles({ name: 'screen.txt', mimeType: 'text/plain', buffer: Buffer.from('slow') })
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByRole('link', { name: 'screen.txt' }).waitFor()
    expect(await page.getByRole('link', { name: 'https://example.com/a?b=c' }).getAttribute('rel')).to.contain('noopener')

    await page.locator('summary', { hasText: 'CIs' }).click()
    await page.getByRole('combobox', { name: /^Link/ }).click()
    const option = page.getByRole('option').first()
    await option.click()
    await page.locator('.related tbody tr').first().waitFor()

    await page.goto(`${home()}/people/${mounted.world.id('hank')}`)
    await page.locator('summary', { hasText: 'Contacts' }).click()
    await page.getByRole('button', { name: 'New: Contact' }).click()
    const form = page.locator('.related form.record-form')
    await form.getByRole('combobox', { name: /^Label/ }).selectOption({ label: 'Work' })
    await form.getByRole('combobox', { name: /^Protocol/ }).selectOption({ label: 'Telephone' })
    await form.getByLabel(/^Uri/).fill('+31 20 555 0100')
    await form.getByRole('button', { name: 'Save' }).click()
    await says(page, '+31 20 555 0100')
  })

  it('shows somebody without rights neither buttons nor data', async () => {
    const secret = 'The engine is from a stolen one'
    const body = { name: 'Old car', plate: 'LC-0', remarks: secret }
    const { json } = await mounted.ask('owen', 'POST', '/loan_cars', body)
    const made = await signIn('ines', '/loan_cars')
    const { page, answers } = made
    await page.getByRole('link', { name: 'Old car' }).click()
    await page.getByRole('heading', { name: 'Old car', level: 1 }).waitFor()
    await settled(page)
    expect(await page.getByRole('button', { name: /^(Edit|Remove)/ }).count()).to.equal(0)
    expect(await page.locator('summary', { hasText: 'History' }).count()).to.equal(0)
    await says(page, 'You cannot move it on from here.')
    await page.goto(`${home()}/loan_cars`)
    await page.getByRole('link', { name: 'Old car' }).waitFor()
    expect(await page.getByRole('link', { name: /^New/ }).count()).to.equal(0)
    for (const closed of ['Audit lines', 'Webhooks'])
      expect(await page.getByRole('navigation').getByRole('link', { name: closed }).count(), closed).to.equal(0)
    await page.goto(`${home()}/loan_cars/new`)
    await says(page, 'You may not do this.')
    await page.goto(`${home()}/requests/${mounted.world.id('mail-is-slow')}`)
    await says(page, 'It takes a minute to open a message.')
    expect(await page.getByText('The disk of the server is full again').count()).to.equal(0)
    // What is not shown has not been sent, either.
    expect(answers.length).to.be.above(10)
    expect(answers.join('\n')).not.to.contain(secret)
    expect(answers.join('\n')).not.to.contain('The disk of the server is full again')
    expect((await mounted.ask('owen', 'GET', `/loan_cars/${(json as { id: number }).id}`)).text).to.contain(secret)
  })

  it('works in Dutch, on a phone, by the keyboard alone', async () => {
    const made = await visit({ locale: 'nl-NL', viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
    const { page } = made
    const { email, password } = mounted.world.signIn('owen')
    await page.goto(`${home()}/loan_cars/new`)
    await page.locator('input[name=email]').focus()
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Nieuw: Leenauto', level: 1 }).waitFor()
    await page.getByLabel(/^Naam/).focus()
    await page.keyboard.type('Rode auto')
    await page.keyboard.press('Tab')
    await page.keyboard.type('LC-360')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Rode auto', level: 1 }).waitFor()
    await says(page, 'U kunt het brengen naar: Klaar')
    expect(await page.evaluate('document.documentElement.lang')).to.equal('nl')
    // Nothing is wider than the screen.
    for (const path of ['', '/me', '/account', '/requests', '/loan_cars', `/requests/${mounted.world.id('mail-is-slow')}`]) {
      await page.goto(home() + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).to.be.at.most(360)
    }
  })

  it('stores files with a text, also those of a text of a new record', async () => {
    const file = (name: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from('Floor\n1\n') })
    const { page } = await signIn('owen', `/sites/${mounted.world.id('utrecht')}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Files for Remarks').setInputFiles([file('plan.csv'), file('mistaken.csv')])
    await page.getByRole('button', { name: 'Remove mistaken.csv' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'plan.csv' }).waitFor()
    expect(await page.getByText('mistaken.csv').count()).to.equal(0)
    await page.goto(`${home()}/requests/new`)
    await page.getByLabel(/^Subject/).fill('With a picture')
    await page.getByLabel(/^Category/).selectOption('rfi')
    await page.getByLabel(/^Note/).fill('See the plan.')
    await page.getByLabel('Files for Note').setInputFiles([file('seats.csv')])
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'With a picture', level: 1 }).waitFor()
    await page.getByRole('listitem').getByRole('link', { name: 'seats.csv' }).first().waitFor()
  })

  it('asks few questions to show a list and a record, and sends little', async () => {
    const made = await signIn('eva', '/people')
    const { page, calls } = made
    await page.locator('tbody tr').first().waitFor()
    calls.splice(0)
    await page.getByRole('link', { name: 'Requests' }).first().click()
    await page.getByRole('link', { name: 'Mail is down in Houston' }).waitFor()
    await settled(page)
    // The first visit of a type asks what the person may do, and which views they have.
    expect(
      calls
        .splice(0)
        .map((call) => call.replace(/\?.*/, ''))
        .sort(),
    ).to.deep.equal(['GET /me/permissions', 'GET /requests', 'GET /views/for_me'])
    await page.getByRole('link', { name: 'Mail is down in Houston' }).click()
    await page.getByRole('heading', { name: 'Mail is down in Houston', level: 1 }).waitFor()
    await settled(page)
    expect(calls.splice(0)).to.have.lengthOf(3)
    const sizes = await page.evaluate<{ readonly url: string; readonly bytes: number }[]>(
      `[...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')]
        .map(({ name, encodedBodySize }) => ({ url: name, bytes: encodedBodySize }))`,
    )
    const sum = (some: typeof sizes) => some.reduce((total, { bytes }) => total + bytes, 0)
    const files = sizes.filter(({ url }) => !url.includes('/v1/'))
    expect(files.length).to.be.above(4)
    expect(sum(files)).to.be.below(60_000)
    for (const { bytes, url } of sizes.filter((one) => /\/v1\/(requests|me)/.test(one.url)))
      expect(bytes, url).to.be.below(30_000)
  })
})
