import type { Call } from '../../core/call.js'
import { historyCall } from '../../core/import-calls.js'
import type { Operations, SaveItem } from '../../operations/contract.js'
import { type Done, saveEach } from '../../operations/work/save-each.js'

/** Saves one record for each piece of work, like `saveEach`; first those that come with their past, then the others. */
export async function saveWithPast<Work>(
  operations: Pick<Operations, 'saveAll'>,
  call: Call,
  typeName: string,
  works: readonly Work[],
  { isPast, itemOf }: { readonly isPast: (work: Work) => boolean; readonly itemOf: (work: Work) => SaveItem },
): Promise<readonly Done<Work>[]> {
  const isNow = (work: Work) => !isPast(work)
  return [
    ...(await saveEach(operations, historyCall(call), typeName, works.filter(isPast), itemOf)),
    ...(await saveEach(operations, call, typeName, works.filter(isNow), itemOf)),
  ]
}
