/**
 * Names in bodies without effect: they are reported to the client, or refused if the client prefers that
 * (behaviour: Ignored fields).
 */
import type { Params } from '../../../core/errors.js'
import { nearest } from '../../../core/text/nearest.js'
import type { RecordType } from '../../../schema/catalog.js'
import { inputNameOf, inputNamesOf, knownInputsOf } from '../../../schema/derive/input-names.js'
import { type Draft, refuse } from '../../work/draft.js'
import type { ValidateDeps } from './write-deps.js'
import { mayHaveLinks } from './write-links.js'

/** Maximum number of names that are collected. The header that shows them has no space for more (`http/answers/ignored-fields.ts`). */
const MAX_COLLECTED = 1_000
/** Maximum number of names in one refusal; a body may have any number. */
const MAX_NAMES = 100
/** Maximum number of characters of a name in a refusal. */
const MAX_NAME_LENGTH = 100

/**
 * Records that the names have no effect.
 *
 * @param type the type that the names would be inputs of: that of the draft, or of its sub-records
 * @param inside the input that contains the names: `contacts_attributes`; absent for the body itself
 */
export function ignore(draft: Draft, type: RecordType, names: readonly string[], inside?: string): void {
  for (const name of names) {
    if (draft.ignored.size >= MAX_COLLECTED) break
    draft.ignored.add(inside === undefined ? name : `${inside}.${name}`)
  }
  const { handling, onlyKnown } = draft.item
  if (handling !== 'strict' && !onlyKnown && !type.refusesMisspelled) return
  if (names.length === 0) return
  const [known, writable] = [knownInputsOf(type), inputNamesOf(type)]
  const isRefused = (name: string) => !known.has(name) && (onlyKnown || nearest(name, writable) !== undefined)
  const refused = handling === 'strict' ? names : names.filter(isRefused)
  for (const name of refused.slice(0, MAX_NAMES)) {
    const reason = known.has(name) ? (['cannot_be_set'] as const) : unknownReason(name, writable)
    refuse(draft, refusedName(name, inside), ...reason)
  }
}

/** The name of an ignored input in a refusal. */
export function refusedName(name: string, inside?: string): string {
  const short = name.slice(0, MAX_NAME_LENGTH)
  return inside === undefined ? short : `${inside}.${short}`
}

/** The code of an unknown name, and for a misspelled one the most similar known name. */
function unknownReason(name: string, known: readonly string[]): readonly [IgnoredCode, Params?] {
  const near = nearest(name, known)
  return near === undefined ? ['unknown_field'] : ['unknown_field', { near }]
}

/** Codes of the messages for what strict saves refuse. */
export type IgnoredCode = 'cannot_be_set' | 'unknown_field'

export function isIgnoredCode(code: string): code is IgnoredCode {
  return code === 'cannot_be_set' || code === 'unknown_field'
}

/** Records links that the record cannot have with its new values (behaviour: Broadcasts). */
export function ignoreLinks(type: RecordType, draft: Draft): void {
  const impossible = [...draft.input.links].filter(([link, ids]) => ids.length > 0 && !mayHaveLinks(type, draft.next, link))
  const names = impossible.map(([link]) => inputNameOf(type, link))
  ignore(draft, type, names)
}

/** Records the names in whole sub-records that are not inputs. The system saves these, so that every field may be set. */
export function ignoreInParts(deps: ValidateDeps, type: RecordType, draft: Draft): void {
  const given = [
    ...[...draft.input.parts].flatMap(([name, bodies]) => bodies.map((body) => [name, body] as const)),
    ...[...draft.input.part].flatMap(([name, body]) => (body === null ? [] : [[name, body] as const])),
  ]
  const open = { zone: 'UTC', creating: true, may: () => true, mayLink: () => true }
  const found = new Map<string, Set<string>>()
  for (const [name, body] of given) {
    const part = type.fields.get(name)?.record ?? ''
    const names = found.get(name) ?? new Set<string>()
    found.set(name, names)
    for (const ignored of deps.validators.get(part)?.(body, open).ignored ?? []) names.add(ignored)
  }
  for (const [name, names] of found) ignore(draft, deps.catalog.type(type.fields.get(name)?.record ?? ''), [...names], name)
}
