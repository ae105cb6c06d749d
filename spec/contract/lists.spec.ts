/** Every record type: fields, order, filters and pages of its lists, and that long lists cost as much as short ones. */
import { describePlaces, withContract } from '../support/contract.js'
import { describeCounting } from '../support/contract-counts.js'
import { describeList } from '../support/contract-lists.js'

describe('every record type, listed', () => {
  describePlaces(withContract(), ({ deps, maker, place, canBeMade }) => {
    if (!place.operations.has('list')) return
    describeList(deps, maker, place)
    if (canBeMade) describeCounting(deps, maker, place)
  })
})
