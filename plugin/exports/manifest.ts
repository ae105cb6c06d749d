/** What an archive of several files says about itself (behaviour: Exports). */
import { instantOf } from '../core/clock.js'
import { VERSION } from '../core/version.js'
import type { ExportRow } from './export-rows.js'

/** Name of the file in the archive. */
export const MANIFEST = 'manifest.json'

/** The manifest of an export, as JSON. The files are in the order in which they have to be imported. */
export function manifestOf({ accountId, nextFrom, types }: Pick<ExportRow, 'accountId' | 'nextFrom' | 'types'>): string {
  const manifest = {
    version: VERSION,
    account: accountId,
    next_from: nextFrom && instantOf(nextFrom),
    // The numbers under ID are those of the records of the account.
    ids: 'own',
    types,
    files: types.map((type) => ({ name: `${type}.csv`, type })),
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}
