import { expect } from 'chai'
import { fillWithNow, fillWithTimeZone, keepInstant } from '../../plugin/rules/general/local-times.js'
import { alsoTextOfOwner, alsoTranslation, fillWithLocale } from '../../plugin/rules/general/translations.js'
import { run, type Surroundings } from './context.js'

describe('rules of broadcasts', () => {
  describe('fillWithTimeZone', () => {
    const zone = async (about: Surroundings) => (await run(fillWithTimeZone('zone'), about)).next['zone']
    it('takes the zone of the caller, else that of the account, by the name of the list', async () => {
      expect(await zone({ timeZone: 'Tokyo' })).to.equal('Tokyo')
      expect(await zone({ timeZone: 'Asia/Tokyo' })).to.equal('Tokyo')
      expect(await zone({})).to.equal('Amsterdam')
      expect(await zone({ next: { zone: 'Lima' } })).to.equal('Lima')
      expect(await zone({ next: { zone: null } })).to.equal(null)
    })
  })

  describe('fillWithNow', () => {
    const start = async (zone: string, more: { readonly start_at?: string | null } = {}) =>
      (await run(fillWithNow('start_at', { zone: 'zone' }), { next: { zone, ...more } })).next['start_at']
    it('takes what the clocks of the zone show', async () => {
      expect(await start('UTC')).to.equal('2026-11-21T09:30')
      expect(await start('Mumbai')).to.equal('2026-11-21T15:00')
      expect(await start('Mumbai', { start_at: '2026-01-01T00:00' })).to.equal('2026-01-01T00:00')
      expect(await start('Mumbai', { start_at: null })).to.equal(null)
    })
  })

  describe('keepInstant', () => {
    const moment = async (at: string | null, zone: string) =>
      (await run(keepInstant('moment', { of: 'at', zone: 'zone' }), { next: { at, zone } })).next['moment']
    it('is the moment at which the clocks of the zone show the time, in winter and in summer', async () => {
      expect(await moment('2026-01-15T12:00', 'Amsterdam')).to.equal('2026-01-15T11:00:00Z')
      expect(await moment('2026-07-15T12:00', 'Amsterdam')).to.equal('2026-07-15T10:00:00Z')
    })
    it('is nothing without a time', async () => {
      expect(await moment(null, 'Amsterdam')).to.equal(null)
    })
  })

  describe('fillWithLocale', () => {
    const locale = async (next: string | null) =>
      (await run(fillWithLocale('locale'), { next: { locale: next } })).next['locale']
    it('takes the language of the account', async () => {
      expect(await locale(null)).to.equal('nl')
      expect(await locale('fr')).to.equal('fr')
    })
  })

  describe('alsoTranslation', () => {
    const translation = { id: 50, owner_type: 'broadcast', owner_id: 7, locale: 'nl', message: 'Hallo' }
    const saves = async (about: Surroundings) =>
      (
        await run(
          alsoTranslation('message', { record: 'words', renewed: 'renew_at' }),
          { type: 'broadcast', ...about },
          'written',
        )
      ).saves
    it('makes the translation for the language of the account with the record', async () => {
      expect(await saves({ next: { id: 7, message: 'Hallo' } })).to.deep.equal([
        ['words', null, { locale: 'nl', message: 'Hallo' }, { type: 'broadcast', id: 7 }],
      ])
    })
    it('changes it with the record', async () => {
      const about = { stored: { words: [translation] }, before: { id: 7, message: 'Hallo' } }
      expect(await saves({ ...about, next: { message: 'Dag' } })).to.deep.equal([
        ['words', 50, { locale: 'nl', message: 'Dag' }, { type: 'broadcast', id: 7 }],
      ])
      expect(await saves({ ...about, next: { disabled: true } })).to.deep.equal([])
    })
    it('has nothing to do when the translation was there first', async () => {
      const about = { stored: { words: [translation] }, before: { id: 7, message: 'Dag' } }
      expect(await saves({ ...about, next: { message: 'Hallo' } })).to.deep.equal([])
    })
  })

  describe('alsoTextOfOwner', () => {
    const stored = { broadcast: [{ id: 7, message: 'Hallo' }] }
    const words = (locale: string, message = 'Hallo') => ({ id: 50, owner_type: 'broadcast', owner_id: 7, locale, message })
    const apply = (about: Surroundings, phase?: 'written' | 'remove') =>
      run(alsoTextOfOwner('message'), { stored, ...about }, phase)
    it('changes the owner with the translation for the language of the account', async () => {
      const { saves } = await apply({ before: words('nl'), next: { message: 'Dag' } }, 'written')
      expect(saves).to.deep.equal([['broadcast', 7, { message: 'Dag' }]])
      expect((await apply({ before: words('fr'), next: { message: 'Salut' } }, 'written')).saves).to.deep.equal([])
      expect((await apply({ next: words('nl') }, 'written')).saves).to.deep.equal([])
    })
    it('keeps that translation where it is', async () => {
      expect((await apply({ before: words('nl') }, 'remove')).fails).to.deep.equal([['base', 'text_of_owner']])
      expect((await apply({ before: words('fr') }, 'remove')).fails).to.deep.equal([])
      expect((await apply({ before: words('nl'), next: { locale: 'de' } })).fails).to.deep.equal([
        ['locale', 'cannot_be_changed'],
      ])
      expect((await apply({ before: words('fr'), next: { locale: 'de' } })).fails).to.deep.equal([])
    })
  })
})
