import { compared, type Tests } from '../schema/conditions.js'
import type { Row, RuleContext } from '../schema/define-rule.js'

/** All records that meet the tests, lowest id first; `find` gives them a hundred at a time. */
export async function* findAll(find: RuleContext['find'], type: string, tests: Tests): AsyncGenerator<Row> {
  for (let last = 0; ; ) {
    const some = await find(type, { ...tests, id: compared('>', last) })
    if (some.length === 0) return
    yield* some
    last = Number(some.at(-1)?.['id'])
  }
}
