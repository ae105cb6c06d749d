/** Files as other tools write them (behaviour: Import files, Import rows, Whole lists). People in them do not exist. */
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import { imported, upload } from '../support/file-clients.js'
import { withMounted } from '../support/mounted.js'

const ADMIN = '@owen'

describe('Files of other tools', () => {
  const place = withMounted('bare')
  before(() => place.itsm.start())

  const rows = (table: string, where: object) => place.database.knex(`itsm_${table}`).where(where).orderBy('id')
  const run = (type: string, text: string, more: Record<string, string> = {}) => imported(place, ADMIN, type, text, more)
  const errorsOf = async (parts: Record<string, string>) => {
    const { json, status } = await upload(place, ADMIN, { type: 'sites', file: 'Name,Remarks\nA,b\n', ...parts })
    return [status, ...((json as { errors?: readonly unknown[] }).errors ?? [])]
  }

  it('may have semicolons, which the log says', async () => {
    const text = '"ID";"Name";"City"\r\n"";"North depot";"Bonn"\r\n"";"South depot; hall 2";"Ulm"\r\n'
    const { log, results, state } = await run('sites', text)
    expect({ state, ...results }).to.include({ state: 'done', created: 2, failures: 0 })
    expect(log).to.match(/INFORMATION line 1: The cells are separated by semicolons/)
    expect((await rows('sites', { name: 'South depot; hall 2' })).map(({ city }) => city)).to.deep.equal(['Ulm'])
  })

  it('may begin with what spreadsheets and PowerShell write above the header', async () => {
    const ofExcel = await run('sites', 'sep=,\r\nSource,Source ID,Name\r\ncase,s1,Depot one\r\n')
    expect(ofExcel.results).to.include({ created: 1 })
    const ofShell = '#TYPE Selected.Directory.User\r\n"Name","Primary Email"\r\n"Rosa Field","rosa.field@case.example"\r\n'
    expect((await run('people', ofShell)).results).to.include({ created: 1 })
  })

  it('are refused with a mapping that names a header which they do not have', async () => {
    const text = 'Source,Source ID,Name,Remarks\ncase,t1,Typo depot,keep this text\n'
    expect((await run('sites', text)).results).to.include({ created: 1 })
    expect(await errorsOf({ file: text, mapping: '{"Remark":""}' })).to.deep.equal([
      422,
      ['mapping', "Mapping names 'Remark', which is no header of the file; the nearest one is 'Remarks'"],
    ])
    expect(await errorsOf({ file: text, mapping: '{"Remarks":"Remark"}' })).to.deep.equal([
      422,
      ['mapping', "Mapping names 'Remark', which is no column of this type; the nearest one is 'Remarks'"],
    ])
    expect((await errorsOf({ file: text, mapping: '{" REMARKS ":""}' }))[0]).to.equal(200)
    // The import says what is wrong with a file that cannot be read.
    expect((await errorsOf({ file: 'Name,"Re" marks\n', mapping: '{"Remark":""}' }))[0]).to.equal(200)
  })

  it('are warned about if two rows of one record differ in their names', async () => {
    const text =
      'Name,Primary Email,Job Title\nAnna Berg,front.office@case.example,Nurse\nBen Kurz,FRONT.office@case.example,Driver\n'
    const { log, results } = await run('people', text)
    expect(results).to.include({ created: 1, updated: 1 })
    expect(log).to.match(/WARNING line 3: Name "Ben Kurz" replaces another one on line 2: both rows are the same record/)
    const same = 'Name,Primary Email\nCarl Lang,carl@case.example\nCarl Lang,carl@case.example\n'
    expect((await run('people', same)).log).to.not.match(/WARNING/)
    expect((await run('people', text, { dry_run: '1' })).log).to.match(/WARNING line 3: Name "Ben Kurz"/)
  })

  it('are warned about words that are read as false, wherever a column is true or false', async () => {
    const text =
      'Name,Primary Email,Disabled,VIP\nCora One,cora.one@case.example,WAHR,FALSCH\nCora Two,cora.two@case.example,off,x\n'
    const { log, results } = await run('people', text)
    expect(results).to.include({ created: 2 })
    expect(log.match(/WARNING.*/g)).to.deep.equal([
      'WARNING line 2: Disabled "WAHR" is read as false; true is 1, T, Y, TRUE, YES or ON',
      'WARNING line 2: VIP "FALSCH" is read as false; true is 1, T, Y, TRUE, YES or ON',
      'WARNING line 3: VIP "x" is read as false; true is 1, T, Y, TRUE, YES or ON',
    ])
    const roles = await run('people_roles', 'Person,Specialist,Auditor\ncora.one@case.example,ja,nein\n')
    expect(roles.log.match(/WARNING/g)).to.have.lengthOf(2)
    const details =
      'Person,Contact Protocol,Contact Label,Contact URI,Integration\ncora.one@case.example,telephone,work,1,oui\n'
    expect((await run('people_contact_details', details)).log.match(/WARNING.*/g)).to.have.lengthOf(1)
  })

  it('are warned about an ID whose record has another address or source', async () => {
    await run('people', 'Name,Primary Email,Source,Source ID\nDora,dora@case.example,desk,17\n')
    const [{ id }] = await rows('people', { primary_email: 'dora@case.example' })
    const warnings = async (text: string) => (await run('people', text)).log.match(/WARNING.*/g) ?? []
    expect(await warnings(`ID,Name,Primary Email,Source,Source ID\n${id},Dora,DORA@case.example,desk,17\n`)).to.deep.equal([])
    expect(await warnings(`ID,Name,Source,Source ID\n${id},Dora,,\n`)).to.deep.equal([])
    expect(await warnings(`ID,Name,Source,Source ID\n${id},Dora,oldtool,3\n`)).to.deep.equal([
      `WARNING line 2: ID ${id} is a record with another Source than "oldtool": the file may have numbers of another tool`,
    ])
    expect(await warnings(`ID,Name,Primary Email\n${id},Old Tool Person,old.tool@case.example\n`)).to.deep.equal([
      `WARNING line 2: ID ${id} is a record with another Primary email than "old.tool@case.example": the file may have numbers of another tool`,
    ])
  })

  describe('that are whole lists', () => {
    const list = (ids: readonly number[]) =>
      ['Source,Source ID,Name,Primary Email', ...ids.map((id) => `dirx,${id},Dir Person ${id},dir${id}@case.example`)].join(
        '\n',
      )
    const whole = (ids: readonly number[], more: Record<string, string> = {}) =>
      run('people', list(ids), { absent: 'disable', absent_limit: '100', ...more })
    const disabled = async () => {
      const people = await rows('people', { source: 'dirx' })
      return people.filter((row) => Number(row.disabled) === 1).map((row) => Number(row.sourceID))
    }
    const disable = async (sourceID: string, value: boolean) => {
      const [{ id }] = await rows('people', { source: 'dirx', sourceID })
      expect((await place.ask(ADMIN, 'PATCH', `/people/${id}`, { disabled: value })).status).to.equal(200)
    }

    it('enable again what they have disabled', async () => {
      await whole([1, 2, 3, 4])
      expect((await whole([1, 2, 3])).results).to.include({ updated: 1, unchanged: 3 })
      expect(await disabled()).to.deep.equal([4])
      expect((await whole([1, 2, 3, 4], { dry_run: '1' })).results).to.include({ updated: 1, unchanged: 3 })
      expect(await disabled()).to.deep.equal([4])
      const { log, results } = await whole([1, 2, 3, 4])
      expect(results).to.include({ updated: 1, unchanged: 3 })
      expect(log).to.match(/INFORMATION line 5: Source ID "4" is in the file again: enabled/)
      expect(await disabled()).to.deep.equal([])
      expect((await whole([1, 2, 3, 4])).results).to.include({ updated: 0, unchanged: 4 })
    })

    it('leave alone what somebody else has disabled, also after them', async () => {
      await disable('1', true)
      await whole([1, 2, 3])
      await disable('4', false)
      await disable('4', true)
      await whole([2, 3])
      expect((await whole([1, 2, 3, 4])).results).to.include({ updated: 0, unchanged: 4 })
      expect(await disabled()).to.deep.equal([1, 4])
    })

    it('leave it to a column Disabled', async () => {
      await whole([2])
      const text =
        'Source,Source ID,Name,Disabled\ndirx,1,Dir Person 1,\ndirx,2,Dir Person 2,0\ndirx,3,Dir Person 3,1\ndirx,4,Dir Person 4,1'
      await run('people', text, { absent: 'disable', absent_limit: '100' })
      expect(await disabled()).to.deep.equal([3, 4])
    })
  })

  it('may have durations as timers write them', async () => {
    const text = `Person,Date,Time Spent,Description\nowen@widgets.example,2026-11-02,00:30:00,as timers write it\nowen@widgets.example,2026-11-02,0:30:15,no`
    const { log } = await run('time_entries', text)
    // Both rows lack the allocation that the person needs.
    expect(log).to.not.match(/line 2: .*Time spent/)
    expect(log).to.match(/line 3: .*Time spent is not a number/)
  })
})
