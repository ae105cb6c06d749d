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
/** As many characters as a body may have, with room for the rest of it. */
const ALL = 510_000
const many = (count: number, one: (n: number) => string, between = ',') =>
  Array.from({ length: count }, (_, n) => one(n)).join(between)

/** Beyond the budget, and just within it. */
export const BODIES: readonly Weighed[] = [
  { name: 'one name', text: () => '{"note":"x"}' },
  { name: '120,000 names', text: () => `{${many(120_000, (n) => `"u${n}":${n}`)}}` },
  { name: '1,000 names', text: () => `{${many(1_000, (n) => `"u${n}":${n}`)}}` },
  { name: '5,000 names in 5 objects', text: () => `{${many(5, (m) => `"o${m}":{${many(999, (n) => `"n${m}_${n}":1`)}}`)}}` },
  { name: '600,000 lists in one', text: () => `{"a":[${many(600_000, () => '[]')}]}` },
  { name: '10,000 entries', text: () => `{"watcher_ids":[${many(10_000, (n) => String(n + 1))}]}` },
  { name: '10,000 objects with a name each', text: () => `{"custom_fields":[${many(10_000, (n) => `{"n${n}":1}`)}]}` },
  { name: '900,000 levels', text: () => `{"a":${'['.repeat(900_000)}${']'.repeat(900_000)}}` },
  { name: 'a text of 2 MB', text: () => `{"subject":"${'x'.repeat(2_000_000)}"}` },
  { name: '2 MB of escapes', text: () => `{"note":"${'\\n'.repeat(1_000_000)}"}` },
  { name: 'a text of 512 KB', text: () => `{"subject":"${'x'.repeat(ALL)}"}` },
  { name: 'a text of line breaks', text: () => `{"subject":"x${'\\n'.repeat(ALL / 2)}x"}` },
  { name: 'a text of escaped quotes', text: () => `{"note":"${'\\"'.repeat(ALL / 2)}"}` },
  { name: 'a text of emoji', text: () => `{"subject":"${'😀'.repeat(ALL / 4)}"}` },
  { name: 'a text of blanks without a width', text: () => `{"subject":"${'\u200b'.repeat(ALL / 3)}x"}` },
  { name: 'a number of 500,000 digits', text: () => `{"planned_effort":${'1'.repeat(ALL)}}` },
  { name: 'numbers of 300 digits', text: () => `{"watcher_ids":[${many(1_600, () => '9'.repeat(300))}]}` },
  { name: 'names of 500 characters', text: () => `{${many(995, (n) => `"${'n'.repeat(500)}${n}":1`)}}` },
  { name: 'deep lists', text: () => `{"custom_data":{"a":[${many(165, () => '['.repeat(29) + ']'.repeat(29))}]}}` },
  { name: 'JSON in a text', text: () => `{"note":"x","note_attachments":"${'['.repeat(ALL)}"}` },
  {
    name: 'a text of 1.4 MB in place of a picture',
    path: '/v1/people',
    text: () => `{"picture_uri":"${'x'.repeat(1_400_000)}"}`,
  },
  { name: '26 contacts of 190 names', path: '/v1/people', text: () => CONTACTS },
  {
    name: 'an event of 120,000 parameters',
    path: '/v1/events',
    type: FORM,
    text: () => many(120_000, (n) => `u${n}=${n}`, '&'),
  },
  {
    name: 'an event of bytes that are not UTF-8',
    path: '/v1/events',
    type: FORM,
    text: () => `subject=${'%ff'.repeat(ALL / 3)}`,
  },
  {
    name: 'an event of percent signs and blanks',
    path: '/v1/events',
    type: FORM,
    text: () => `subject=%ff${'+%'.repeat(ALL / 2)}`,
  },
  {
    name: 'an event of 1,000 parameters',
    path: '/v1/events',
    type: FORM,
    text: () => many(1_000, (n) => `u${n}=${n}`, '&'),
  },
]

const CONTACTS = `{"name":"x","contacts_attributes":[${many(26, (m) => `{${many(190, (n) => `"n${m}_${n}":1`)}}`)}]}`
