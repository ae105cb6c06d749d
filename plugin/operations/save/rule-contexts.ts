/** The record of a rule or a hook, and its lookups in other records. */
import type { Params } from '../../core/errors.js'
import { nearest, suggestion } from '../../core/text/nearest.js'
import { shown } from '../../core/text/shown.js'
import type { RuleContext } from '../../schema/language/define-rule.js'
import { type Draft, differs, refuse } from '../work/draft.js'
import { frozenRow, giveOwnObjects } from '../work/own-objects.js'
import type { Work } from '../work/pipeline.js'
import { mistakeInFilter } from './mistake-in-filter.js'
import { mistakeInQuery } from './mistake-in-query.js'
import { mustBeColumn, mustBeField, mustBeRefusable, mustBeRole } from './rule-names.js'
import type { Running } from './running.js'
import type { ContextDeps } from './save-deps.js'

/** Place of the phase in a context. */
const RUNNING = Symbol('running')

/** Made when it is asked for. One function for all contexts: with one for each, every context would have a form of its own. */
const LENT: PropertyDescriptor = {
  enumerable: true,
  configurable: true,
  get(this: { readonly [RUNNING]: Running }) {
    return this[RUNNING].db
  },
}

/** @param fills true if the function may set columns of `next` */
export function contextOf(
  { call, deps, type }: Work<ContextDeps>,
  running: Running,
  draft: Draft,
  fills: boolean,
): RuleContext {
  const { asks, mustRun } = running
  const next = fills ? draft.next : frozenRow(type, { ...draft.next })
  if (fills) giveOwnObjects(type, draft.next, draft.input.values)
  const context: Omit<RuleContext, 'db'> & { readonly [RUNNING]: Running } = {
    [RUNNING]: running,
    call,
    type: type.name,
    before: draft.before,
    next,
    given: draft.input.links.size > 0 ? new Set([...draft.input.given, ...draft.input.links.keys()]) : draft.input.given,
    input(field) {
      mustBeField(type, field, 'input')
      return draft.input.unstored.get(field) ?? null
    },
    changed(column) {
      mustBeColumn(type, column)
      return differs(draft.before?.[column], next[column])
    },
    fieldOf(name) {
      mustBeField(type, name, 'fieldOf')
      const field = type.fields.get(name)
      return {
        column: field?.column ?? name,
        record: field?.record ?? '',
        enumeration: field?.enumeration ?? '',
        values: field?.values ?? [],
      }
    },
    load: asks.load,
    find: asks.find,
    findBy: asks.findBy,
    valuesOf: asks.valuesOf,
    isReferred: asks.isReferred,
    calendarOf: asks.calendarOf,
    accountZone: asks.accountZone,
    async linked(typeName, id, linkName, otherId) {
      // Links in the input of the record itself are written after the rules have run.
      const isOwn = typeName === type.name && (id ?? null) === (next['id'] ?? null)
      const given = isOwn ? draft.input.links.get(linkName) : undefined
      return given ? given.includes(Number(otherId)) : asks.linked(typeName, id, linkName, otherId)
    },
    linkedIds: asks.linkedIds,
    async hasRole(personId, role) {
      mustBeRole(role)
      return personId ? (await asks.rolesOf(Number(personId), String(next['account_id']))).has(role) : false
    },
    mistakeInFilter: (of, text) => mistakeInFilter(deps.catalog, of, text),
    mistakeInQuery: (of, query) => mistakeInQuery(deps, call, of, query),
    mayReach: deps.mayReach,
    warnAtPercent: deps.warnAtPercent,
    sentence(code, params) {
      // A text of several words is a message by itself, with all its values.
      if (/^\w*$/.test(code)) mustBeSentence(deps.words, code)
      mustHaveValues(deps.words, 'sentence', code, params)
      return deps.words.sentence(call.account.locale, code, '', params)
    },
    fail(field, code, params) {
      mustRun()
      // Otherwise the mistake would appear only in the response, without its cause.
      const wrong = [field, code].filter((given: unknown) => typeof given !== 'string' || given === '')
      if (wrong.length > 0)
        throw new TypeError(`fail: must have the name of a field and a code or a message, not ${shown(wrong[0])}`)
      mustBeRefusable(type, field)
      if (isMisspelt(deps.words, code)) mustBeSentence(deps.words, code)
      mustHaveValues(deps.words, 'fail', code, params)
      refuse(draft, field, code, params)
    },
  }
  return Object.defineProperty<object>(context, 'db', LENT) as RuleContext
}

/**
 * True for a code without a sentence: it has an underscore, or the letters of one of ours in another order. Any other text is a
 * message by itself, also `blocked`, which is near to `locked`: a false alarm would turn a refusal into a failure.
 */
function isMisspelt({ codes }: ContextDeps['words'], text: string): boolean {
  if (codes.has(text) || !/^[a-z]+(_[a-z]+)*$/.test(text)) return false
  const near = nearest(text, codes)
  return text.includes('_') || (near !== undefined && lettersOf(near) === lettersOf(text))
}

function lettersOf(text: string): string {
  return [...text].sort().join('')
}

/** @throws TypeError for a code without a sentence: people would read the code */
function mustBeSentence({ codes }: ContextDeps['words'], code: string): void {
  if (!codes.has(code)) throw new TypeError(`there is no sentence ${shown(code)}${suggestion(String(code), codes)}`)
}

/** @throws TypeError for a sentence without one of its values: people would read the name of it */
function mustHaveValues(words: ContextDeps['words'], asked: string, code: string, params: Params = {}): void {
  const missing = words.valuesOf(code).find((name) => (params[name] ?? null) === null)
  if (missing === undefined) return
  const given = Object.keys(params).filter((name) => name !== missing)
  const others = given.length > 0 ? `, not for ${given.map((name) => `'${name}'`).join(', ')}` : ''
  throw new TypeError(`${asked}: the sentence '${code}' needs a value for '${missing}'${others}`)
}
