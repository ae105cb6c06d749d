/** The command `koa-itsm` against a server that answers as it likes: proxies, broken connections, undo. */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { after, before, beforeEach, describe, it } from 'mocha'
import { withCommand } from '../support/command.js'

/** A status, and JSON or a text; or what is done with the connection. */
type Reply =
  | readonly [number, object | string, Readonly<Record<string, string>>?]
  | ((request: IncomingMessage, response: ServerResponse) => void)

describe('The command line, away from a good API', () => {
  const at = withCommand()
  /** Replies by method and path, the last one again and again. */
  let replies: Record<string, Reply[]> = {}
  let asked: string[] = []
  const server = createServer((request, response) => {
    const key = `${request.method} ${request.url}`
    asked.push(key)
    request.resume()
    const list = replies[key] ?? []
    const reply = (list.length > 1 ? list.shift() : list[0]) ?? [404, { message: 'Not Found' }]
    if (typeof reply === 'function') return reply(request, response)
    const [status, body, headers] = reply
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  let url = ''
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  beforeEach(() => {
    asked = []
    replies = {
      'GET /v1/openapi.json': [
        [200, { components: { schemas: { ImportUpload: { properties: { type: { enum: ['sites', 'people'] } } } } } }],
      ],
      'POST /v1/import': [[200, { token: 'abc' }]],
    }
  })
  const command = (args: readonly string[], more: { signal?: AbortSignal; isTTY?: boolean } = {}) =>
    at.run(args, { env: { KOA_ITSM_URL: url, KOA_ITSM_TOKEN: 's3cret' }, ...more })
  const drop: Reply = (request) => request.socket.destroy()

  describe('undoes imports', () => {
    const done = (results: object) => [200, { state: 'done', line: 3, results }] as const
    beforeEach(() => {
      replies['POST /v1/imports/17/undo'] = [[200, { token: 'def', id: 18 }]]
    })

    it('and follows the undo to its end', async () => {
      replies['GET /v1/import/def'] = [
        [200, { state: 'queued' }],
        [200, { state: 'processing', line: 2 }],
        done({ deleted: 3, failures: 0 }),
      ]
      const { code, err, out } = await command(['imports', 'undo', '17'], { isTTY: true })
      expect([code, out]).to.deep.equal([0, 'Undo of import 17: deleted 3\n'])
      expect(err).to.match(/undo of import 17: waits for other imports.*undo of import 17: 2 lines/s)
      const { out: json } = await command(['imports', 'undo', '17', '--json'])
      expect(JSON.parse(json)).to.deep.equal({
        id: 17,
        undo_id: 18,
        state: 'done',
        message: null,
        results: { deleted: 3, failures: 0 },
        failures_file: null,
      })
    })

    it('and lists the records that it has left', async () => {
      replies['GET /v1/import/def'] = [done({ updated: 2, failures: 1 })]
      const list = 'Record Type,ID,Name,Reason,Changed By,Changed At\nsite,4,Oslo,changed since,Ines,2026-01-01\n'
      replies['GET /v1/imports/18/failures'] = [[200, list]]
      const { code, out } = await command(['imports', 'undo', '17'])
      const target = join(at.folder, 'undo-18.failures.csv')
      expect([code, out]).to.deep.equal([
        1,
        `Undo of import 17: updated 2, failures 1\n  records that were left as they are: ${target}\n`,
      ])
      expect(readFileSync(target, 'utf8')).to.equal(list)
    })

    it('also one whose progress nobody remembers', async () => {
      replies['GET /v1/imports/18'] = [[200, { id: 18, state: 'done', results: { deleted: 1 }, message: null }]]
      expect(await command(['imports', 'undo', '17'])).to.deep.include({ code: 0, out: 'Undo of import 17: deleted 1\n' })
    })

    it('and says why not', async () => {
      replies['GET /v1/import/def'] = [[200, { state: 'error', message: 'Stopped by Ines', results: {} }]]
      expect(await command(['imports', 'undo', '17'])).to.deep.include({
        code: 2,
        out: 'Undo of import 17: Stopped by Ines; there was nothing to undo\n',
      })
      replies['POST /v1/imports/17/undo'] = [
        [409, { message: 'Imports of the account are running' }],
        [422, { message: 'Validation Failed', errors: [['id', 'is a dry run']] }],
        [404, { message: 'Not Found' }],
      ]
      expect((await command(['imports', 'undo', '17'])).err).to.match(/409 Imports of the account are running/)
      expect((await command(['imports', 'undo', '17'])).err).to.match(/422 Validation Failed; id: is a dry run/)
      expect(await command(['imports', 'undo', '17'])).to.deep.include({ code: 2, out: '' })
    })
  })

  it('looks for the failures of an import on all pages, and lists more than a page', async () => {
    const page = (from: number) => Array.from({ length: 100 }, (_, index) => entry(from - index))
    const entry = (id: number) => ({
      id,
      token: `t${id}`,
      type: 'sites',
      file_name: 'a\u001b[2J.csv',
      created_by: null,
      state: 'done',
      lines: 2,
      created_at: '2026-01-01T00:00:00+00:00',
      results: {},
    })
    replies['GET /v1/imports?per_page=100&page=1'] = [[200, page(300)]]
    replies['GET /v1/imports?per_page=100&page=2'] = [[200, page(200)]]
    replies['GET /v1/imports?per_page=100&page=3'] = [[200, [{ ...entry(100), token: 'abc' }]]]
    replies['GET /v1/import/abc'] = [[200, { state: 'done', line: 2, results: { failures: 1 } }]]
    replies['GET /v1/imports/100/failures'] = [[200, 'Name,Line\n']]
    const { code, out } = await command(['import', at.write('sites.csv', 'Name\nOslo\n')])
    expect([code, out]).to.satisfy(([one, said]: [number, string]) => one === 1 && said.includes('sites.failures.csv'))
    const { out: list } = await command(['imports', 'list', '--limit', '150'])
    expect(list.trimEnd().split('\n')).to.have.lengthOf(151)
    expect(list).to.include('a?[2J.csv')
    const { out: lines } = await command(['imports', 'list', '--limit', '1000', '--json'])
    expect(lines.trimEnd().split('\n')).to.have.lengthOf(201)
    replies['GET /v1/imports?per_page=20&page=1'] = [[200, []]]
    expect((await command(['imports', 'list'])).out).to.equal('No imports\n')
    expect((await command(['imports', 'list', '--json'])).out).to.equal('')
  })

  it('tells the result also if the failed rows cannot be had', async () => {
    replies['GET /v1/import/abc'] = [[200, { state: 'done', results: { created: 1, failures: 1 } }]]
    replies['GET /v1/imports?per_page=100&page=1'] = [[500, { message: 'Internal Server Error' }]]
    const { code, err, out } = await command(['import', at.write('sites.csv', 'Name\nOslo\n')])
    expect([code, out.split('\n')[0]]).to.deep.equal([1, `${join(at.folder, 'sites.csv')}: created 1, failures 1`])
    expect(err).to.match(/sites\.failures\.csv could not be written: .*500/)
  })

  it('looks again once if the connection breaks, and then says that the import goes on', async () => {
    replies['GET /v1/import/abc'] = [
      [200, { state: 'processing', line: 1 }],
      drop,
      [502, '<html>'],
      [200, { state: 'done', results: {} }],
    ]
    const path = at.write('sites.csv', 'Name\nOslo\n')
    const broken = await command(['import', path])
    expect([broken.code, broken.err]).to.satisfy(
      ([one, said]: [number, string]) =>
        one === 2 && /502, and no JSON.*\n.*sites\.csv: It goes on in the background: koa-itsm imports list/s.test(said),
    )
    replies['GET /v1/import/abc'] = [drop, [200, { state: 'done', results: { created: 1 } }]]
    expect(await command(['import', path])).to.deep.include({ code: 0, err: '' })
  })

  it('says after Ctrl-C that the import goes on', async () => {
    replies['GET /v1/import/abc'] = [[200, { state: 'processing', line: 1 }]]
    const interrupt = new AbortController()
    setTimeout(() => interrupt.abort(), 300)
    const { code, err } = await command(['import', at.write('sites.csv', 'Name\nOslo\n')], { signal: interrupt.signal })
    expect([code, err]).to.satisfy(
      ([one, said]: [number, string]) => one === 130 && /^Interrupted\.\n.*It goes on in the background/.test(said),
    )
  })

  it('waits as the API asks, in whatever form, but not for ever', async () => {
    const soon = new Date(Date.now() + 900).toUTCString()
    replies['GET /v1/imports?per_page=20&page=1'] = [
      [429, {}, { 'Retry-After': '1' }],
      [503, {}, { 'Retry-After': soon }],
      [200, []],
    ]
    const { code, err } = await command(['imports', 'list'])
    expect([code, err]).to.deep.equal([0, '429: the API asks to wait 1 s\n'])
    replies['GET /v1/imports?per_page=20&page=1'] = [[503, { message: 'Closed for today' }, { 'Retry-After': '86400' }]]
    expect((await command(['imports', 'list'])).err).to.match(/503 Closed for today/)
  })

  it('says what has answered in place of the API, and what to do', async () => {
    const list = 'GET /v1/imports?per_page=20&page=1'
    const said = async (reply: Reply) => {
      replies[list] = [reply]
      const { code, err, out } = await command(['imports', 'list'])
      expect(code).to.equal(2)
      expect(`${out}${err}`).to.not.match(/s3cret|<html|at .*\.ts:/)
      return err
    }
    expect(await said([200, '<html>Welcome</html>'])).to.match(/200, and no JSON. Is http.* the base URL of the API/)
    replies['POST /v1/export'] = [[200, '<html>Welcome</html>']]
    const exported = await command(['export', 'sites', '-o', at.folder])
    expect([exported.code, exported.err]).to.satisfy(
      ([one, text]: [number, string]) => one === 2 && /200, and no JSON/.test(text),
    )
    expect(await said([404, '<html>Nothing</html>'])).to.match(/404, and no JSON/)
    expect(await said([302, '', { Location: 'https://sso.example/' }])).to.match(/302, the API is elsewhere: https:\/\/sso/)
    expect(await said([401, { message: 'Access credentials required' }])).to.match(/401 Access.*\n.*koa-itsm token create/)
    expect(await said([403, { message: 'Forbidden', errors: 'odd' }])).to.match(/403 Forbidden/)
    expect(await said([422, '"text"'])).to.match(/422/)
    expect(await said(drop)).to.match(/could not be reached/)
    expect(
      await said((_, response) => response.writeHead(200, { 'Content-Length': '100' }).write('[', () => response.destroy())),
    ).to.match(/ended early|could not be reached/)
  })
})
