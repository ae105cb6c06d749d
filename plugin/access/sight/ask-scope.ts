/** Asks the host for the records that a call sees, and checks the result. */
import type { Call } from '../../core/call.js'
import { shown } from '../../core/text/shown.js'
import type { AskHost } from '../../core/waiting/ask-host.js'
import type { Catalog, RecordType } from '../../schema/catalog.js'
import { mistakesInCriterion } from '../../schema/check/check-criteria.js'
import { type Condition, type Criterion, criterionOf, type Restriction } from '../../schema/language/conditions.js'
import { widenedScope } from './widened-scope.js'

/**
 * The host's restriction of visible records: `decide()` returns ours, to be narrowed or widened. What the answer adds to ours
 * applies in the account of the call, unless it names accounts. May return a promise.
 *
 * ```ts
 * import { allOf, myTeams, type ScopeHook } from 'koa-itsm'
 *
 * export const scope: ScopeHook = ({ type }, decide) => (type === 'request' ? allOf(decide(), { team: myTeams }) : decide())
 * ```
 */
export type ScopeHook = ScopeOf<string, Restriction>

/** The restriction of records of a type. */
export type ScopeOf<Type extends string, Condition> = (
  question: { readonly call: Call; readonly type: Type },
  decide: () => Criterion,
) => Condition | Promise<Condition>

/**
 * Kinds of records that the host is asked about: those of the account (`own`), of it and of trusted ones (`across`), those that
 * trusted accounts offer (`offered`), those that they passed on (`passed`), and those in the events for a receiver of another
 * account (`elsewhere`).
 */
export type Records = 'own' | 'across' | 'offered' | 'passed' | 'elsewhere'

/**
 * Returns the host's restriction as a criterion.
 *
 * @throws HookFailed for a result that is not a condition, or has a path or value that the type does not have
 */
export type AskScope = (call: Call, type: RecordType, records: Records, ours: Criterion) => Promise<Criterion>

/** Asks once per type and kind of records in a call, for any number of reads: a hook may do a lookup. */
export function createAskScope(catalog: Catalog, hook: ScopeHook, ask: AskHost): AskScope {
  // Keyed by the roles of the call, which stay the same inside of its transactions.
  const known = new WeakMap<Call['roles'], Map<string, Promise<Criterion>>>()

  const answerTo = async (call: Call, type: RecordType, records: Records, ours: Criterion): Promise<Criterion> => {
    const read = async () => readAnswer(catalog, type, await hook({ call, type: type.name }, () => frozen(ours)), ours)
    const answer = (await ask(`scope for ${type.name}`, read)) as Criterion
    // While a call works on a record that was passed on, it sees no more in that account than we let it see.
    if (call.passed && records === 'own') return answer === ours ? ours : { all: [answer, ours] }
    return records === 'own' || records === 'elsewhere' ? answer : widenedScope(answer, ours)
  }

  return (call, type, records, ours) => {
    const answers = known.get(call.roles) ?? new Map<string, Promise<Criterion>>()
    known.set(call.roles, answers)
    const key = `${records} ${type.name}`
    const answer = answers.get(key) ?? answerTo(call, type, records, ours)
    answers.set(key, answer)
    return answer
  }
}

/** Freezes our criterion: all calls share it, and a hook that changed it would change what they see. */
function frozen<T>(part: T): T {
  if (typeof part === 'object' && part !== null && !Object.isFrozen(part)) {
    Object.freeze(part)
    Object.values(part).forEach(frozen)
  }
  return part
}

function readAnswer(catalog: Catalog, type: RecordType, answer: unknown, ours: Criterion): Criterion {
  const criterion = criterionIn(answer, ours)
  const mistakes = criterion === ours ? [] : mistakesInCriterion(catalog, type, without(criterion, ours))
  if (mistakes.length > 0) throw new RangeError(mistakes.join(', '))
  return criterion
}

/** The result as a criterion. Possible slips are errors: an empty condition would show everything. */
function criterionIn(answer: unknown, ours: Criterion): Criterion {
  if (answer === ours) return ours
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
    throw new TypeError(`it must return a condition, not ${shown(answer)}`)
  }
  const given = answer as Record<string, unknown>
  const all = given['all'] ?? given['allOf']
  const either = given['any'] ?? given['anyOf']
  const names = Object.keys(given)
  if (names.length === 1 && Array.isArray(all)) {
    if (all.length === 0) throw new TypeError('it must return a condition, not an empty list; decide() adds none')
    return { all: all.map((one) => criterionIn(one, ours)) }
  }
  if (names.length === 1 && Array.isArray(either)) return { any: either.map((one) => criterionIn(one, ours)) }
  if (Array.isArray(given['path']) && 'op' in given && 'values' in given) return answer as Criterion
  const isNested = typeof given['owner'] === 'string' || typeof given['part'] === 'string'
  if (names.length === 2 && isNested && typeof given['where'] === 'object') {
    return { ...given, where: criterionIn(given['where'], ours) } as Criterion
  }
  if (typeof given['linkedBy'] === 'object' && given['linkedBy'] !== null) return answer as Criterion
  if (names.length === 0) throw new TypeError('it must return a condition, not an empty object; decide() adds none')
  return criterionOf(answer as Condition)
}

/** The criterion without our part, which may contain placeholders that only definitions use. */
function without(criterion: Criterion, ours: Criterion): Criterion {
  if (criterion === ours) return { all: [] }
  if ('all' in criterion) return { all: criterion.all.map((one) => without(one, ours)) }
  return 'any' in criterion ? { any: criterion.any.map((one) => without(one, ours)) } : criterion
}
