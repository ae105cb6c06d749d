import type { Ties } from '../contract.js'
import type { OwnerRows } from './group-by-owner.js'

/** Rows depend on earlier ones of the same records: they may be about the same sub-record. */
export async function tiesOfOwners(_call: unknown, groups: readonly OwnerRows[]): Promise<readonly Ties[]> {
  return groups.map(({ owned, ownerId }): Ties => {
    const ids = [ownerId, ...owned.map(({ relatedId }) => relatedId)].filter((id) => id !== null)
    const ties = ids.map((id) => `record ${id}`)
    return { gives: ties, needs: ties }
  })
}
