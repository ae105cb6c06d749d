/**
 * Conditions on records, as data. Definitions write the short form (`{ status: not('completed'), member: me }`); the
 * compiler turns it into criteria, which filters, special lists, scopes and the host's own restrictions share, and which
 * `storage/query.ts` turns into SQL.
 */

import type { Role } from '../core/call.js'

/** What placeholders can stand for. */
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
  'my_agreements',
  'my_covering_accounts',
  'my_role_accounts',
] as const

/** Stands for a value that depends on the call. */
export interface Placeholder {
  readonly placeholder: (typeof PLACEHOLDERS)[number]
  /** Of `my_role_accounts`: one of them is enough. */
  readonly roles?: readonly Role[]
}
export type Scalar = string | number | boolean | null
export const COMPARISONS = ['<', '<=', '>', '>='] as const
export type Comparison = (typeof COMPARISONS)[number]

/** Any value but these. */
export interface Not {
  readonly not: readonly (Scalar | Placeholder)[]
}
/** Values on one side of another. */
export interface Compared {
  readonly compare: Comparison
  readonly to: Scalar | Placeholder
}
/** What a value must be: equal, one of several, what a placeholder stands for, another one, or on one side of one. */
export type Test = Scalar | Placeholder | Not | Compared | readonly Scalar[]

/**
 * All tests of one object must hold; keys are fields, or paths over references (`change.manager`). A path may end in a link
 * (`members`), or go through parts (`approvals.approver`): one of them has to meet the test then.
 */
export type Tests = { readonly [path: string]: Test }
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
/** Half a year before the call, or the last day of that month where it has no such day. */
export const sixMonthsAgo: Placeholder = { placeholder: 'six_months_ago' }
/** A quarter of a year before the call, likewise. */
export const threeMonthsAgo: Placeholder = { placeholder: 'three_months_ago' }
/** The services that an active agreement provides to the acting person. */
export const myCoveredServices: Placeholder = { placeholder: 'my_covered_services' }
/** The service instances that an active agreement provides to the acting person. */
export const myCoveredServiceInstances: Placeholder = { placeholder: 'my_covered_service_instances' }
/** The active agreements that cover the acting person (behaviour: Service level agreements). */
export const agreementsCoveringMe: Placeholder = { placeholder: 'my_agreements' }
/** The accounts whose service instances an active agreement provides to the acting person: `{ account: accountsCoveringMe }`. */
export const accountsCoveringMe: Placeholder = { placeholder: 'my_covering_accounts' }

/** The account of the call and those it trusts, as far as the acting person has one of the roles there (behaviour: Roles). */
export function accountsWithMyRole(...roles: readonly Role[]): Placeholder {
  return { placeholder: 'my_role_accounts', roles }
}

/** Any other value; an empty field counts as another value, unless null is among the values. */
export function not(...values: readonly (Scalar | Placeholder)[]): Not {
  return { not: values }
}

/** Smaller, greater … than the value. */
export function compared(compare: Comparison, to: Scalar | Placeholder): Compared {
  return { compare, to }
}

/** At least one of the conditions holds. The answer of a scope hook may have criteria among them. */
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

/** What conditions become. `in [null]` means "is empty". `V` is what may stand for a value. */
export type Criterion<V = Scalar | Placeholder> =
  | { readonly all: readonly Criterion<V>[] }
  | { readonly any: readonly Criterion<V>[] }
  | {
      readonly path: readonly string[]
      readonly op: 'in' | 'not in'
      readonly values: readonly V[]
      /** How texts compare: as written, without regard to case, or part of a text. Default: as written. */
      readonly text?: 'exact' | 'ignoreCase'
    }
  | { readonly path: readonly string[]; readonly op: Comparison; readonly values: readonly [V] }
  /** For parts: the owner is of this type and meets the criterion. */
  | { readonly owner: string; readonly where: Criterion<V> }
  /** The record has a part, of those below it by this name, that meets the criterion by itself. */
  | { readonly part: string; readonly where: Criterion<V> }
  /** The record is linked to this one: the pair stands in the link's table. */
  | {
      readonly linkedBy: { readonly table: string; readonly from: string; readonly to: string }
      readonly id: number | Exclude<V, Scalar | Placeholder>
    }

/** What a scope hook may answer: conditions, and criteria such as `decide()` returns, inside of each other. */
export type Restriction =
  | Condition
  | Criterion
  | { readonly allOf: readonly Restriction[] }
  | { readonly anyOf: readonly Restriction[] }
  | { readonly all: readonly Restriction[] }
  | { readonly any: readonly Restriction[] }

/** A criterion that always holds. */
export const ANYTHING: Criterion = { all: [] }
/** A criterion that never holds. */
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
