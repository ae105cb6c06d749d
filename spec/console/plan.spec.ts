/** Plans of changes and projects in the console: along the time, as a graph, and as a table. */
import { AxeBuilder } from '@axe-core/playwright'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { Page } from 'playwright-core'
import { not } from '../../plugin/index.js'
import { withConsole } from '../support/console-visits.js'
import { misfitsIn, PHONE, ZOOMED } from '../support/fitting.js'
import { withMounted } from '../support/mounted.js'

/** The usual run looks at one language; single files and `test:all` at all of them. */
const LANGUAGES = ['en-GB', 'nl-NL', 'de-DE', 'fr-FR']
const SECRET = 'Pay the ransom'

describe('plans in the console', function () {
  this.timeout(120_000)
  const mounted = withMounted('mounted under a prefix', {
    console: true,
    // Nobody sees that task, not even those who work on its change.
    scope: { task: () => ({ subject: not(SECRET) }) },
  })
  const { expectRefusals, home, says, settled, signIn } = withConsole(mounted)

  type Made = readonly { readonly status: number; readonly id: number }[]
  const make = async (as: string, path: string, body: object): Promise<number> => {
    const { json, status, text } = await mounted.ask(as, 'POST', path, body)
    expect(status, text).to.equal(201)
    return (json as { readonly id: number }).id
  }
  const makeMany = async (as: string, path: string, bodies: readonly object[]): Promise<readonly number[]> => {
    const { json, text } = await mounted.ask(as, 'POST', path, bodies)
    expect(
      (json as Made).every(({ status }) => status === 201),
      text,
    ).to.equal(true)
    return (json as Made).map(({ id }) => id)
  }
  const addChange = (subject: string) =>
    make('carl', '/changes', {
      subject,
      category: 'non_standard',
      change_type: 'infrastructure_change',
      justification: 'improvement',
      service_id: mounted.world.id('email'),
      release_id: mounted.world.id('winter-release'),
      template_id: mounted.world.id('new-mail-server'),
      manager_id: mounted.world.id('carl'),
    })
  const addProject = (subject: string) =>
    make('petra', '/projects', {
      subject,
      customer_id: mounted.world.id('widget-sales'),
      justification: 'move',
      manager_id: mounted.world.id('petra'),
      program: 'Housing',
      service_id: mounted.world.id('email'),
    })
  const taskOf = (subject: string, planned_duration: number, predecessor_ids: readonly number[] = []) => ({
    template_id: mounted.world.id('install-patches'),
    team_id: mounted.world.id('windows-servers'),
    subject,
    planned_duration,
    category: 'implementation',
    ...(predecessor_ids.length > 0 ? { predecessor_ids } : {}),
  })
  const stepOf = (index: number, after: readonly number[] = []) => ({
    template_id: mounted.world.id('hire-movers'),
    subject: `Step ${index}`,
    planned_duration: 8,
    category: 'activity',
    ...(after.length > 0 ? { predecessor_ids: after } : {}),
  })
  /** Plan, then two ways side by side, then a test. */
  const addDiamond = async (subject: string) => {
    const change = await addChange(subject)
    const tasks = `/changes/${change}/tasks`
    const first = await make('carl', tasks, taskOf('Plan it', 4))
    const long = await make('carl', tasks, taskOf('Copy the mailboxes', 8, [first]))
    const short = await make('carl', tasks, taskOf('Tell the people', 1, [first]))
    const last = await make('carl', tasks, taskOf('Test it', 2, [long, short]))
    return { change, first, long, short, last }
  }
  const open = async (page: Page) => {
    await page.locator('.plan > summary').click()
    await page.locator('.plan .tabs, .plan .empty, .plan .problem').first().waitFor()
  }
  const namesIn = (page: Page) => page.locator('.timeline-names li a').allInnerTexts()
  const rowsOf = async (page: Page) =>
    (await page.locator('.plan-table tbody tr').all()).map((row) => row.locator('td').allInnerTexts())

  it('shows a diamond along the time, as a graph and in words, and leads to its tasks', async () => {
    const { change, last } = await addDiamond('Move the mail')
    const { page, calls } = await signIn('carl', `/changes/${change}`)
    await page.locator('.plan > summary').waitFor()
    expect(calls.filter((call) => call.includes('/tasks'))).to.deep.equal([])
    await open(page)
    await says(page, 'The chain that decides the end: Plan it → Copy the mailboxes → Test it (14\u00a0h)')
    expect(await namesIn(page)).to.deep.equal(['Plan it', 'Copy the mailboxes', 'Tell the people', 'Test it'])
    const bars = await page
      .locator('.timeline-bars .bar rect')
      .evaluateAll((all) => all.map((bar) => [Number(bar.getAttribute('x')), Number(bar.getAttribute('width'))]))
    const [plan = [], copy = [], , test = []] = bars
    expect(plan[1]).to.be.above(0)
    expect(copy[0]).to.be.closeTo((plan[0] ?? 0) + (plan[1] ?? 0), 1)
    expect(test[0]).to.be.closeTo((copy[0] ?? 0) + (copy[1] ?? 0), 1)
    expect(copy[1]).to.be.closeTo(2 * (plan[1] ?? 0), 2)
    expect(await page.locator('.timeline-bars .bar .underline').count()).to.equal(3)
    expect(await page.locator('.timeline-bars .chip').allInnerTexts()).to.deep.equal([
      'Assigned',
      'Registered',
      'Registered',
      'Registered',
    ])

    await page.getByRole('tab', { name: 'Graph' }).click()
    const xs = await page.locator('.node').evaluateAll((all) => all.map((node) => node.getBoundingClientRect().left))
    expect([xs[0] === xs[1], xs[1] === xs[2], (xs[2] ?? 0) < (xs[3] ?? 0)]).to.deep.equal([false, true, true])
    const lines = await page.locator('.graph path.line').evaluateAll((all) => all.map((line) => line.getAttribute('d') ?? ''))
    expect(lines.map((d) => d.split('M').length - 1)).to.deep.equal([2, 2])

    await page.getByRole('tab', { name: 'Table' }).click()
    const rows = await Promise.all(await rowsOf(page))
    expect(rows.map((cells) => cells.at(-1)?.split('\n'))).to.deep.equal([
      ['–', 'empty'],
      ['Plan it'],
      ['Plan it'],
      ['Copy the mailboxes', 'Tell the people'],
    ])
    expect(rows.map((cells) => cells.at(-2))).to.deep.equal(['4\u00a0h', '8\u00a0h', '1\u00a0h', '2\u00a0h'])

    await page.getByRole('tab', { name: 'Timeline' }).click()
    await page.evaluate('window.isSamePage = true')
    await page.locator('.timeline-bars .bar').last().click()
    await page.getByRole('heading', { name: 'Test it', level: 1 }).waitFor()
    expect(page.url()).to.match(new RegExp(`/tasks/${last}$`))
    expect(await page.evaluate('window.isSamePage')).to.equal(true)
  })

  it('is worked by keyboard alone', async () => {
    const { change } = await addDiamond('By keyboard')
    const { page } = await signIn('carl', `/changes/${change}`)
    await page.locator('.plan > summary').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: 'Timeline' }).waitFor()
    await page.keyboard.press('Tab')
    const focused = () => page.evaluate('document.activeElement?.textContent')
    expect(await focused()).to.equal('Timeline')
    await page.keyboard.press('ArrowRight')
    expect(await focused()).to.equal('Graph')
    expect(await page.locator('.node').count()).to.equal(4)
    await page.keyboard.press('End')
    expect(await focused()).to.equal('Table')
    await page.keyboard.press('ArrowRight')
    expect(await focused()).to.equal('Timeline')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Home')
    expect(await page.locator('.timeline').count()).to.equal(1)
    // The box that scrolls, then the names; bars are for pointers.
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement?.className')).to.equal('plan-box')
    await page.keyboard.press('Tab')
    expect(await focused()).to.equal('Plan it')
    for (const name of ['Copy the mailboxes', 'Tell the people', 'Test it']) {
      await page.keyboard.press('Tab')
      expect(await focused()).to.equal(name)
    }
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement?.closest(".plan") === null')).to.equal(true)
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Test it', level: 1 }).waitFor()
  })

  it('groups the tasks of a project by its phases, with deadlines', async () => {
    const { page } = await signIn('petra', `/projects/${mounted.world.id('new-office')}`)
    await open(page)
    expect(await page.locator('.timeline-names :is(h3, li a)').allInnerTexts()).to.deep.equal([
      'Planning',
      'Choose a floor',
      'Agree to the lease',
      'Moving',
      'Everybody has moved',
    ])
    expect(await page.locator('.timeline-bars path.deadline').getAttribute('d')).to.match(/^M[\d.]+ [\d.]+l5 8h-10z$/)
    await page.getByRole('tab', { name: 'Table' }).click()
    const heads = await page.locator('.plan-table th').allInnerTexts()
    expect(heads).to.deep.equal([
      'Project task',
      'Status',
      'Phase',
      'Begin',
      'End',
      'Deadline',
      'Planned duration',
      'Predecessors',
    ])
  })

  it('reads 200 tasks with two calls, and says of more how many it shows', async () => {
    const project = await addProject('Build the tower')
    const tasks = `/projects/${project}/tasks`
    const [first = 0] = await makeMany('petra', tasks, [stepOf(0)])
    await makeMany(
      'petra',
      tasks,
      Array.from({ length: 199 }, (_, index) => stepOf(index + 1, [first])),
    )
    const { page, calls } = await signIn('petra', `/projects/${project}`)
    await page.locator('.plan > summary').waitFor()
    await settled(page)
    calls.splice(0)
    await open(page)
    expect(calls.map((call) => call.replace(/.*&(per_page=100&page=\d)$/, '$1'))).to.deep.equal([
      'per_page=100&page=1',
      'per_page=100&page=2',
    ])
    await settled(page)
    expect(await page.locator('.timeline-names li').count()).to.equal(200)
    expect(await page.locator('.timeline-bars .bar').count()).to.equal(200)
    await page.getByRole('tab', { name: 'Graph' }).click()
    await settled(page)
    expect(await page.locator('.node').count()).to.equal(200)
    await page.getByRole('tab', { name: 'Table' }).click()
    await settled(page)
    expect(await page.locator('.plan-table tbody tr').count()).to.equal(200)
    expect(await page.getByText(/tasks are shown/).count()).to.equal(0)

    await makeMany(
      'petra',
      tasks,
      Array.from({ length: 5 }, (_, index) => stepOf(index + 200, [first])),
    )
    await page.reload()
    await open(page)
    await says(page, '200 of 205 tasks are shown.')
    await page.getByRole('button', { name: 'Show 5 more' }).click()
    await page.getByText('200 of 205 tasks are shown.').waitFor({ state: 'detached' })
    await page.locator('.timeline-names li').nth(204).waitFor({ state: 'attached' })
  })

  it('says what to do where there are no tasks', async () => {
    const { page } = await signIn('carl', `/changes/${await addChange('Nothing planned')}`)
    await open(page)
    await says(page, /^This change has no tasks yet\. They come with its template/)
    expect(await page.getByRole('tab').count()).to.equal(0)
  })

  it('says that a task waits for one that the person does not see', async () => {
    const change = await addChange('With a secret')
    const tasks = `/changes/${change}/tasks`
    const { json } = await mounted.ask('carl', 'POST', tasks, [taskOf(SECRET, 3)])
    const [made] = json as Made
    await make('carl', tasks, taskOf('Open the files', 1))
    const system = mounted.itsm.asSystem('links the tasks', 'widgets')
    const [seen] = (await system.list('task', { subject: 'Open the files' })).items
    await system.update('task', Number(seen?.id), { predecessor_ids: [Number(made?.id)] })
    const { page, answers } = await signIn('carl', `/changes/${change}`)
    await open(page)
    expect(await namesIn(page)).to.deep.equal(['Open the files'])
    await page.getByRole('tab', { name: 'Graph' }).click()
    await says(page, '+1 before it')
    await page.getByRole('tab', { name: 'Table' }).click()
    await says(page, 'Tasks that are not shown here: 1')
    expect(answers.join()).not.to.contain(SECRET)
  })

  it('shows circles and odd times, which only an unlucky moment can bring', async () => {
    const change = await addChange('Unlucky')
    const reference = (id: number) => ({ id, subject: `Task ${id}` })
    const odd = [
      { id: 1, subject: 'Task 1', status: 'registered', planned_duration: 2, predecessors: [reference(2)] },
      { id: 2, subject: 'Task 2', status: 'registered', planned_duration: 3, predecessors: [reference(1), reference(2)] },
      {
        id: 3,
        subject: '<b>Ended before it began</b>',
        status: 'completed',
        planned_duration: 1,
        assigned_at: '2026-11-25T10:00:00Z',
        finished_at: '2026-11-24T10:00:00Z',
        predecessors: [],
      },
      { id: 4, subject: 'In another age', status: 'assigned', assigned_at: '1999-01-01T00:00:00Z', predecessors: null },
      { id: 4, subject: 'In another age', status: 'unheard_of', completion_target_at: 'soon', predecessors: 'none' },
    ]
    const { page } = await signIn('carl', `/changes/${change}`)
    await page.route(/\/tasks\?/, (route) => route.fulfill({ json: odd, headers: { 'X-Pagination-Total-Entries': '5' } }))
    await open(page)
    expect((await namesIn(page)).toSorted()).to.deep.equal([
      '<b>Ended before it began</b>',
      'In another age',
      'Task 1',
      'Task 2',
    ])
    for (const name of ['Graph', 'Table', 'Timeline']) await page.getByRole('tab', { name }).click()
    expect(await page.locator('.bar-label small').allInnerTexts()).to.deep.equal(['No times', 'No times', 'No times'])
  })

  it('says when the tasks do not come, and reads them again', async () => {
    const { change } = await addDiamond('Lost')
    const made = await signIn('carl', `/changes/${change}`)
    const { page } = made
    await page.route(/\/tasks\?/, (route) => route.abort())
    await open(page)
    await says(page, 'The server cannot be reached.')
    made.errors.splice(0)
    await page.unroute(/\/tasks\?/)
    await page.locator('.plan').getByRole('button', { name: 'Try again' }).click()
    await says(page, /^.* The chain that decides the end/)
    // Left in the middle of an answer.
    await page.route(/\/tasks\?/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      await route.continue().catch(() => undefined)
    })
    await page.reload()
    await page.locator('.plan > summary').click()
    await page.goto(`${home()}/changes`)
    await page.getByRole('heading', { name: 'Changes', level: 1 }).waitFor()
    expectRefusals(made, [])
  })

  for (const locale of process.env['KOA_ITSM_TEST_PASS'] === 'again' ? LANGUAGES.slice(0, 1) : LANGUAGES) {
    it(`fits on a phone, and has no obstacle that axe knows, ${locale}`, async () => {
      const change = await addChange('Wide')
      const long = 'Rechtsschutzversicherungsgesellschaftsangestelltenbetriebsvereinbarung'
      const first = await make('carl', `/changes/${change}/tasks`, taskOf(long.repeat(3), 4))
      await make('carl', `/changes/${change}/tasks`, taskOf('Kurz', 40, [first]))
      const { page } = await signIn('carl', `/changes/${change}`, { locale, colorScheme: 'light' })
      await open(page)
      const found: string[] = []
      const look = async (where: string) => {
        const seen = await new AxeBuilder({ page }).include('.plan').setLegacyMode().analyze()
        found.push(...seen.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${where}: ${id} ${target}`)))
        found.push(...(await misfitsIn(page, where)))
      }
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        for (const tab of await page.getByRole('tab').all()) {
          await tab.click()
          await look(`${colorScheme} ${await tab.innerText()}`)
        }
      }
      for (const [how, size] of Object.entries({ 'at 200 %': ZOOMED, phone: PHONE })) {
        await page.setViewportSize(size)
        await settled(page)
        const tabs = await page.getByRole('tab').all()
        if (how === 'phone') expect([tabs.length, await page.locator('.timeline').count()]).to.deep.equal([2, 0])
        for (const tab of tabs) {
          await tab.click()
          await look(`${how} ${await tab.innerText()}`)
          await page.evaluate(`document.documentElement.dir = 'rtl'`)
          await look(`${how} ${await tab.innerText()}, from right to left`)
          await page.evaluate(`document.documentElement.removeAttribute('dir')`)
        }
      }
      expect(found).to.deep.equal([])
    })
  }
})
