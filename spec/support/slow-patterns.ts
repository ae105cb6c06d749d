/** Finds regular expressions that need more than linear time for some text, without running them. */
import { getConsumedChars, getFirstConsumedChar, isPotentiallyEmpty, type ReadonlyFlags } from 'regexp-ast-analysis'
import { type AnalysisResult, analyse } from 'scslre'

type Alternative = AnalysisResult['parsed']['pattern']['alternatives'][number]
type Element = Alternative['elements'][number]
type Characters = ReturnType<typeof getConsumedChars>['chars']

/**
 * The reasons why a regular expression is slow; empty if its time is linear. `Self` and `Trade` are backtracking. `Move` and
 * `Scan` are beginnings that are tried again at each character of the same run, as `/\/+$/` does for `////…x`. `Choice` is a
 * repeated group that can match one text in several ways.
 */
export function slownessOf(pattern: RegExp): readonly string[] {
  const { parsed, reports } = analyse(pattern, { maxReports: Infinity })
  const reasons = reports.map(({ type, character, exponential }) => {
    return `${type}${exponential ? ', exponential' : ''}: many ${JSON.stringify(character.pick)}`
  })
  const scans = parsed.pattern.alternatives.flatMap(({ elements }) => scansIn(elements, parsed.flags, [], false))
  return [...reasons, ...scans, ...choicesIn(parsed.pattern.alternatives, parsed.flags)]
}

/** Repeated groups whose alternatives begin alike: `/^(?:a|ab?)*c/` can match each `a` in two ways. */
function choicesIn(alternatives: readonly Alternative[], flags: ReadonlyFlags): readonly string[] {
  return alternatives.flatMap(({ elements }) =>
    elements.flatMap((element) => {
      const inner = element.type === 'Quantifier' ? element.element : element
      if (inner.type !== 'Group' && inner.type !== 'CapturingGroup') return []
      const nested = choicesIn(inner.alternatives, flags)
      if (element.type !== 'Quantifier' || element.max !== Infinity) return nested
      const firsts = inner.alternatives.map((alternative) => getFirstConsumedChar(alternative, 'ltr', flags).char)
      const isAmbiguous = firsts.some((first, index) => firsts.slice(index + 1).some((other) => !first.isDisjointWith(other)))
      return isAmbiguous ? [`Choice: ${element.raw}`, ...nested] : nested
    }),
  )
}

/**
 * Quantifiers that can run over repetitions of everything before them, and then fail: `/a: .+$/` tries each `a: ` of a text, up
 * to its end. The library only searches for repetitions of a single character.
 *
 * @param before the characters of each place between the beginning of the expression and these elements
 * @param failsLater true if an element after these may not match
 */
function scansIn(
  elements: readonly Element[],
  flags: ReadonlyFlags,
  before: readonly Characters[],
  failsLater: boolean,
): readonly string[] {
  const found: string[] = []
  const prefix = [...before]
  for (const [index, element] of elements.entries()) {
    // An anchored expression is tried at one place only.
    if (element.type === 'Assertion' && element.kind === 'start' && !flags.multiline) return found
    const mayFail = failsLater || elements.slice(index + 1).some((next) => !isPotentiallyEmpty(next, flags))
    if (element.type === 'Group' || element.type === 'CapturingGroup') {
      for (const { elements } of element.alternatives) found.push(...scansIn(elements, flags, prefix, mayFail))
    }
    const { chars } = getConsumedChars(element, flags)
    const isEndless = element.type === 'Quantifier' && element.max === Infinity
    if (isEndless && mayFail && prefix.every((place) => !place.isDisjointWith(chars))) found.push(`Scan: ${element.raw}`)
    if (element.type !== 'Assertion' && !isPotentiallyEmpty(element, flags)) prefix.push(chars)
  }
  return found
}
