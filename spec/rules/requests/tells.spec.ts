import { expect } from 'chai'
import { tells } from '../../../plugin/rules/requests/tells.js'
import { run, type Surroundings } from '../context.js'

describe('tells', () => {
  const names = { set: 'desired_completion_set', changed: 'desired_completion_changed', removed: 'desired_completion_removed' }
  const rule = tells('due', { person: 'asks', title: 'subject', mails: names as never })
  const [early, late] = ['2026-12-01T12:00:00Z', '2026-12-02T12:00:00Z']
  const record = { id: 7, subject: 'Mail', asks_id: 3 }
  const cases: readonly (readonly [what: string, before: object | null, next: object, mails: readonly unknown[]])[] = [
    ['on creation', null, { ...record, due: early }, [3, names.set, { desired: { at: early } }]],
    ['nothing of a record without it', null, { ...record, due: null }, []],
    ['when it is set', { ...record, due: null }, { due: early }, [3, names.set, { desired: { at: early } }]],
    [
      'when it is changed',
      { ...record, due: early },
      { due: late },
      [3, names.changed, { previous: { at: early }, desired: { at: late } }],
    ],
    ['when it is removed', { ...record, due: early }, { due: null }, [3, names.removed, { previous: { at: early } }]],
    ['nothing when it stays', { ...record, due: early }, { due: early, subject: 'Other' }, []],
    ['the new person', { ...record, due: null }, { due: early, asks_id: 4 }, [4, names.set, { desired: { at: early } }]],
    ['nobody without a person', { ...record, due: null, asks_id: null }, { due: early }, []],
  ]
  for (const [what, before, next, [person, name, params]] of cases) {
    it(`tells ${what}`, async () => {
      const about = { refs: { asks: 'person' }, before, next } as Surroundings
      const { mails } = await run(rule, about, 'written')
      expect(mails).to.deep.equal(name ? [[person, name, { id: 7, subject: 'Mail', ...(params as object) }]] : [])
    })
  }
})
