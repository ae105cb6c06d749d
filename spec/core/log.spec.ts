/** The logger of hosts that give none. In processes of their own: it writes to standard error. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { moduleUrl, NODE_FLAGS } from '../support/modules.js'

const WRITE_ALL = `
  const { defaultLog } = await import(process.argv[1])
  const log = defaultLog()
  for (const severity of ['debug', 'info', 'warn', 'error'])
    log[severity]({ password: 'secret', err: new Error('reason') }, severity + ' happened')
`

describe('core/log', () => {
  async function written(level: string): Promise<readonly Record<string, unknown>[]> {
    const program = [...NODE_FLAGS, '--input-type=module', '-e', WRITE_ALL, moduleUrl('plugin/core/log').href]
    const { stderr } = await promisify(execFile)(process.execPath, program, {
      env: { ...process.env, ITSM_LOG_LEVEL: level },
    })
    return stderr
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  }

  it('writes warnings and errors, one JSON object per line, without passwords', async () => {
    const lines = await written('')
    expect(lines.map(({ level, msg, name, password }) => ({ level, msg, name, password }))).to.deep.equal([
      { level: 40, msg: 'warn happened', name: 'koa-itsm', password: '[Redacted]' },
      { level: 50, msg: 'error happened', name: 'koa-itsm', password: '[Redacted]' },
    ])
    expect(lines[0]?.['err']).to.include({ message: 'reason' })
  })

  it('writes what ITSM_LOG_LEVEL says', async () => {
    expect((await written('trace')).map(({ msg }) => msg)).to.have.length(4)
    expect(await written('silent')).to.deep.equal([])
  })
})
