/** Reports mistakes in settlings: a misspelled source would settle nothing. */
import { suggestion } from '../../core/text/nearest.js'
import { CALENDAR } from '../language/built-in-types.js'
import type { Definition } from '../language/define-record.js'
import type { Settling, SettlingSource } from '../language/define-settling.js'
import { mustBeFields, mustBeStored } from './check-collection.js'
import { checkKeeps } from './check-keeps.js'
import { NAME, type Report } from './check-names.js'
import { type Definitions, fieldOf, hasColumn, isPartOf, mistakesOfCondition } from './check-paths.js'

/** Names of facts other than sources. */
const TAKEN = ['owner', 'now', 'zone']

/** Reports every mistake in the settlings of a definition. */
export function checkSettling(definition: Definition, all: Definitions, report: Report): void {
  const names = new Set<string>()
  for (const settling of definition.settle ?? []) {
    const part = `settle=${settling.settle}`
    const sayHere: Report = (where, text) => report(`.settle.${settling.settle}${where}`, text, part)
    if (names.has(settling.settle)) sayHere('', 'the name is used twice; choose another one')
    names.add(settling.settle)
    if (Object.keys(settling.of).length === 0)
      sayHere('.of', 'must not be empty; use a rule for values that depend on the record alone')
    for (const [name, source] of Object.entries(settling.of)) {
      const place: Report = (where, text) => sayHere(`.of.${name}${where}`, text)
      if (!NAME.test(name) || TAKEN.includes(name))
        place('', `the name of a source must be lower case letters, digits and underscores, and not ${TAKEN.join(' or ')}`)
      checkSource(source, { settling, definition, all, before: namesBefore(settling, name) }, place)
    }
    for (const name of Object.keys(settling.otherwise))
      if (!Object.hasOwn(settling.of, name))
        sayHere(`.otherwise.${name}`, `there is no source '${name}'${suggestion(name, Object.keys(settling.of))}`)
    mustBeFields(sayHere, definition, '.fields', settling.fields)
    mustBeStored(sayHere, definition, '.fills', settling.fills)
    if (settling.fills.includes('id')) sayHere('.fills', "'id' is given by the database")
    checkKeeps(settling.keeps, { definition, sources: settling.of, all }, (text) => sayHere('.keeps', text))
  }
}

interface Place {
  readonly settling: Settling
  readonly definition: Definition
  readonly all: Definitions
  readonly before: readonly string[]
}

function checkSource(source: SettlingSource, { settling, definition, all, before }: Place, report: Report): void {
  const base = baseOf(source.of, settling, definition, all)
  if (source.of !== undefined && !before.includes(source.of))
    report('.of', `there is no source '${source.of}' of records before this one${suggestion(source.of, before)}`)
  if (!base) return
  if ('link' in source) {
    const links = Object.keys(base.links ?? {})
    if (!links.includes(source.link))
      report('.link', `${base.name} has no link '${source.link}'${suggestion(source.link, links)}`)
    return
  }
  if ('refersTo' in source) {
    const field = fieldOf(base, source.refersTo)
    const isReference = field?.kind === 'ref' && hasColumn(field)
    if (!field)
      report(
        '.refersTo',
        `${base.name} has no field '${source.refersTo}'${suggestion(source.refersTo, Object.keys(base.fields))}`,
      )
    else if (!isReference) report('.refersTo', `'${source.refersTo}' of ${base.name} must be a stored reference`)
    return
  }
  if ('calendars' in source) {
    for (const name of [source.calendars].flat()) {
      const field = fieldOf(base, name)
      const isCalendar = field?.kind === 'ref' && field.record === CALENDAR && hasColumn(field)
      if (!field) report('.calendars', `${base.name} has no field '${name}'${suggestion(name, Object.keys(base.fields))}`)
      else if (!isCalendar) report('.calendars', `'${name}' of ${base.name} must be a stored reference to a calendar`)
    }
    return
  }
  const name = 'part' in source ? source.part : source.type
  const type = all.get(name)
  if (!type) report('part' in source ? '.part' : '.type', `there is no record type '${name}'${suggestion(name, all.keys())}`)
  else if ('part' in source) {
    if (!isPartOf(type, base)) report('.part', `records of ${name} are not sub-records of ${base.name}`)
  } else {
    const field = fieldOf(type, source.by)
    const isReference = field?.kind === 'ref' && field.record === base.name && hasColumn(field)
    if (!field) report('.by', `${name} has no field '${source.by}'${suggestion(source.by, Object.keys(type.fields))}`)
    else if (!isReference) report('.by', `'${source.by}' of ${name} must be a stored reference to ${base.name}`)
    for (const text of mistakesOfCondition(source.where ?? {}, type, all)) report('.where', text)
  }
}

/** The definition whose records a source starts from; undefined if that is itself a mistake. */
function baseOf(of: string | undefined, settling: Settling, definition: Definition, all: Definitions): Definition | undefined {
  if (of === undefined) return definition
  const source = Object.hasOwn(settling.of, of) ? settling.of[of] : undefined
  if (!source || !hasRecords(source)) return undefined
  if (!('refersTo' in source)) return all.get('part' in source ? source.part : source.type)
  const base = baseOf(source.of, settling, definition, all)
  return all.get((base && fieldOf(base, source.refersTo)?.record) ?? '')
}

/** Sources of records before the one with that name: a source cannot be based on itself. */
function namesBefore({ of }: Settling, name: string): readonly string[] {
  const names = Object.keys(of)
  return names.slice(0, names.indexOf(name)).filter((one) => hasRecords(of[one] ?? { link: '' }))
}

/** True for sources of records, and not of links or calendars. */
function hasRecords(source: SettlingSource): source is Exclude<SettlingSource, { link: string } | { calendars: unknown }> {
  return !('link' in source) && !('calendars' in source)
}
