/** The oldest state and the newest; beside the oldest, on the embedded database, the cases of a topic. The rest: `every.spec.ts`. */
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { testStore } from '../support/database.js'
import { fixtures } from '../support/mounted.js'
import { oldVersions } from '../support/old-worlds.js'
import { describeUpgrade } from '../support/upgrades.js'

describe('upgrading', () => {
  const [oldest = '', newest = ''] = [oldVersions().at(0), oldVersions().at(-1)]
  it('has a stored state of the present version, for those that follow', () => {
    const [major, minor] = JSON.parse(readFileSync('package.json', 'utf8')).version.split('.')
    expect(newest).to.equal(`${major}.${minor}`)
  })

  const isWithCases = testStore() === 'embedded'
  describeUpgrade(oldest, isWithCases ? fixtures.topics.filter(({ name }) => name === 'people') : [])
  describeUpgrade(newest, [])
})
