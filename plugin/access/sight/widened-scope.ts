/** Keeps restrictions of the host that show more than ours within the account of the call. */
import { ANYTHING, type Criterion, criterionOf, NOTHING, thisAccount } from '../../schema/language/conditions.js'

/**
 * The answer of the host for records of other accounts. What it adds to our restriction applies in the account of the call,
 * unless the host names accounts: `anyOf(decide(), { account: trustedAccounts, category: 'rfc' })`.
 *
 * @param ours our restriction, which may be a part of the answer
 */
export function widenedScope(answer: Criterion, ours: Criterion): Criterion {
  // Answers have no negation of other criteria, so that both halves together are the answer itself.
  const added = withOurs(answer, ours, NOTHING)
  if (isNothing(added)) return answer
  return { any: [{ all: [ours, withOurs(answer, ours, ANYTHING)] }, here(added)] }
}

/** The answer with another criterion in place of ours. */
function withOurs(answer: Criterion, ours: Criterion, other: Criterion): Criterion {
  if (answer === ours) return other
  if ('all' in answer) return { all: answer.all.map((one) => withOurs(one, ours, other)) }
  if ('any' in answer) return { any: answer.any.map((one) => withOurs(one, ours, other)) }
  if ('owner' in answer || 'part' in answer) return { ...answer, where: withOurs(answer.where, ours, other) }
  return answer
}

/** True if no record can meet the criterion, whatever its values are. */
function isNothing(criterion: Criterion): boolean {
  if ('all' in criterion) return criterion.all.some(isNothing)
  if ('any' in criterion) return criterion.any.every(isNothing)
  return ('owner' in criterion || 'part' in criterion) && isNothing(criterion.where)
}

function here(criterion: Criterion): Criterion {
  if ('any' in criterion) return { any: criterion.any.map(here) }
  return namesAccounts(criterion) ? criterion : { all: [criterion, criterionOf({ account: thisAccount })] }
}

/** True if all records that meet the criterion are of accounts that it names. */
function namesAccounts(criterion: Criterion): boolean {
  if ('all' in criterion) return criterion.all.some(namesAccounts)
  if ('any' in criterion) return criterion.any.every(namesAccounts)
  return 'path' in criterion && criterion.op === 'in' && criterion.path.join() === 'account'
}
