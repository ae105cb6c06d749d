/** The API of hosts changes only together with its report, and with a line of the changelog. */
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { apiReport, DIGEST, digestOf, REPORT } from './support/api-report.js'

describe('the API of hosts', () => {
  it('is that of the report and of the changelog: run npm run api, and say in CHANGELOG.md what changes', async () => {
    const [report, stored] = [await apiReport(), readFileSync(REPORT, 'utf8')]
    expect({ added: linesOnlyIn(report, stored), gone: linesOnlyIn(stored, report) }).to.deep.equal({ added: [], gone: [] })
    expect(report).to.equal(stored)
    const [, top = ''] = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m)
    expect(DIGEST.exec(top)?.[0]).to.equal(digestOf(report))
  })

  it('has what every entry exports, and what stands behind it', () => {
    const report = readFileSync(REPORT, 'utf8')
    const entries = ['koa-itsm', 'koa-itsm/embedded', 'koa-itsm/receive', 'koa-itsm/testing', 'Behind them']
    expect([...report.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).to.deep.equal(entries)
    for (const name of ['function createPlugin', 'interface Plugin', 'function verifyDelivery', 'function testDesk'])
      expect(report).to.match(new RegExp(`^${name}\\b`, 'm'))
  })
})

function linesOnlyIn(one: string, other: string): readonly string[] {
  const known = new Set(other.split('\n'))
  return one.split('\n').filter((line) => !known.has(line))
}
