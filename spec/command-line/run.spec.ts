/** The command `koa-itsm`, against the API (`imports.md`, Command line). */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import { VERSION } from '../../plugin/core/version.js'
import { withCommand } from '../support/command.js'
import { rowsOfCsv } from '../support/csv.js'
import { withMounted } from '../support/mounted.js'

const ADMIN = '@owen'

describe('The command line', () => {
  const place = withMounted('bare')
  const at = withCommand()
  before(() => place.itsm.start())

  const env = () => ({ KOA_ITSM_URL: place.baseUrl, KOA_ITSM_TOKEN: place.world.token(ADMIN) })
  /** Runs the command without settings of its own. */
  const bare = (args: readonly string[], given: Record<string, string> = {}) => at.run(args, { env: given })
  const command = (...args: string[]) => bare(args, env())
  const file = (name: string, text: string | Buffer) => at.write(name, text)

  it('imports a file, and writes its failed rows beside it', async () => {
    const path = file('sites.csv', 'Name,Time Zone\nOslo,\nMars base,Mars\n')
    const { code, err, out } = await command('import', path)
    expect(code, err).to.equal(1)
    expect(out).to.match(/sites\.csv: created 1, updated 0, deleted 0, unchanged 0, failures 1, errors 0/)
    const [, row] = await rowsOfCsv(readFileSync(join(at.folder, 'sites.failures.csv'), 'utf8'))
    expect(row?.slice(0, 4)).to.deep.equal(['Mars base', 'Mars', '3', 'Time Zone'])
    const repaired = readFileSync(join(at.folder, 'sites.failures.csv'), 'utf8').replace('Mars,3', ',3')
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
    expect((await command('import', path, '--map', 'Title=Name', '--dry-run')).out).to.match(/teams\.csv, dry run: created 2/)
    expect(JSON.parse(dry.out)).to.deep.include({ state: 'done', dry_run: true, failures_file: null })
    expect((await command('import', path, '--map', 'Title=Name')).out).to.match(/created 2/)
    file('teams.csv', 'Source,Source ID,Name,Manager\nPort,T-1,Harbor,Nobody Known\n')
    expect((await command('import', path)).out).to.match(/failures 1/)
    expect((await command('import', path, '--map', 'Manager=')).out).to.match(/unchanged 1, failures 0/)
    file('teams.csv', 'Source,Source ID,Name\nPort,T-1,Harbor\n')
    const whole = await command('import', path, '--absent', 'disable', '--absent-limit', '50')
    expect(whole.out).to.match(/updated 1, deleted 0, unchanged 1/)
  })

  it('exports types, each to a file that can be imported', async () => {
    const target = join(at.folder, 'out')
    const { code, err, out } = await command('export', 'sites,teams,sites', '-o', target)
    expect(code).to.equal(0)
    expect(err).to.match(/Next time: --from \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n$/)
    expect(out).to.match(/sites: .*sites\.csv\nteams: .*teams\.csv\n/)
    expect((await command('import', join(target, 'sites.csv'))).out).to.match(/created 0, updated 0/)
    const noFolder = await command('export', 'sites', '-o', join(target, 'sites.csv'))
    expect([noFolder.code, noFolder.err]).to.satisfy(([one, said]: [number, string]) => one === 2 && /is no folder/.test(said))
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
    // A file of this folder, which may be of anybody, does not choose where the token of the environment goes.
    const folderAlone = await bare(['imports', 'list'], { KOA_ITSM_TOKEN: 's3cret' })
    expect([folderAlone.code, folderAlone.err.includes(`has the url ${url}, but not your token`)]).to.deep.equal([2, true])
    expect(folderAlone.err).to.not.include('s3cret')
    const byPassword = await bare(['token', 'list', '--user', 'ines@widgets.example'])
    expect([byPassword.code, byPassword.err.includes('would be sent there')]).to.deep.equal([2, true])
    for (const more of [
      ['--url', url],
      ['--config', join(at.folder, '.koa-itsm.json')],
    ])
      expect((await bare(['imports', 'list', ...more], { KOA_ITSM_TOKEN: token })).code).to.equal(0)
    expect((await bare(['imports', 'list'], { KOA_ITSM_TOKEN: token })).code, 'its own token').to.equal(0)
    file('.koa-itsm.json', '{')
    expect((await bare(['imports', 'list'])).err).to.match(/cannot be read/)
    rmSync(join(at.folder, '.koa-itsm.json'))
    const missing = await bare(['imports', 'list'], { KOA_ITSM_URL: url })
    expect([missing.code, missing.err.split('\n')[0]]).to.deep.equal([
      2,
      'Give the token: --token, KOA_ITSM_TOKEN, or "token" in .koa-itsm.json',
    ])
    const away = await bare(['imports', 'list', '--url', 'http://127.0.0.1:59999', '--token', token])
    const secret = 'https://ines:s3cret@desk.example/v1'
    for (const args of [
      ['--url', secret],
      ['--url', 's3cret'],
      ['--config', file('odd.json', '{"token": "s3cret"')],
    ]) {
      const { code, err, out } = await bare(['imports', 'list', ...args], { KOA_ITSM_TOKEN: 's3cret' })
      expect([code, `${out}${err}`]).to.satisfy(([one, said]: [number, string]) => one === 2 && !said.includes('s3cret'))
    }
    expect([away.code, away.err]).to.deep.equal([
      2,
      'http://127.0.0.1:59999 could not be reached: connect ECONNREFUSED 127.0.0.1:59999\n',
    ])
  })

  it('names mistakes, with exit code 2', async () => {
    const mistakes: [string[], RegExp][] = [
      [['inport', 'people.csv'], /There is no command 'inport'/],
      [['import'], /Name at least one file/],
      [['import', file('unicorns.csv', 'Name\n')], /there is no type 'unicorns'. The types are calendars, holidays/],
      [['import', file('persons.csv', 'Name\n')], /there is no type 'persons'; did you mean 'people'\?|no type 'persons'/],
      [['import', join(at.folder, 'nowhere.csv'), '--type', 'people'], /There is no file .*nowhere\.csv/],
      [['import', at.folder, '--type', 'people'], /is a folder/],
      [
        ['import', file('huge.csv', Buffer.alloc(21 * 1024 ** 2)), '--type', 'people'],
        /huge\.csv has more than 20 MB, the most for an import/,
      ],
      [['import', 'a.csv', 'b.csv', '--type', 'people'], /With --type, name one file/],
      [['import', file('people.csv', 'Name\n'), '--map', 'A=Name', '--map', 'A=Site'], /column 'A' twice/],
      [['import', file('people.csv', 'Name\n'), '--map', 'Name'], /--map needs two headers/],
      [['import', file('people.csv', 'Name\n'), '--dry'], /There is no option --dry/],
      [['import', file('people.csv', 'Name\n'), '--absent', 'remove'], /422 .*Absent/],
      [['import', file('people.csv', 'Name\n'), '--history'], /422 .*History is not allowed here/],
      [['export'], /Name at least one type/],
      [['export', 'unicorns'], /422/],
      // Where folders cannot be made, for whatever reason.
      [['export', 'sites', '-o', '/dev/null/x'], /is no folder that can be written to/],
      [['imports', 'stop'], /Say what to do/],
      [['imports', 'stop', 'x'], /Say what to do/],
      [['imports', 'list', '--limit', '20000'], /--limit is a number from 1 to 10000/],
      [['imports', 'list', '--url', 'nowhere'], /The url must look like https/],
      [['imports', 'list', '--url'], /argument missing/],
      [['imports', 'list', '--account', 'ä b'], /An account has an id like acme/],
      [['imports', 'undo', '-1'], /Unknown option|no option|Say what to do/],
      [['--url', 'x', 'import'], /The command comes first/],
      [['help', 'constructor'], /There is no command 'constructor'/],
    ]
    for (const [args, text] of mistakes) {
      const { code, err } = await command(...args)
      expect([code, err], args.join(' ')).to.satisfy(([one, said]: [number, string]) => one === 2 && text.test(said))
    }
  })

  it('shows a bar at a terminal, and explains itself', async () => {
    const rows = Array.from({ length: 1500 }, (_, index) => `Site of a bar ${index}`)
    const { err } = await at.run(['import', file('sites.csv', ['Name', ...rows].join('\n'))], { env: env(), isTTY: true })
    expect(err).to.match(/sites\.csv: uploads \d+ kB/)
    expect(err).to.match(/\[[#-]{16}\] [\d,]+ of 1,501 lines|waits for other imports/)
    const { out } = await bare(['--help'])
    for (const name of ['import', 'export', 'imports', 'token', 'migrate', 'check']) {
      expect(out).to.contain(`koa-itsm ${name} `)
      expect((await bare([name, '--help'])).out).to.match(/Usage: koa-itsm .*\n\n(.*\n)+Examples:\n/)
      expect((await bare(['help', name])).out).to.equal((await bare([name, '-h'])).out)
    }
    expect((await bare([])).out).to.equal(out)
    expect((await bare(['--version'])).out).to.equal(`${VERSION}\n`)
  })
})
