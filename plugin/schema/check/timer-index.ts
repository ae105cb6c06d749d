/** The index by which the waiting records of a timer are found. */
import { columnOf, isElsewhere } from '../kinds/kinds.js'
import { type Criterion, criterionOf, type PathTest } from '../language/conditions.js'
import type { Timer } from '../language/define-timer.js'
import type { Field } from '../language/field.js'

/**
 * Maximum number of columns in an index before the timestamp, and of characters each. MySQL allows 3072 bytes for all of them.
 */
const MAX_TESTED = 2
const MAX_LENGTH = 255

/** The fields by which an index finds the waiting records: those whose values the condition lists, in its order. */
export function indexedTests(
  timer: Timer,
  fieldOf: (name: string) => Pick<Field, 'kind' | 'max' | 'keywords'> | undefined,
): readonly string[] {
  const names = testsOfAll(criterionOf(timer.while)).flatMap((test) => {
    const [name = ''] = test.path
    const isNamed = test.op === 'in' && test.path.length === 1
    return isNamed && isIndexable(fieldOf(name)) ? [name] : []
  })
  return [...new Set(names)].slice(0, MAX_TESTED)
}

/** True for a column that can be indexed in full. */
function isIndexable(field: Pick<Field, 'kind' | 'max' | 'keywords'> | undefined): boolean {
  if (!field || isElsewhere(field)) return false
  const { length, types } = columnOf(field).form(field)
  return length <= MAX_LENGTH && !types[0]?.endsWith('text')
}

/** The tests that every record must meet. */
function testsOfAll(criterion: Criterion): readonly PathTest[] {
  if ('all' in criterion) return criterion.all.flatMap(testsOfAll)
  return 'path' in criterion ? [criterion] : []
}
