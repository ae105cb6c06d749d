/** `koa-itsm migrate` and `koa-itsm check`, on the plugin of a host and on a database alone. */
import { expect } from 'chai'
import { afterEach, describe, it } from 'mocha'
import { migrations } from '../../migrations/index.js'
import { createTable, dropTables, type Migration } from '../../migrations/tools.js'
import { createPlugin, type Plugin } from '../../plugin/index.js'
import { withCommand } from '../support/command.js'
import { testStore, withDatabase } from '../support/database.js'
import { silent, TEST_SECRET } from '../support/settings.js'

const names = migrations.map(({ name }) => name)
const vehicles: Migration = {
  name: 'fleet_0001_create_vehicles',
  up: (schema) => createTable(schema, 'vehicles', (table) => table.id()),
  down: (schema) => dropTables(schema, 'vehicles'),
}

/** What the modules of the specs export. */
const host = globalThis as { pluginOfSpec?: unknown }

describe('The command line and the tables', () => {
  const at = withCommand()
  afterEach(() => {
    delete host.pluginOfSpec
  })
  const moduleWith = (text: string) => at.write(`desk-${Math.random()}.mjs`, text)

  describe('of the plugin of a host', () => {
    const database = withDatabase({ migrated: false, file: true })
    const made = () =>
      createPlugin({
        baseUrl: 'https://desk.example/v1',
        secret: TEST_SECRET,
        database: { knex: database.lent },
        migrations: [vehicles],
        log: silent,
      })
    const command = (...args: string[]) => {
      host.pluginOfSpec = made
      return at.run([...args, '--plugin', moduleWith('export default () => globalThis.pluginOfSpec()')])
    }

    it('says which migrations have not run, and changes nothing', async () => {
      const { code, err, out } = await command('check')
      expect(code, err).to.equal(1)
      expect(out).to.match(/^has not run: 0001_.*\n(has not run: .*\n)+koa-itsm migrate runs them/)
      expect(await database.knex.schema.hasTable('itsm_migrations')).to.equal(false)
      const { out: json } = await command('check', '--json')
      expect(JSON.parse(json)).to.deep.equal({
        ready: false,
        migrations: [...names, vehicles.name],
        differences: [],
        draft: '',
      })
    })

    it('runs them, tells their names, and finds nothing to do after that', async () => {
      const { code, out } = await command('migrate')
      expect([code, out.trimEnd().split('\n').at(-1)]).to.deep.equal([0, 'ran fleet_0001_create_vehicles'])
      expect((await command('migrate')).out).to.equal('Nothing to do: all migrations have run\n')
      expect((await command('migrate', '--json')).out).to.equal('{"migrations":[]}\n')
      expect(await command('check')).to.deep.include({ code: 0, out: 'The tables match the record types\n' })
    })

    it('leaves the pool of the host open, and starts no jobs', async () => {
      expect(await database.knex('itsm_accounts').count({ count: '*' })).to.have.lengthOf(1)
    })

    it('tells how the tables differ, with a migration', async () => {
      await database.knex.schema.alterTable('itsm_sites', (table) => table.dropColumn('remarks'))
      const { code, out } = await command('check')
      expect(code).to.equal(1)
      expect(out).to.match(/^itsm_sites\.remarks: the column is missing/)
      expect(out).to.match(/This migration adds what is missing:\n\n/)
    })

    it('refuses a database that has more migrations than the plugin', async () => {
      host.pluginOfSpec = createPlugin({
        baseUrl: 'https://desk.example/v1',
        secret: TEST_SECRET,
        database: { knex: database.lent },
        log: silent,
      })
      const { code, err } = await at.run(['migrate', '-p', moduleWith('export const itsm = globalThis.pluginOfSpec')])
      expect([code, err]).to.satisfy(
        ([one, said]: [number, string]) => one === 2 && /migrations that are not known here: fleet_0001/.test(said),
      )
    })
  })

  if (testStore() === 'server') {
    describe('of a database alone', () => {
      const database = withDatabase({ migrated: false })

      it('migrates and checks it, under the prefix that is asked for', async () => {
        const env = { MYSQL_URL: database.url }
        expect((await at.run(['migrate', '--table-prefix', 'desk_'], { env })).out).to.match(/^ran 0001_/)
        expect(await database.knex.schema.hasTable('desk_sites')).to.equal(true)
        expect((await at.run(['check', '--table-prefix', 'desk_', '--mysql', database.url])).out).to.match(/tables match/)
        expect((await at.run(['check'], { env })).code).to.equal(1)
      })

      it('tells what the server says, without the password', async () => {
        for (const [from, to] of [
          [/\/\/.*@/, '//nobody:s3cret@'],
          [/\/[^/]*$/, '/itsm_unknown'],
        ] as const) {
          const { code, err } = await at.run(['migrate', '--mysql', database.url.replace(from, to)])
          expect([code, err]).to.satisfy(([one, said]: [number, string]) => one === 2 && /denied|[Uu]nknown/.test(said))
          expect(err).to.not.match(/s3cret|\.[jt]s:\d/)
        }
      })
    })
  }

  it('names mistakes, with exit code 2 and without passwords', async () => {
    const mistakes: [string[], RegExp][] = [
      [['check'], /Give the plugin of the host with --plugin, or a database/],
      [['check', 'all', '--mysql', 'mysql://a/b'], /There is nothing to name here: all/],
      [['migrate', '--mysql', 'postgres://a:s3cret@b/c'], /must look like mysql:/],
      [['migrate', '--mysql', 'mysql://a:s3cret@b'], /database\.url: must look like/],
      [['migrate', '--mysql', 'mysql://a:s3cret%zz@b/c'], /Write @ : \/ # % in the password/],
      [['migrate', '--mysql', 'mysql://a:s3cret@127.0.0.1:1/itsm'], /ECONNREFUSED/],
      [['migrate', '--mysql', 'mysql://a:s3cret@localhost:1/itsm'], /ECONNREFUSED/],
      [['check', '--mysql', 'mysql://a:s3cret@127.0.0.1:1/itsm', '--table-prefix', 'A B'], /tablePrefix: must be/],
      [['check', '--plugin', 'nowhere.js'], /There is no file .*nowhere\.js/],
      [['check', '--plugin', at.folder], /could not be loaded/],
      [['check', '--plugin', 'x.js', '--mysql', 'mysql://a/b'], /omit --mysql/],
      [['check', '--plugin', moduleWith('export default {}')], /must export a plugin of this version/],
      [['check', '--plugin', moduleWith('syntax error')], /could not be loaded/],
      [['check', '--plugin', moduleWith("throw new Error('no mysql://a:s3cret@b/c')")], /no mysql:\/\/a:…@b\/c/],
      [['check', '--plugin', moduleWith("export default async () => { throw new Error('no settings') }")], /no settings/],
    ]
    for (const [args, text] of mistakes) {
      const { code, err, out } = await at.run(args)
      expect([code, err], args.join(' ')).to.satisfy(([one, said]: [number, string]) => one === 2 && text.test(said))
      expect(`${out}${err}`).to.not.include('s3cret')
    }
  })

  it('tells hosts the same without the command', async () => {
    const itsm: Plugin = createPlugin({
      baseUrl: 'https://desk.example/v1',
      secret: TEST_SECRET,
      database: { url: 'sqlite::memory:' },
      log: silent,
    })
    expect(await itsm.check()).to.deep.equal({ migrations: names, differences: [], draft: '' })
    await itsm.migrate()
    expect(await itsm.check()).to.deep.equal({ migrations: [], differences: [], draft: '' })
    await itsm.stop()
  })
})
