import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { createFiles } from '../../plugin/files/files.js'
import { inTransaction } from '../../plugin/storage/database/transaction.js'
import { countStatements } from '../support/count-statements.js'
import { withHouse } from '../support/house.js'

const DAY = 24 * 3600_000

describe('attachments of a template', function () {
  this.timeout(60_000)
  const house = withHouse({ file: true })
  let mia: number
  let ids: Readonly<Record<'service' | 'team' | 'release', number>>

  before(async () => {
    mia = await house.addPerson('Mia Manager', ['change_manager', 'account_administrator', 'project_manager'])
    const provider = await house.add('organization', { name: 'Provider' })
    ids = {
      service: await house.add('service', { name: 'Mail', provider_id: provider, change_manager_id: mia }),
      team: await house.add('team', { name: 'Servers' }),
      release: await house.add('release', { subject: 'Spring', manager_id: await house.addPerson('Rel', ['release_manager']) }),
    }
  })

  const files = () => createFiles({ ...house.filesDeps, store: undefined })
  const upload = async (name: string) => {
    const content = (async function* () {
      yield Buffer.from(`bytes of ${name}`)
    })()
    const file = { key: null, name, type: 'text/plain', size: null, content }
    return (await files().upload({ accountId: 'acme', personId: mia }, file)).key
  }
  const by = async () => house.by(mia)
  const save = async (type: string, id: number | null, body: object) =>
    Number((await house.operations.save(await by(), type, id, body))['id'])
  const attached = async (type: string, id: unknown) =>
    (await house.table('attachments'))
      .filter((row) => row['owner_type'] === type && Number(row['owner_id']) === Number(id))
      .map(({ field, name, inline, size }) => [field, name, Boolean(inline), Number(size)])
  const notesOf = async (type: string, id: unknown) =>
    (await house.table('notes')).filter((row) => row['owner_type'] === type && Number(row['owner_id']) === Number(id))
  const noteOf = async (type: string, id: unknown) => (await notesOf(type, id))[0]
  const template = async (more: object = {}) =>
    save('task_template', null, {
      ...{ subject: 'A task', category: 'implementation', planned_duration: 2, team_id: ids.team },
      ...more,
    })
  const change = async (more: object = {}) => {
    const { release: release_id, service: service_id } = ids
    const plan = { category: 'standard', change_type: 'infrastructure_change', justification: 'improvement' }
    return save('change', null, { subject: 'New servers', release_id, service_id, ...plan, ...more })
  }
  const bytesAt = async (key: string) => {
    const query = new URL(files().addresses.download(key, house.clock.now())).searchParams
    const file = await files().attachment(key, {
      expires: query.get('expires') ?? '',
      signature: query.get('signature') ?? '',
    })
    const all: Uint8Array[] = []
    for await (const bytes of file.content()) all.push(bytes)
    return Buffer.concat(all).toString()
  }

  it('come with the instructions and the note of a task', async () => {
    const [plan, photo] = [await upload('plan.txt'), await upload('photo.txt')]
    const from = await template({
      ...{ instructions: `See ![](${photo})`, instructions_attachments: [{ key: photo, inline: true }] },
      ...{ note: 'Call the night shift.', note_attachments: [{ key: plan }] },
      copy_notes_to_change: true,
    })
    const change_id = await change({ template_id: await save('change_template', null, { subject: 'Any' }) })
    const task = await save('task', null, { change_id, template_id: from })
    expect(await attached('task', task)).to.deep.equal([['instructions', 'photo.txt', true, 18]])
    expect(await attached('note', (await noteOf('task', task))?.['id'])).to.deep.equal([['text', 'plan.txt', false, 17]])
    expect(await attached('note', (await noteOf('change', change_id))?.['id'])).to.deep.equal([['text', 'plan.txt', false, 17]])
    expect(await bytesAt(photo)).to.equal('bytes of photo.txt')

    const later = await upload('later.txt')
    const note = { text: 'Look.', note_attachments: [{ key: later }] }
    await house.operations.save(await by(), 'note', null, note, { type: 'task', id: task })
    for (const [type, id] of [
      ['task', task],
      ['change', change_id],
    ] as const)
      expect(await attached('note', (await notesOf(type, id))[1]?.['id'])).to.deep.equal([['text', 'later.txt', false, 18]])
    expect(await bytesAt(later)).to.equal('bytes of later.txt')

    const own = await save('task', null, { change_id, template_id: from, instructions: 'Other', note: 'Mine' })
    expect([await attached('task', own), await attached('note', (await noteOf('task', own))?.['id'])]).to.deep.equal([[], []])
  })

  it('outlive the attachments of the template, and the other way round', async () => {
    const key = await upload('shared.txt')
    const from = await template({ instructions: 'Read', instructions_attachments: [{ key }] })
    const change_id = await change({ template_id: await save('change_template', null, { subject: 'Any' }) })
    const tasks = [
      await save('task', null, { change_id, template_id: from }),
      await save('task', null, { change_id, template_id: from }),
    ]
    const remove = { instructions_attachments: [{ key, _destroy: true }] }
    const cleanUp = async () => {
      house.clock.set(new Date(house.clock.now().getTime() + 2 * DAY).toISOString())
      await files().cleanUp()
    }
    await save('task_template', from, remove)
    await cleanUp()
    expect(await bytesAt(key)).to.equal('bytes of shared.txt')
    await save('task', Number(tasks[0]), remove)
    await cleanUp()
    expect(await bytesAt(key)).to.equal('bytes of shared.txt')
    await save('task', Number(tasks[1]), remove)
    await cleanUp()
    const rows = (await house.table('files')).filter((row) => row['name'] === 'shared.txt')
    expect(rows).to.deep.equal([])
  })

  it('cannot lose their files to a removal at the same time', async () => {
    const key = await upload('raced.txt')
    const from = await template({ instructions: 'Read', instructions_attachments: [{ key }] })
    const change_id = await change({ template_id: await save('change_template', null, { subject: 'Any' }) })
    const remove = { instructions_attachments: [{ key, _destroy: true }] }
    let copying: Promise<unknown> = Promise.resolve()
    await inTransaction(house.storage, await by(), async (removing) => {
      await house.operations.save(removing, 'task_template', from, remove)
      copying = inTransaction(house.storage, await by(), async (inside) => {
        await house.operations.save(inside, 'task', null, { change_id, template_id: from })
        await sleep(300)
      })
      await sleep(300)
    })
    await files().cleanUp()
    await copying
    const task = (await house.table('tasks')).find((row) => Number(row['change_id']) === change_id)
    if ((await attached('task', task?.['id'])).length > 0) expect(await bytesAt(key)).to.equal('bytes of raced.txt')
  })

  it('come with the notes of changes and of their tasks, and leave nothing behind when the change is refused', async () => {
    const [risk, steps] = [await upload('risk.txt'), await upload('steps.txt')]
    const task = await template({ instructions: 'Steps', instructions_attachments: [{ key: steps }] })
    const from = await save('change_template', null, {
      ...{ subject: 'Patch', note: 'Every month', note_attachments: [{ key: risk }], task_template_ids: [task] },
    })
    const id = await change({ template_id: from })
    expect(await attached('note', (await noteOf('change', id))?.['id'])).to.deep.equal([['text', 'risk.txt', false, 17]])
    const made = (await house.table('tasks')).find((row) => Number(row['change_id']) === id)
    expect(await attached('task', made?.['id'])).to.deep.equal([['instructions', 'steps.txt', false, 18]])

    const lost = await template({ subject: 'Lost', category: 'risk_and_impact', team_id: null })
    await save('change_template', from, { task_template_ids: [task, lost] })
    const before = await house.table('attachments')
    await change({ template_id: from }).catch(() => {})
    expect(await house.table('attachments')).to.deep.equal(before)
  })

  it('come with the note of a request, whether or not the requester writes one', async () => {
    const key = await upload('form.txt')
    const from = await save('request_template', null, {
      ...{ subject: 'Laptop', category: 'rfc', team_id: ids.team, note: 'Fill in the form.', note_attachments: [{ key }] },
      ...{ registration_hints: 'Hints', registration_hints_attachments: [{ key: await upload('hints.txt') }] },
    })
    const alone = await save('request', null, { template_id: from })
    const withNote = await save('request', null, { template_id: from, note: 'A big one.' })
    const internal = await save('request', null, { template_id: from, internal_note: 'Is she new?', note: 'A small one.' })
    for (const id of [alone, withNote, internal]) {
      const notes = await notesOf('request', id)
      const found = await Promise.all(
        notes.map(async (row) => [row['internal'] ? 'internal' : 'public', await attached('note', row['id'])]),
      )
      expect(found.filter(([, files]) => files?.length)).to.deep.equal([['public', [['text', 'form.txt', false, 17]]]])
    }
    await save('request', alone, { template_id: null })
    const again = await save('request', alone, { template_id: from })
    const notes = await notesOf('request', again)
    expect(notes).to.have.length(1)
  })

  it('come from a template of a trusted account, with its service instance and its approvers', async () => {
    const [key, photo] = [await upload('trusted.txt'), await upload('trusted-photo.txt')]
    const request_template = await save('request_template', null, {
      ...{ subject: 'Phone', category: 'rfc', service_id: ids.service, note: 'Sign this.', note_attachments: [{ key }] },
    })
    const at = await house.add('service_instance', { name: 'Phones', service_id: ids.service, status: 'in_production' })
    const task_template = await template({
      ...{ category: 'approval', instructions: 'Look', instructions_attachments: [{ key: photo }] },
    })
    const owner = { type: 'task_template', id: task_template }
    await house.add('task_template_approval', { approver_id: mia }, { owner })
    const account = { account: 'globex' }
    const gil = await house.add('person', { name: 'Gil', primary_email: 'gil@globex.example' }, account)
    const team_id = await house.add('team', { name: 'Globex' }, account)
    const asked = { requested_by_id: gil, requested_for_id: gil, created_by_id: gil, team_id }
    const request = await house.add('request', { template_id: request_template, ...asked }, account)
    expect((await house.row('request', request))?.['service_instance_id']).to.equal(at)
    expect(await attached('note', (await noteOf('request', request))?.['id'])).to.deep.equal([
      ['text', 'trusted.txt', false, 20],
    ])

    await house.permissions.add(await house.system('globex'), gil, 'globex', ['change_manager', 'release_manager'])
    const release_id = await house.add('release', { subject: 'Spring', manager_id: gil }, account)
    const plan = { category: 'standard', change_type: 'infrastructure_change', justification: 'improvement' }
    const of = {
      template_id: await save('change_template', null, { subject: 'Theirs' }),
      ...{ subject: 'Phones', release_id, manager_id: gil, service_id: ids.service, ...plan },
    }
    const change_id = await house.add('change', of, account)
    const task = await house.add('task', { change_id, template_id: task_template, team_id }, account)
    expect(await attached('task', task)).to.deep.equal([['instructions', 'trusted-photo.txt', false, 26]])
    const approvals = (await house.table('task_approvals')).filter((row) => Number(row['owner_id']) === task)
    expect(approvals.map((row) => row['approver_id'])).to.deep.equal([mia])
  })

  it('take as many statements for fifty tasks as for three', async () => {
    const cost = async (many: number) => {
      const all: number[] = []
      for (let index = 0; index < many; index += 1) {
        const [one, other] = [await upload(`${index}.txt`), await upload(`${index}-note.txt`)]
        all.push(
          await template({
            ...{ instructions: 'Read', instructions_attachments: [{ key: one }] },
            ...{ note: 'Look', note_attachments: [{ key: other }] },
          }),
        )
      }
      const from = await save('change_template', null, { subject: 'Much', task_template_ids: all })
      return countStatements(house.storage.knex).during(() => change({ template_id: from }))
    }
    const [three, fifty] = [await cost(3), await cost(50)]
    expect(fifty).to.be.at.most(three + 10)
  })
})
