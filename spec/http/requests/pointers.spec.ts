import { expect } from 'chai'
import { pointerTo } from '../../../plugin/http/requests/pointers.js'
import { records } from '../../../plugin/records/records.js'
import { compileChecked } from '../../../plugin/schema/compile/compile.js'
import { SHARED_LISTS } from '../../../plugin/words/shared-lists.js'

const catalog = compileChecked(records, [], SHARED_LISTS)

/** Longer than names are in refusals. */
const LONG = 'colour '.repeat(20)

describe('pointers into a body', () => {
  const cases: [type: string, body: object, field: string, pointer: string][] = [
    ['request', { team_id: 4 }, 'team', '/team_id'],
    ['request', { team: { id: 4 } }, 'team', '/team'],
    ['request', {}, 'subject', '/subject'],
    ['request', { subject: 1 }, 'base', ''],
    ['team', { member_ids: [0] }, 'members', '/member_ids'],
    [
      'person',
      { contacts_attributes: [{ label: 'a' }, { colour: 1 }] },
      'contacts_attributes.colour',
      '/contacts_attributes/1/colour',
    ],
    ['person', { contacts_attributes: { x: { telephone: 1 } } }, 'telephone', '/contacts_attributes/x/telephone'],
    ['calendar', { calendar_hours: [{ weekday: 'x' }] }, 'calendar_hours', '/calendar_hours'],
    ['calendar', { calendar_hours: [{ weekday: 'x' }] }, 'weekday', '/calendar_hours/0/weekday'],
    ['contact', { telephone: ' ' }, 'telephone', '/telephone'],
    ['request', { 'a/b~c': 1 }, 'a/b~c', '/a~1b~0c'],
    ['request', { custom_data: { subject: 'x' } }, 'subject', '/subject'],
    ['request', { custom_data: { telephone: 'x' }, team: { telephone: 1 } }, 'telephone', '/telephone'],
    ['person', { contacts_attributes: [{ name: 'x' }] }, 'name', '/name'],
    ['request', { [LONG]: 1 }, LONG.slice(0, 100), `/${LONG}`],
    [
      'person',
      { contacts_attributes: [{}, { [LONG]: 1 }] },
      `contacts_attributes.${LONG.slice(0, 100)}`,
      `/contacts_attributes/1/${LONG}`,
    ],
    ['', { notes: [{ text: '' }] }, 'text', '/text'],
    ['', { file: null }, 'type', '/type'],
  ]
  for (const [type, body, field, pointer] of cases) {
    it(`point to ${field} in ${JSON.stringify(body)} of ${type || 'nothing'} as ${pointer || 'the whole'}`, () => {
      expect(pointerTo(body as Record<string, unknown>, catalog.types.get(type), field)).to.equal(pointer)
    })
  }
})
