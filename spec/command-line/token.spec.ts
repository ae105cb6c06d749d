/** `koa-itsm token`, against the API (behaviour: Tokens). */
import { existsSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { afterEach, before, describe, it } from 'mocha'
import { withCommand } from '../support/command.js'
import { withMounted } from '../support/mounted.js'

const ADMIN = '@owen'

describe('The command line makes tokens', () => {
  const place = withMounted('bare')
  const at = withCommand()
  before(() => place.itsm.start())
  afterEach(() => rmSync(join(at.home, '.koa-itsm.json'), { force: true }))
  const withPassword = (name: string, ...args: string[]) => {
    const { email, password } = place.world.signIn(name)
    return at.run(['token', ...args, '--user', email], { env: { KOA_ITSM_URL: place.baseUrl }, password })
  }
  const withToken = (token: string, ...args: string[]) =>
    at.run(args, { env: { KOA_ITSM_URL: place.baseUrl, KOA_ITSM_TOKEN: token } })

  it('that are shown once, alone on the output', async () => {
    const { code, err, out } = await withPassword(ADMIN, 'create', 'My laptop')
    expect([code, out]).to.satisfy(([one, text]: [number, string]) => one === 0 && /^itsm_pat_[0-9A-Za-z]{36}\n$/.test(text))
    expect(err).to.match(/^Token \d+ 'My laptop', without an end\. It is shown only now:\n$/)
    expect((await withToken(out.trim(), 'imports', 'list')).code).to.equal(0)
    const { out: list } = await withPassword(ADMIN, 'list')
    expect(list).to.match(/^Id +Name +Limit.*\n\d+ +My laptop .* all +never /)
    expect(list).to.not.include('itsm_pat_')
  })

  it('with limits, by the names of files or those of types', async () => {
    const { out } = await withPassword(
      ADMIN,
      'create',
      'nightly',
      '--types',
      'people, ci',
      '--read-only',
      '--expires',
      '2099-12-31',
      '--json',
    )
    const made = JSON.parse(out)
    expect(made).to.deep.include({ name: 'nightly', read_only: true, record_types: ['person', 'ci'] })
    expect(made.expires_at).to.match(/^2099-12-3/)
    expect((await withToken(made.token, 'import', at.write('sites.csv', 'Name\n'))).err).to.match(/403/)
    const { out: listed } = await withPassword(ADMIN, 'list', '--json')
    expect(JSON.parse(listed.split('\n')[0] ?? '')).to.deep.include({ id: made.id })
  })

  it('that are stored for the next commands, readable by their person only', async () => {
    const { code, err, out } = await withPassword(ADMIN, 'create', 'stored', '--save')
    const file = join(at.home, '.koa-itsm.json')
    expect([code, err]).to.deep.equal([0, 'KOA_ITSM_URL in the environment still come before that file\n'])
    expect(out).to.match(/^Token \d+ 'stored', without an end, stored in .*\.koa-itsm\.json\n$/)
    expect(statSync(file).mode & 0o777).to.equal(0o600)
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')))).to.deep.equal(['url', 'token'])
    expect((await at.run(['imports', 'list'])).code).to.equal(0)
    // What stands there stays, and a link stays a link.
    const real = at.write('real.json', '\ufeff{"note": "mine", "token": "old"}')
    rmSync(file)
    symlinkSync(real, file)
    await withPassword(ADMIN, 'create', 'again', '--save')
    expect(JSON.parse(readFileSync(real, 'utf8')))
      .to.include({ note: 'mine', url: place.baseUrl })
      .and.not.include({ token: 'old' })
    const own = join(at.folder, 'own.json')
    await withPassword(ADMIN, 'create', 'third', '--save', '--config', own)
    expect((await at.run(['imports', 'list', '--config', own])).code).to.equal(0)
  })

  it('and shows a token that it cannot store', async () => {
    const { code, err, out } = await withPassword(
      ADMIN,
      'create',
      'lost',
      '--save',
      '--config',
      join(at.folder, 'none', 'x.json'),
    )
    expect([code, out]).to.satisfy(([one, text]: [number, string]) => one === 2 && text.startsWith('itsm_pat_'))
    expect(err).to.match(/x\.json cannot be written/)
  })

  it('and revokes them, those of others by an administrator', async () => {
    const { out } = await withPassword(ADMIN, 'create', 'short', '--json')
    const { id, token } = JSON.parse(out)
    const person = String(place.world.id(ADMIN))
    const api = place.world.token(ADMIN)
    expect((await withToken(api, 'token', 'list', '--person', person)).out).to.include(' short ')
    expect((await withToken(api, 'token', 'revoke', String(id), '--person', person)).out).to.equal(`Token ${id} is revoked\n`)
    expect((await withToken(token, 'imports', 'list')).err).to.match(/401/)
    expect((await withPassword(ADMIN, 'revoke', String(id))).err).to.match(/404/)
  })

  it('and names mistakes, with exit code 2 and without the password', async () => {
    const { email, password } = place.world.signIn(ADMIN)
    const api = place.world.token(ADMIN)
    const user = ['--user', email]
    const mistakes: [string[], RegExp, string?][] = [
      [['create', 'x', ...user], /401 .*\n.*password is wrong/, `wrong ${password}`],
      [['create', 'x', ...user], /There is no password/, ''],
      [['create', 'x'], /403 .*\n.*add --user EMAIL/],
      [['create', 'x', '--user', 'ines:secret'], /--user is an e-mail address/],
      [['create', 'My', 'laptop', ...user], /A name with blanks needs quotes/],
      [['create', ...user], /Say what to do/],
      [['create', ' ', ...user], /422 .*name/i],
      [['create', 'x', '--types', ',', ...user], /--types needs types/],
      [['create', 'x', '--types', 'persons', ...user], /no type 'persons' for tokens; did you mean 'person'/],
      [['create', 'x', '--expires', '2001-01-01', ...user], /422 .*future/],
      [['create', 'x', '--expires', 'tomorrow', ...user], /422/],
      [['create', 'x', '--person', '3', ...user], /Everybody makes their own tokens/],
      [['list', 'all', ...user], /Say what to do/],
      [['list', '--save', ...user], /Only create has --save/],
      [['list', '--person', 'ines', ...user], /--person is the id of a person/],
      [['revoke', ...user], /Say what to do/],
      [['revoke', 'x', ...user], /Say what to do/],
      [['revoke', '999999', ...user], /404/],
    ]
    for (const [args, text, typed = password] of mistakes) {
      const env = { KOA_ITSM_URL: place.baseUrl, KOA_ITSM_TOKEN: api }
      const { code, err, out } = await at.run(['token', ...args], { env, password: typed })
      expect([code, err], args.join(' ')).to.satisfy(([one, said]: [number, string]) => one === 2 && text.test(said))
      for (const secret of [password, api]) expect(`${out}${err}`).to.not.include(secret)
    }
    const nobody = await at.run(['token', 'list'], { env: { KOA_ITSM_URL: place.baseUrl } })
    expect(nobody.err).to.match(/Add --user EMAIL/)
    expect(existsSync(join(at.home, '.koa-itsm.json'))).to.equal(false)
  })
})
