/**
 * Conditions on records, as data. Definitions write the short form (`{ status: not('completed'), member: me }`); the
 * compiler turns it into criteria, which filters, special lists, scopes and the host's own restrictions share, and which
 * `storage/records/query.ts` turns into SQL.
 */
import type { Role } from '../../core/call.js'

/** Names of placeholders. */
export const PLACEHOLDERS = [
  'me',
  'my_teams',
  'my_organization',
  'internal_organizations',
  'this_account',
  'directory_account',
  'trusted_accounts',
  'now',
  'six_months_ago',
  'three_months_ago',
  'my_covered_services',
  'my_covered_service_instances',
  'my_services_with_knowledge',
  'my_agreements',
  'my_covering_accounts',
  'my_role_accounts',
] as const

/** A value that depends on the call. The `placeholder` names it: hosts use the constants `me`, `myTeams`, `now` … */
export interface Placeholder {
  readonly placeholder: (typeof PLACEHOLDERS)[number]
  /** Of `my_role_accounts`: one of them is enough. */
  readonly roles?: readonly Role[]
}
/** A value of a condition, as it is stored; null is an empty field. */
export type Scalar = string | number | boolean | null
export const COMPARISONS = ['<', '<=', '>', '>='] as const
/** Operators of `compared`. */
export type Comparison = (typeof COMPARISONS)[number]

/** Any value but these: made by `not(…)`. */
export interface Not {
  /** The values. */
  readonly not: readonly (Scalar | Placeholder)[]
}
/** Values less or greater than another one: made by `compared(…)`, which sets `compare` and `to`. */
export interface Compared {
  readonly compare: Comparison
  readonly to: Scalar | Placeholder
}
/**
 * Test of one value: equal to a scalar, one of a list, equal to a placeholder, not (`not`), or less or greater than
 * (`compared`).
 */
export type Test = Scalar | Placeholder | Not | Compared | readonly Scalar[]

/**
 * All tests of one object must hold; keys are fields, or paths over references (`change.manager`). A path may end in a link
 * (`members`), or go through sub-records (`approvals.approver`): then one of them has to meet the test.
 */
export type Tests = { readonly [path: string]: Test }
/**
 * A condition on records: tests of fields, all of which must hold, or conditions in `anyOf` or `allOf`. The functions of these
 * names write them.
 *
 * ```ts
 * import { anyOf, type Condition, compared, me, myTeams, not, now } from 'koa-itsm'
 *
 * export const late: Condition = { status: not('completed'), due_at: compared('<', now) }
 * export const mine: Condition = anyOf({ member: me }, { team: myTeams, 'change.manager': me })
 * ```
 */
export type Condition = Tests | { readonly anyOf: readonly Condition[] } | { readonly allOf: readonly Condition[] }

/** The acting person. */
export const me: Placeholder = { placeholder: 'me' }
/** The teams that the acting person is a member of. */
export const myTeams: Placeholder = { placeholder: 'my_teams' }
/** The organization of the acting person. */
export const myOrganization: Placeholder = { placeholder: 'my_organization' }
/** The account's own organization and all its descendants. */
export const internalOrganizations: Placeholder = { placeholder: 'internal_organizations' }
/** The account of the call. */
export const thisAccount: Placeholder = { placeholder: 'this_account' }
/** The directory account that the account of the call may belong to. */
export const directoryAccount: Placeholder = { placeholder: 'directory_account' }
/** The accounts that the call's account has a trust relation with. */
export const trustedAccounts: Placeholder = { placeholder: 'trusted_accounts' }
/** The time of the call. */
export const now: Placeholder = { placeholder: 'now' }
/** Half a year before the call, or the last day of that month if it does not have the day. */
export const sixMonthsAgo: Placeholder = { placeholder: 'six_months_ago' }
/** A quarter of a year before the call, or the last day of that month if it does not have the day. */
export const threeMonthsAgo: Placeholder = { placeholder: 'three_months_ago' }
/** The services that an active agreement provides to the acting person. */
export const myCoveredServices: Placeholder = { placeholder: 'my_covered_services' }
/** The service instances that an active agreement provides to the acting person. */
export const myCoveredServiceInstances: Placeholder = { placeholder: 'my_covered_service_instances' }
/**
 * The services that an active agreement provides to the acting person, if it shows the knowledge of the provider to people of
 * other accounts (`use_knowledge_from_service_provider`).
 */
export const myServicesWithKnowledge: Placeholder = { placeholder: 'my_services_with_knowledge' }
/** The active agreements that cover the acting person (behaviour: Service level agreements). */
export const agreementsCoveringMe: Placeholder = { placeholder: 'my_agreements' }
/** Accounts whose service instances an active agreement provides to the acting person: `{ account: accountsCoveringMe }`. */
export const accountsCoveringMe: Placeholder = { placeholder: 'my_covering_accounts' }

/** The account of the call and those it trusts, as far as the acting person has one of the roles there (behaviour: Roles). */
export function accountsWithMyRole(...roles: readonly Role[]): Placeholder {
  return { placeholder: 'my_role_accounts', roles }
}

/** Any other value; an empty field counts as another value, unless null is among the values. */
export function not(...values: readonly (Scalar | Placeholder)[]): Not {
  return { not: values }
}

