/** Every state that is stored, with all cases of the fixtures on the embedded database, and those of some topics on servers. */
import { describe } from 'mocha'
import { testStore } from '../support/database.js'
import { fixtures } from '../support/mounted.js'
import { oldVersions } from '../support/old-worlds.js'
import { describeUpgrade } from '../support/upgrades.js'

const ON_SERVERS = ['requests', 'people', 'sorting', 'webhooks', 'request lifecycle', 'service level lifecycle']

describe('upgrading', () => {
  const topics = fixtures.topics.filter(({ name }) => testStore() === 'embedded' || ON_SERVERS.includes(name))
  for (const version of oldVersions()) describeUpgrade(version, topics)
})
