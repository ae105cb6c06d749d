/** Bodies that are small for a network and could be heavy for the process: of names, entries, levels, texts (ADR 0048). */

/** What they are compared with. */
export const LIST_OF_20 = '/v1/requests?per_page=20'

interface Weighed {
  readonly name: string
  readonly path?: string
  readonly type?: string
  readonly text: () => string
}

const FORM = 'application/x-www-form-urlencoded'
const many = (count: number, one: (n: number) => string, between = ',') =>
  Array.from({ length: count }, (_, n) => one(n)).join(between)

/** Beyond the budget, and just within it. */
export const BODIES: readonly Weighed[] = [
  { name: 'one name', text: () => '{"note":"x"}' },
  { name: '120,000 names', text: () => `{${many(120_000, (n) => `"u${n}":${n}`)}}` },
  { name: '1,000 names', text: () => `{${many(1_000, (n) => `"u${n}":${n}`)}}` },
  { name: '10,000 names in 10 objects', text: () => `{${many(10, (m) => `"o${m}":{${many(999, (n) => `"n${m}_${n}":1`)}}`)}}` },
  { name: '600,000 lists in one', text: () => `{"a":[${many(600_000, () => '[]')}]}` },
  { name: '10,000 entries', text: () => `{"watcher_ids":[${many(10_000, (n) => String(n + 1))}]}` },
  { name: '10,000 objects with a name each', text: () => `{"custom_fields":[${many(10_000, (n) => `{"n${n}":1}`)}]}` },
  { name: '900,000 levels', text: () => `{"a":${'['.repeat(900_000)}${']'.repeat(900_000)}}` },
  { name: 'a text of 2 MB', text: () => `{"subject":"${'x'.repeat(2_000_000)}"}` },
  { name: 'a text of 1 MB of escapes', text: () => `{"note":"${'\\n'.repeat(1_000_000)}"}` },
  { name: 'JSON in a text', text: () => `{"note":"x","note_attachments":"${'['.repeat(1_900_000)}"}` },
  { name: '50 contacts of 190 names', path: '/v1/people', text: () => CONTACTS },
  {
    name: 'an event of 120,000 parameters',
    path: '/v1/events',
    type: FORM,
    text: () => many(120_000, (n) => `u${n}=${n}`, '&'),
  },
  {
    name: 'an event of 1,000 parameters',
    path: '/v1/events',
    type: FORM,
    text: () => many(1_000, (n) => `u${n}=${n}`, '&'),
  },
]

const CONTACTS = `{"name":"x","contacts_attributes":[${many(50, (m) => `{${many(190, (n) => `"n${m}_${n}":1`)}}`)}]}`
