import { expect } from 'chai'
import { Forbidden, NotFound } from '../../plugin/core/errors.js'
import { ImportElsewhere } from '../../plugin/imports/imports.js'
import { importCall } from './catalog.js'
import { bytesOf, errorOf, HEADER, partsOf, withImporting } from './importing.js'

describe('running imports', () => {
  const place = withImporting()
  const { imported, count } = place

  describe('afterwards', () => {
    it('the progress is shown for five minutes, and only in the account of the import', async () => {
      const { token } = await imported('crew', HEADER)
      const other = importCall({ account: { ...importCall().account, id: 'other' } })
      expect(await errorOf(place.imports.progress(other, token))).to.be.instanceOf(NotFound)
      place.now += 300_000
      expect(await place.imports.progress(importCall(), token)).to.have.property('state', 'done')
      place.now += 1
      expect(await errorOf(place.imports.progress(importCall(), token))).to.be.instanceOf(NotFound)
      expect(await errorOf(place.imports.progress(importCall(), 'f'.repeat(64)))).to.be.instanceOf(NotFound)
    })

    it('an event tells how it ended, by the person who imports, unless it was a dry run', async () => {
      const { token } = await imported('crew', HEADER)
      const done = await place.idOf(token)
      const wrong = await imported('crew', 'Nonsense\n')
      expect(wrong.progress.state).to.equal('error')
      const dry = await place.imports.submit(importCall(), {
        type: 'crew',
        fileName: 'crew.csv',
        content: bytesOf(HEADER),
        dryRun: 'true',
      })
      await place.imports.run(await place.idOf(dry.token))
      const events = (await place.rows('outbox')).map((row) => {
        const snapshot = typeof row.snapshot === 'string' ? JSON.parse(row.snapshot) : row.snapshot
        return [row.event, row.record_type, Number(row.record_id), row.account_id, Number(row.person_id), snapshot]
      })
      const by = importCall().actor?.id
      expect(events).to.deep.equal([
        ['import.completed', 'import', done, 'acme', by, { status: 'done' }],
        ['import.completed', 'import', await place.idOf(wrong.token), 'acme', by, { status: 'error' }],
      ])
      expect(place.announced).to.include('import.completed')
    })

    it('the progress is for account administrators', async () => {
      const { token } = await imported('crew', HEADER)
      const specialist = importCall({ roles: new Set(['specialist']) })
      expect(await errorOf(place.imports.progress(specialist, token))).to.be.instanceOf(Forbidden)
      expect(await errorOf(place.imports.progress(specialist, 'f'.repeat(64)))).to.be.instanceOf(Forbidden)
    })

    it('a call for another account learns whose import it is only when the caller administers that account', async () => {
      const { token } = await imported('crew', HEADER)
      const elsewhere = importCall({ account: { ...importCall().account, id: 'other' }, roles: new Set() })
      const asked: unknown[] = []
      place.rolesIn = async (...question) => {
        asked.push(question)
        return ['account_owner']
      }
      expect(await errorOf(place.imports.progress(elsewhere, token)))
        .to.be.instanceOf(ImportElsewhere)
        .with.property('accountId', 'acme')
      expect(asked).to.deep.equal([['acme', 7]])
      place.rolesIn = async () => ['specialist', 'auditor']
      const refusal = await errorOf(place.imports.progress(elsewhere, token))
      expect(refusal).to.be.instanceOf(Forbidden).and.not.instanceOf(ImportElsewhere)
      place.now += 300_001
      place.rolesIn = async () => ['account_owner']
      expect(
        await errorOf(place.imports.progress(importCall({ ...elsewhere, roles: importCall().roles }), token)),
      ).to.be.instanceOf(NotFound)
    })

    it('the log has an address that works for 48 hours without credentials, and only as it was signed', async () => {
      const { progress } = await imported('crew', HEADER)
      const url = new URL(progress.logfile)
      expect(url.href).to.match(
        /^https:\/\/desk\.example\/v1\/imports\/20261121\/acme\/\d+\.crew\.log\?expires=\d+&signature=[0-9a-f]{64}$/,
      )
      const { logName, expires, signature } = partsOf(url)
      const read = (changes: object) => place.imports.log(logName, { expires, signature, ...changes })
      expect(Number(expires) * 1000 - place.now).to.equal(172_800_000)
      expect(await errorOf(read({ expires: String(Number(expires) + 1) }))).to.be.instanceOf(Forbidden)
      expect(await errorOf(read({ signature: '' }))).to.be.instanceOf(Forbidden)
      expect(await errorOf(place.imports.log(logName.replace('acme', 'other'), { expires, signature }))).to.be.instanceOf(
        Forbidden,
      )
      place.now += 172_799_000
      expect(await errorOf(read({}))).to.equal(null)
      place.now += 1000
      expect(await errorOf(read({}))).to.be.instanceOf(Forbidden)
    })

    it('the file is forgotten', async () => {
      await imported('crew', HEADER)
      expect(await count('import_chunks')).to.equal(0)
    })

    it('the person gets a mail with the counters and the address of the log', async () => {
      const { progress } = await imported('crew', `${HEADER}a@x.example,Ann\n`)
      const mails = await place.sentMails()
      expect(mails).to.have.length(1)
      expect(mails[0]).to.deep.include({ to: ['ines@widgets.example'], subject: 'Import of crew completed' })
      for (const text of ['crew.csv', 'Acme', 'Created: 1', '2026-11-21T09:30:00Z', progress.logfile]) {
        expect(mails[0]?.text).to.include(text)
      }
    })

    it('log and mail are in the language of the person who imports, whole', async () => {
      place.callFor = async ({ language = '' }) => importCall({ language })
      const text = `${HEADER}a@x.example,Ann,x\n"b"@x.example,Bob\nc@x.example,Cy,y,z,1\n${'d@x.example,'}\n`
      const { log } = await imported('crew', `Primary Email,Name,Hat\n${text.slice(HEADER.length)}`, 'de')
      expect(log.map((line) => line.slice('2026-11-21T09:30:00Z '.length))).to.deep.equal([
        'INFORMATION line 1: Import „crew“ begonnen',
        'WARNING line 1: Unbekannte Spaltenüberschrift: Hat',
        'ERROR line 3: Text vor oder nach Anführungszeichen',
        'ERROR line 4: Crew „c@x.example“: Die Zeile hat mehr Zellen als Spaltenüberschriften',
        'ERROR line 5: Crew „d@x.example“: Name muss ausgefüllt werden',
        'INFORMATION line 5: Angelegt 1, geändert 0, gelöscht 0, unverändert 0, abgelehnt 3, Fehler 0',
      ])
      expect((await place.sentMails())[0]).to.include({ subject: 'Import „crew“ abgeschlossen' })
    })

    it('the reason of a failure is said in that language too; the progress object stays English', async () => {
      place.callFor = async ({ language = '' }) => importCall({ language })
      const { log, progress } = await imported('crew', 'Name,name\n', 'fr')
      expect(progress.message).to.equal('Duplicate column header: name')
      expect(log[0]?.slice(21)).to.equal('FATAL line 1: En-tête de colonne en double\u00a0: name')
      const [mail] = await place.sentMails()
      expect(mail?.subject).to.equal('Échec de l’import «\u00a0crew\u00a0»')
      expect(mail?.text).to.include('avant la fin\u00a0: En-tête de colonne en double\u00a0: name')
      const others = await imported('crew', Buffer.from('PK\x03\x04zip'), 'nl')
      expect(others.log[0]?.slice(21)).to.match(
        /^FATAL line 1: Het bestand is een ZIP-archief of een Excel-werkmap \(\.xlsx\): /,
      )
      place.callFor = async () => importCall({ roles: new Set() })
      expect((await imported('crew', HEADER, 'nl')).log[0]?.slice(21)).to.equal('FATAL line 1: Geen toegang')
    })

    it('the mail of a failed import says why', async () => {
      await imported('crew', 'Name,name\n')
      const [mail] = await place.sentMails()
      expect(mail).to.include({ subject: 'Import of crew failed' })
      expect(mail?.text).to.include('Duplicate column header: name')
    })
  })
})
