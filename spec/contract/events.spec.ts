/** Every record type: the events of its records, and the import files of those that have some. */
import { describePlaces, withContract } from '../support/contract.js'
import { describeEvents } from '../support/contract-events.js'
import { describeImporting } from '../support/contract-imports.js'

describe('every record type, announced', () => {
  const contract = withContract()
  const { parts, maker } = contract

  describePlaces(contract, ({ place, fixture, canBeMade }) => {
    if (canBeMade) describeEvents(parts, maker, place, fixture)
  })

  // At the end: from here on somebody works in the background and takes events out of the outbox.
  describe('import files', () => {
    before('starts the jobs, with nothing to do', async () => {
      const { mounted } = parts
      const { knex, storage } = mounted.database
      await knex(storage.table('outbox')).delete()
      await knex(storage.table('webhooks')).update({ disabled: true })
      await mounted.itsm.start()
    })
    for (const type of parts.catalog.types.values()) {
      const fixture = parts.fixtures.get(type.name)
      if (type.import && fixture) describeImporting(parts, maker, type, fixture)
    }
  })
})
