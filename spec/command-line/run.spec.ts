/** The command `koa-itsm`, against the API (README, Command line). */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { run } from '../../plugin/command-line/run.js'
import { rowsOfCsv } from '../support/csv.js'
import { withMounted } from '../support/mounted.js'

const ADMIN = '@owen'

describe('The command line', () => {
  const place = withMounted('bare')
  let folder = ''
  before(async () => {
    await place.itsm.start()
    folder = mkdtempSync(join(tmpdir(), 'itsm-command-'))
  })
  after(() => rmSync(folder, { recursive: true }))

  const env = () => ({ KOA_ITSM_URL: place.baseUrl, KOA_ITSM_TOKEN: place.world.token(ADMIN) })
  /** Runs the command without settings of its own. */
  const bare = async (args: readonly string[], given: Record<string, string> = {}, isTTY = false) => {
    const [out, err] = [[] as string[], [] as string[]]
    const streams = {
      out: { write: (text: string) => out.push(text) },
      err: { isTTY, write: (text: string) => err.push(text) },
    }
    const code = await run(args, { env: given, folders: [folder], ...streams })
    return { code, out: out.join(''), err: err.join('') }
  }
  const command = (...args: string[]) => bare(args, env())
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }

  it('imports a file, and writes its failed rows beside it', async () => {
    const path = file('sites.csv', 'Name,Time Zone\nOslo,\nMars base,Mars\n')
    const { code, err, out } = await command('import', path)
    expect(code, err).to.equal(1)
    expect(out).to.match(/sites\.csv: created 1, updated 0, deleted 0, unchanged 0, failures 1, errors 0/)
    const [, row] = await rowsOfCsv(readFileSync(join(folder, 'sites.failures.csv'), 'utf8'))
    expect(row?.slice(0, 4)).to.deep.equal(['Mars base', 'Mars', '3', 'Time Zone'])
    const repaired = readFileSync(join(folder, 'sites.failures.csv'), 'utf8').replace('Mars,3', ',3')
    expect((await command('import', file('repaired.csv', repaired), '--type', 'sites')).code).to.equal(0)
  })

  it('imports several files in the order of their types, and stops at the first that cannot be read', async () => {
    const sites = file('sites.csv', 'Name\nBergen\n')
    const people = file('people.csv', 'Primary Email,Name,Site\nberit@widgets.example,Berit,Bergen\n')
    const { code, out } = await command('import', people, sites, '--json')
    expect(code).to.equal(0)
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ type, results }) => [type, results.created])).to.deep.equal([
      ['sites', 1],
      ['people', 1],
    ])
    file('sites.csv', 'Nothing\nof use\n')
    const broken = await command('import', people, sites)
    expect(broken.code).to.equal(2)
    expect(broken.out).to.match(/sites\.csv: None of the column headers is known/)
    expect(broken.out).to.not.match(/people\.csv/)
  })

  it('tells what an import would do, renames columns, and disables what a whole list lacks', async () => {
    const path = file('teams.csv', 'Source,Source ID,Title\nPort,T-1,Harbor\nPort,T-2,Crane\n')
    const dry = await command('import', path, '--map', 'Title=Name', '--dry-run', '--json')
    expect(JSON.parse(dry.out)).to.deep.include({ state: 'done', dry_run: true, failures_file: null })
    expect((await command('import', path, '--map', 'Title=Name')).out).to.match(/created 2/)
    file('teams.csv', 'Source,Source ID,Name\nPort,T-1,Harbor\n')
    const whole = await command('import', path, '--absent', 'disable', '--absent-limit', '50')
    expect(whole.out).to.match(/updated 1, deleted 0, unchanged 1/)
  })

  it('exports types, each to a file that can be imported', async () => {
    const target = join(folder, 'out')
    const { code, out } = await command('export', 'sites,teams', '-o', target)
    expect(code).to.equal(0)
    expect(out).to.match(/sites: .*sites\.csv\nteams: .*teams\.csv\n/)
    expect((await command('import', join(target, 'sites.csv'))).out).to.match(/created 0, updated 0/)
    expect((await command('export', 'sites', '--from', '2099-01-01T00:00:00Z')).out).to.equal('sites: nothing has changed\n')
  })

  it('lists imports, and stops one', async () => {
    const { code, out } = await command('imports', 'list', '--limit', '2')
    expect(code).to.equal(0)
    const [head = '', ...lines] = out.trimEnd().split('\n')
    expect(head).to.match(/^Id +Type +File +By +At +State +Line +Results/)
    expect(lines).to.have.lengthOf(2)
    const id = /^\d+/.exec(lines[0] ?? '')?.[0] ?? ''
    const stopped = await command('imports', 'stop', id)
    expect(stopped.code).to.equal(2)
    expect(stopped.err).to.match(/409 .*come to its end/)
  })

  it('finds its settings in options, in the environment, and in a file', async () => {
    const { KOA_ITSM_TOKEN: token, KOA_ITSM_URL: url } = env()
    expect((await bare(['imports', 'list', '--url', `${url}/`, '--token', token])).code).to.equal(0)
    file('.koa-itsm.json', JSON.stringify({ url, token }))
    expect((await bare(['imports', 'list'])).code).to.equal(0)
    expect((await bare(['imports', 'list', '--token', 'wrong'])).err).to.match(/401/)
    expect((await bare(['imports', 'list', '--account', 'partner'])).err).to.match(/403/)
    file('.koa-itsm.json', '{')
    expect((await bare(['imports', 'list'])).err).to.match(/cannot be read/)
    rmSync(join(folder, '.koa-itsm.json'))
    const missing = await bare(['imports', 'list'], { KOA_ITSM_URL: url })
    expect([missing.code, missing.err.split('\n')[0]]).to.deep.equal([
      2,
      'Give the token: --token, KOA_ITSM_TOKEN, or "token" in .koa-itsm.json',
    ])
    const away = await bare(['imports', 'list', '--url', 'http://127.0.0.1:59999', '--token', token])
    expect([away.code, away.err]).to.deep.equal([
      2,
      'http://127.0.0.1:59999 could not be reached: connect ECONNREFUSED 127.0.0.1:59999\n',
    ])
  })

  it('names mistakes, with exit code 2', async () => {
    const mistakes: [string[], RegExp][] = [
      [['inport', 'people.csv'], /There is no command 'inport'/],
      [['import'], /Name at least one file/],
      [['import', 'unicorns.csv'], /there is no type 'unicorns'. The types are calendars, holidays/],
      [['import', join(folder, 'nowhere.csv'), '--type', 'people'], /nowhere\.csv cannot be read/],
      [['import', 'a.csv', 'b.csv', '--type', 'people'], /With --type, name one file/],
      [['import', file('people.csv', 'Name\n'), '--map', 'Name'], /--map needs two headers/],
      [['import', file('people.csv', 'Name\n'), '--dry'], /Unknown option '--dry'/],
      [['import', file('people.csv', 'Name\n'), '--absent', 'remove'], /422 .*Absent/],
      [['import', file('people.csv', 'Name\n'), '--history'], /422 .*History is not allowed here/],
      [['export'], /Name at least one type/],
      [['export', 'unicorns'], /422/],
      [['imports', 'stop'], /Say what to do/],
      [['imports', 'stop', 'x'], /Say what to do/],
      [['imports', 'list', '--limit', '1000'], /--limit is a number from 1 to 100/],
      [['imports', 'list', '--url', 'nowhere'], /This is no URL: nowhere/],
    ]
    for (const [args, text] of mistakes) {
      const { code, err } = await command(...args)
      expect([code, err], args.join(' ')).to.satisfy(([one, said]: [number, string]) => one === 2 && text.test(said))
    }
  })

  it('shows a bar at a terminal, and explains itself', async () => {
    const rows = Array.from({ length: 1500 }, (_, index) => `Site of a bar ${index}`)
    const { err } = await bare(['import', file('sites.csv', ['Name', ...rows].join('\n'))], env(), true)
    expect(err).to.match(/\[[#-]{24}\] [\d,]+ of 1,500 lines|waits for other imports/)
    const { out } = await bare(['--help'])
    for (const name of ['import', 'export', 'imports']) {
      expect(out).to.contain(`koa-itsm ${name} `)
      expect((await bare([name, '--help'])).out).to.match(/Usage: koa-itsm .*\n\n(.*\n)+Examples:\n/)
      expect((await bare(['help', name])).out).to.equal((await bare([name, '-h'])).out)
    }
  })
})
