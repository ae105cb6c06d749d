/** Records are found by texts in one way only: by the keys of `core/text/identity.ts` (behaviour: Identity). */
import { expect } from 'chai'
import { sourcesIn } from './support/sources.js'

/** What must not be written, and where it may be. */
const RULES: readonly (readonly [about: string, pattern: RegExp, allowed: readonly string[]])[] = [
  ['an address in lower case', /email[^\n]*\.toLowerCase\(\)/i, ['plugin/schema/kinds/values/formats.ts']],
  [
    'a text that is looked for in SQL',
    /\.where(?:In|Raw)?\(\s*\{?\s*'?(?:\w\.)?(?:primary_email|sourceID|source|name|label)\b/,
    ['plugin/deliveries/log/log-parameters.ts', 'plugin/storage/queues/lease-holder.ts'],
  ],
  ['another collation', /COLLATE /, ['plugin/storage/records/statement.ts']],
  [
    'another way to fold',
    /function folded\(|normalize\('NFK?D'\)/,
    ['plugin/core/text/identity.ts', 'plugin/console/browser/core/find-records.ts'],
  ],
]

describe('records are found by texts', () => {
  const files = sourcesIn('plugin')
  for (const [about, pattern, allowed] of RULES) {
    it(`without ${about}`, () => {
      const found = files.filter(({ path, text }) => pattern.test(text) && !allowed.includes(path)).map(({ path }) => path)
      expect(found).to.deep.equal([])
    })
  }
})
