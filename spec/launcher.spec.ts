/** Everything that keeps `npm start` from starting is said in two lines: what is wrong, and what helps. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import knex from 'knex'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { keptSecret, lockFolder } from '../examples/standalone/data-folder.js'
import { startDesk } from '../examples/standalone/desk.js'
import { makeDatabase } from '../examples/standalone/make-database.js'
import { readSettings } from '../examples/standalone/settings.js'
import { explain, listeningError, withoutPassword } from '../examples/standalone/startup-errors.js'
import { testStore } from './support/database.js'
import { programs } from './support/programs.js'
import { silent } from './support/settings.js'

describe('the launcher', function () {
  this.timeout(90_000)
  let folder: string
  const { run, end } = programs()

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'itsm-launcher-'))
  })
  afterEach(async () => {
    await end()
    rmSync(folder, { recursive: true, force: true })
  })

  /** The two lines of a start that fails. */
  async function refusal(env: Record<string, string>): Promise<readonly string[]> {
    const desk = run('standalone/main', { DATA_DIR: join(folder, 'data'), PORT: '0', ...env })
    expect(await desk.ends(), desk.output).to.equal(1)
    return linesOf(desk.output)
  }

  /** The same without a process: what is wrong with the settings, with the database that they name, or with a desk on them. */
  async function wrongWith(env: Record<string, string>, { starts = false } = {}): Promise<readonly string[]> {
    try {
      const settings = await readSettings({ DATA_DIR: join(folder, 'data'), PORT: '0', ...env })
      ;(await lockFolder(settings.dataDir))()
      if (env['MYSQL_URL']) await makeDatabase(settings.databaseUrl)
      if (starts) await (await startDesk(settings, { log: silent, sendMail: async () => {} })).stop()
    } catch (error) {
      return linesOf(explain(error))
    }
    throw new Error('It was not refused')
  }

  function linesOf(output: string): readonly string[] {
    const lines = output.split('\n').filter((line) => line.trim() !== '')
    expect(lines, output).to.have.length(2)
    expect(lines[1]).to.match(/^ {2}→ /)
    return lines.map((line) => line.replace(/^ {2}(→ )?/, ''))
  }

  it('serves the documents, and prints where', async () => {
    const desk = run('standalone/main', { DATA_DIR: join(folder, 'data'), PORT: '0' })
    const [, baseUrl = '', documents = ''] = await desk.prints(/Base URL +(\S+)[\s\S]*Documents +(\S+)[\s\S]*Ctrl\+C stops/)
    expect(documents).to.equal(`${baseUrl}/docs`)
    expect(await (await fetch(documents)).text()).to.contain('<h1 id="koa-itsm">')
    expect(await desk.stop()).to.equal(0)
  })

  describe('on data that another desk uses', () => {
    it('says where that one is and how to have a second one', async () => {
      const data = join(folder, 'data')
      const first = run('standalone/main', { DATA_DIR: data, PORT: '0' })
      const [, baseUrl = ''] = await first.prints(/Base URL +(\S+)[\s\S]*Ctrl\+C stops/)
      const { pid } = JSON.parse(readFileSync(join(data, 'running.json'), 'utf8'))
      const [problem, hint] = await refusal({ PORT: new URL(baseUrl).port })
      expect(problem).to.equal(`A desk is already running on the data in ${data}, at ${baseUrl} (process ${pid}).`)
      expect(hint).to.contain(`kill ${pid}`).and.to.contain('DATA_DIR=.data-2 PORT=3001 npm start')
      await first.stop('SIGKILL')
      expect(existsSync(join(data, 'running.json'))).to.equal(true)
      const next = run('standalone/main', { DATA_DIR: data, PORT: '0' })
      await next.prints(/Using the data of the last start/)
      expect(await next.stop()).to.equal(0)
    })

    it('holds the folder for one desk of this process too, and gives it back', async () => {
      const unlock = await lockFolder(folder)
      const refused = await lockFolder(folder).catch((error: Error) => error)
      expect(String(refused)).to.contain('already running')
      unlock()
      ;(await lockFolder(folder))()
    })

    it('makes a database on a server, and holds it, whatever the data folder', async function () {
      if (testStore() !== 'server') this.skip()
      const url = new URL(process.env['MYSQL_URL'] ?? '')
      const name = `itsm_launcher_${process.pid}`
      url.pathname = `/${name}`
      const server = knex({ client: 'mysql2', connection: process.env['MYSQL_URL'] ?? '' })
      try {
        const first = run('standalone/main', { DATA_DIR: join(folder, 'first'), MYSQL_URL: url.href, PORT: '0' })
        await first.prints(/Ctrl\+C stops/)
        const rows = await server.withSchema(name).from('itsm_requests').count({ n: '*' })
        expect(Number(rows[0]?.['n'])).to.be.greaterThan(2)
        const [problem] = await refusal({ MYSQL_URL: url.href })
        expect(problem).to.equal(`A desk is already running on the database '${name}' of MYSQL_URL.`)
        await first.stop('SIGKILL')
        const next = run('standalone/main', { DATA_DIR: join(folder, 'first'), MYSQL_URL: url.href, PORT: '0' })
        await next.prints(/Using the data of the last start/)
        expect(await next.stop()).to.equal(0)
      } finally {
        await server.raw('drop database if exists ??', [name])
        await server.destroy()
      }
    })
  })

  describe('with a data folder that it cannot use', () => {
    it('says that it is a file', async () => {
      const file = join(folder, 'file')
      writeFileSync(file, '')
      expect((await wrongWith({ DATA_DIR: file }))[0]).to.equal(`DATA_DIR must be a folder, and ${file} is not one.`)
      expect((await wrongWith({ DATA_DIR: join(file, 'below') }))[0]).to.contain('cannot be created (ENOTDIR)')
    })

    it('says that nothing can be written there', async function () {
      const isRoot = process.getuid?.() === 0
      if (isRoot && platform() !== 'linux') this.skip()
      const closed = isRoot ? '/sys' : join(folder, 'closed')
      if (!isRoot) mkdirSync(closed, { mode: 0o500 })
      const [problem, hint] = await wrongWith({ DATA_DIR: closed })
      expect(problem).to.match(/^Nothing can be written in the data folder \S+ \((EACCES|EROFS)\)\.$/)
      expect(hint).to.contain('DATA_DIR=')
      if (!isRoot) chmodSync(closed, 0o700)
    })

    it('ends for folders of the system as well', async function () {
      if (platform() !== 'linux') this.skip()
      const secret = 'x'.repeat(40)
      expect((await wrongWith({ DATA_DIR: '/proc' }))[0]).to.match(/^Nothing can be written in the data folder \/proc \(E/)
      expect((await wrongWith({ DATA_DIR: '/proc', ITSM_SECRET: secret }))[0]).to.match(/^Nothing can be written/)
      expect((await wrongWith({ DATA_DIR: '/proc/x/y' }))[0]).to.equal('The data folder /proc/x/y cannot be created (ENOENT).')
    })

    it('gives the same secret to all who start in it at the same time', async () => {
      const secrets = await Promise.all(Array.from({ length: 40 }, () => keptSecret(folder)))
      expect(new Set(secrets).size).to.equal(1)
      expect(readdirSync(folder)).to.deep.equal(['secret'])
    })

    it('never shows half a secret to another that starts', async () => {
      const path = join(folder, 'secret')
      for (let time = 0; time < 20; time += 1) {
        rmSync(path, { force: true })
        let isDone = false
        const made = keptSecret(folder).finally(() => {
          isDone = true
        })
        while (!isDone) {
          if (existsSync(path)) expect(readFileSync(path, 'utf8')).to.match(/^[0-9a-f]{64}\n$/)
          await nextTurn()
        }
        await made
      }
    })

    it('says that the secret in it is damaged, and leaves it alone', async () => {
      mkdirSync(join(folder, 'data'))
      writeFileSync(join(folder, 'data', 'secret'), '\n')
      const [problem, hint] = await wrongWith({})
      expect(problem).to.equal(`The secret in ${join(folder, 'data', 'secret')} is damaged.`)
      expect(hint).to.contain('remove it')
      expect(readFileSync(join(folder, 'data', 'secret'), 'utf8')).to.equal('\n')
    })

    it('says that the database in it is none', async () => {
      mkdirSync(join(folder, 'data'))
      writeFileSync(join(folder, 'data', 'itsm.db'), 'not a database, '.repeat(1000))
      expect((await wrongWith({}, { starts: true }))[0]).to.match(
        /^The embedded database cannot be used: .* \(SQLITE_NOTADB\)\.$/,
      )
    })
  })

  it('says what is wrong with an address to listen at, before it makes a database', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const [problem, hint] = await refusal({ PORT: String(port) })
    other.close()
    expect(problem).to.equal(`Port ${port} is in use by another program.`)
    expect(hint).to.match(/^PORT=\d+ npm start$/)
    const advice = (code: string, host: string, at: number) => linesOf(explain(listeningError({ code }, { host, port: at })))
    expect(advice('EADDRINUSE', '127.0.0.1', 65_535)[1]).to.equal('PORT=3000 npm start')
    expect(advice('EACCES', '127.0.0.1', 80)[0]).to.equal('Port 80 is reserved for the system.')
    expect(advice('ENOTFOUND', 'nowhere', 80)[0]).to.equal(
      "HOST must be an address of this machine, not 'nowhere' (ENOTFOUND).",
    )
    for (const wrong of ['70000', '-1', '1e3', 'http']) {
      expect((await wrongWith({ PORT: wrong }))[0]).to.equal(`PORT must be a number from 0 to 65535, not '${wrong}'.`)
    }
    expect(existsSync(join(folder, 'data', 'itsm.db'))).to.equal(false)
  })

  describe('with servers that it cannot use', () => {
    it('tells an unknown host from one that refuses, and never shows the password', async () => {
      const nowhere = `127.0.0.1:${await freePort()}`
      const [unknown, aboutUnknown] = await wrongWith({ MYSQL_URL: 'mysql://me:secret@no-such-host.invalid/desk' })
      expect(unknown)
        .to.match(/MYSQL_URL/)
        .and.to.contain('no-such-host.invalid')
        .and.not.to.contain('HOST ')
      expect(aboutUnknown).to.contain('unset')
      const [refused] = await wrongWith({ MYSQL_URL: `mysql://me:secret@${nowhere}/desk` })
      expect(refused).to.equal(`No server listens at ${nowhere}, the address in MYSQL_URL (ECONNREFUSED).`)
      const [jobs, aboutJobs] = await wrongWith({ MONGODB_URL: `mongodb://me:secret@${nowhere}/desk` }, { starts: true })
      expect(jobs).to.contain(nowhere).and.to.contain('ECONNREFUSED').and.not.to.contain('secret')
      expect(aboutJobs).to.contain('MONGODB_URL')
    })

    it('says how addresses have to look', async () => {
      expect((await wrongWith({ MYSQL_URL: 'desk.example/itsm' }))[0]).to.contain('MYSQL_URL must look like mysql://')
      expect((await wrongWith({ MYSQL_URL: 'mysql://me:50%@localhost/itsm' }))[1]).to.contain('%25')
      expect((await wrongWith({ MYSQL_URL: 'mysql://me@localhost' }))[0]).to.equal('MYSQL_URL must name a database.')
      expect((await wrongWith({ MONGODB_URL: 'localhost' }))[0]).to.contain('MONGODB_URL must look like mongodb://')
      expect((await wrongWith({ ITSM_SECRET: 'short' }))[0]).to.equal('ITSM_SECRET must have at least 32 characters.')
    })

    it('tells a wrong password from a database that the user may not use', async function () {
      if (testStore() !== 'server') this.skip()
      const server = knex({ client: 'mysql2', connection: process.env['MYSQL_URL'] ?? '' })
      const user = `itsm_${process.pid}`
      const url = new URL(process.env['MYSQL_URL'] ?? '')
      Object.assign(url, { username: user, password: 'right', pathname: `/${user}_missing` })
      try {
        await server.raw(`create user '${user}'@'%' identified by 'right'`)
        await server.raw(`create user '${user}'@'localhost' identified by 'right'`)
        const [missing, aboutMissing] = await wrongWith({ MYSQL_URL: url.href })
        expect(missing).to.equal(`The database '${user}_missing' does not exist, or the user '${user}' may not use it.`)
        expect(aboutMissing).to.contain('CREATE DATABASE').and.to.contain('GRANT ALL')
        url.password = 'wrong'
        const [wrong] = await wrongWith({ MYSQL_URL: url.href })
        expect(wrong).to.equal(`The server at ${url.host} does not accept the user '${user}' with this password.`)
      } finally {
        await server.raw(`drop user if exists '${user}'@'%', '${user}'@'localhost'`)
        await server.destroy()
      }
    })

    it('shows addresses without passwords, whatever is in them', () => {
      expect(withoutPassword('mysql://me:p:w@rd@host/db')).to.equal('mysql://me:…@host/db')
      expect(withoutPassword('mongodb://a:b@one:1,two:2/db')).to.equal('mongodb://a:…@one:1,two:2/db')
      expect(withoutPassword('mysql://host:3306/db')).to.equal('mysql://host:3306/db')
    })
  })

  it('says which Node it needs, in a check that runs before anything else', () => {
    const { scripts, engines } = JSON.parse(readFileSync('package.json', 'utf8'))
    const check = 'examples/standalone/check-node.cjs'
    // Then the pages of the console, which a checkout does not have yet.
    const pages = 'node plugin/console/build.mjs'
    expect([scripts.prestart, scripts.predemo]).to.deep.equal([`node ${check} && ${pages}`, `node ${check}`])
    const under = (version: string) => {
      const script = `Object.defineProperty(process.versions, 'node', { value: '${version}' }); require('./${check}')`
      const { status, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })
      return { status, stderr: stderr.trim().split('\n') }
    }
    const [wanted] = /\d+\.\d+\.\d+/.exec(engines.node) ?? []
    expect(under('18.20.8').status).to.equal(1)
    expect(under('18.20.8').stderr[0]).to.equal(`koa-itsm needs Node ${wanted} or newer, and this is Node 18.20.8.`)
    expect(under('20.9.0').status).to.equal(1)
    for (const version of [String(wanted), '20.20.2', '24.0.0']) {
      expect(under(version)).to.deep.equal({ status: 0, stderr: [''] })
    }
  })
})

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
