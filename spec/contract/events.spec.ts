/** Every record type: the events of its records, and the import files of those that have some. */
import { describePlaces, withContract } from '../support/contract.js'
import { describeEvents } from '../support/contract-events.js'
import { describeImporting } from '../support/contract-imports.js'

describe('every record type, announced', () => {
  const contract = withContract()
  const { deps, maker } = contract

  describePlaces(contract, ({ place, fixture, canBeMade }) => {
    if (canBeMade) describeEvents(deps, maker, place, fixture)
  })

  // At the end: from here on somebody works in the background and takes events out of the outbox.
  describe('import files', () => {
    before('starts the jobs, with nothing to do', async () => {
      const { mounted } = deps
      const { knex, storage } = mounted.database
      await knex(storage.table('outbox')).delete()
      await knex(storage.table('webhooks')).update({ disabled: true })
      await mounted.itsm.start()
    })
    for (const type of deps.catalog.types.values()) {
      const fixture = deps.fixtures.get(type.name)
      // Records without a title are found in the fixtures of their files.
      if (type.import && type.title && fixture) describeImporting(deps, maker, type, fixture)
    }
  })
})