/** Values less or greater than this one. */
export function compared(compare: Comparison, to: Scalar | Placeholder): Compared {
  return { compare, to }
}

/** At least one of the conditions holds. In the result of a scope hook, criteria may be among them. */
export function anyOf(...conditions: readonly Condition[]): Condition
export function anyOf(...conditions: readonly Restriction[]): Restriction
export function anyOf(...conditions: readonly Restriction[]): Restriction {
  return { anyOf: conditions }
}

/** All conditions hold: `allOf(decide(), { team: myTeams })` narrows in a scope hook. */
export function allOf(...conditions: readonly Condition[]): Condition
export function allOf(...conditions: readonly Restriction[]): Restriction
export function allOf(...conditions: readonly Restriction[]): Restriction {
  return { allOf: conditions }
}

/**
 * A compiled condition, as `decide()` of a scope hook returns it. Treat it as opaque: hosts pass it on to `allOf` and `anyOf`.
 * Inside, `all` and `any` nest criteria; a test has the `path` over references, the operator `op` and `values`, where `in
 * [null]` means "is empty". The type of values is `V`. `owner`, `part` and `where` are about sub-records; `linkedBy` names a
 * link by its `table`, `from` and `to`, and `id` a record that it leads to.
 */
export type Criterion<V = Scalar | Placeholder> =
  | { readonly all: readonly Criterion<V>[] }
  | { readonly any: readonly Criterion<V>[] }
  | {
      readonly path: readonly string[]
      readonly op: 'in' | 'not in'
      readonly values: readonly V[]
      /** Comparison of texts: as written, or without regard to case. Default: as written. */
      readonly text?: 'exact' | 'ignoreCase'
    }
  | { readonly path: readonly string[]; readonly op: Comparison; readonly values: readonly [V] }
  /** For sub-records: the owner is of this type and meets the criterion. */
  | { readonly owner: string; readonly where: Criterion<V> }
  /** The record has a sub-record below this name that meets the criterion on its own. */
  | { readonly part: string; readonly where: Criterion<V> }
  /** The record is linked to this one: the pair is in the link's table. */
  | {
      readonly linkedBy: { readonly table: string; readonly from: string; readonly to: string }
      readonly id: number | Exclude<V, Scalar | Placeholder>
    }

/**
 * Result of a scope hook: conditions, and criteria such as those from `decide()`, nested in each other by `allOf` and `anyOf`
 * (compiled: `all` and `any`).
 */
export type Restriction =
  | Condition
  | Criterion
  | { readonly allOf: readonly Restriction[] }
  | { readonly anyOf: readonly Restriction[] }
  | { readonly all: readonly Restriction[] }
  | { readonly any: readonly Restriction[] }

/** A test of one value of a record. */
export type PathTest = Extract<Criterion, { path: readonly string[] }>

/** The tests of a criterion on the records themselves, and not on their owners and sub-records. */
export function testsIn(criterion: Criterion): readonly PathTest[] {
  if ('all' in criterion) return criterion.all.flatMap(testsIn)
  if ('any' in criterion) return criterion.any.flatMap(testsIn)
  return 'path' in criterion ? [criterion] : []
}

/** True if the criterion compares something with such a value, also in owners and sub-records. */
export function hasValue(criterion: Criterion, isMeant: (value: Scalar | Placeholder) => boolean): boolean {
  if ('all' in criterion) return criterion.all.some((one) => hasValue(one, isMeant))
  if ('any' in criterion) return criterion.any.some((one) => hasValue(one, isMeant))
  if ('owner' in criterion || 'part' in criterion) return hasValue(criterion.where, isMeant)
  return 'values' in criterion && criterion.values.some(isMeant)
}

/** True for a value that depends on the call. */
export function isPlaceholder(value: Scalar | Placeholder): value is Placeholder {
  return typeof value === 'object' && value !== null
}

/** A criterion that every record meets. */
export const ANYTHING: Criterion = { all: [] }
/** A criterion that no record meets. */
export const NOTHING: Criterion = { any: [] }

/** The criterion of a condition. */
export function criterionOf(condition: Condition): Criterion {
  if (isList(condition, 'anyOf')) return { any: condition.anyOf.map(criterionOf) }
  if (isList(condition, 'allOf')) return { all: condition.allOf.map(criterionOf) }
  const all = Object.entries(condition as Tests).map(([path, test]) => criterionOfTest(path.split('.'), test))
  return all.length === 1 && all[0] ? all[0] : { all }
}

function criterionOfTest(path: readonly string[], test: Test): Criterion {
  if (Array.isArray(test)) return { path, op: 'in', values: test as readonly Scalar[] }
  if (typeof test === 'object' && test !== null) {
    if ('not' in test) return { path, op: 'not in', values: test.not }
    if ('compare' in test) return { path, op: test.compare, values: [test.to] }
  }
  return { path, op: 'in', values: [test as Scalar | Placeholder] }
}

function isList<K extends 'anyOf' | 'allOf'>(
  condition: Condition,
  key: K,
): condition is Extract<Condition, Record<K, unknown>> {
  return Array.isArray((condition as Record<string, unknown>)[key])
}
