import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { VERSION } from '../../plugin/core/version.js'

describe('core/version', () => {
  it('is that of the package', () => {
    expect(VERSION).to.equal((JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version)
  })
})
