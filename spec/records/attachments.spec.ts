/** Which texts files can be attached to: all rich texts, and nothing else (behaviour: Attachments). */
import { expect } from 'chai'
import { createPlugin } from '../../plugin/index.js'
import { attachmentInputsOf } from '../../plugin/schema/derive/attachment-inputs.js'
import { type ContractDeps, createMaker, type Made, placesOf } from '../support/contract-place.js'
import { countStatements } from '../support/count-statements.js'
import { fixtures, withMounted } from '../support/mounted.js'
import { TEST_SECRET } from '../support/settings.js'

/** Only for its catalog; it is never started. */
const { catalog } = createPlugin({
  baseUrl: 'https://desk.example/v1',
  secret: TEST_SECRET,
  database: { url: 'mysql://nobody@nowhere.example/none' },
})
const BOUNDARY = 'rnaZxBo4KLLCzbP'

/** By record type, the texts that take files. */
const RICH_TEXTS: { readonly [type: string]: readonly string[] } = {
  request: ['note', 'internal_note'],
  change: ['note'],
  task: ['instructions', 'note'],
  release: ['note'],
  problem: ['note', 'workaround'],
  project: ['note'],
  project_task: ['instructions', 'note'],
  person: ['information'],
  organization: ['remarks'],
  site: ['remarks'],
  team: ['remarks'],
  service: ['description'],
  service_translation: ['description'],
  service_instance: ['remarks'],
  service_category: ['description'],
  service_category_translation: ['description'],
  service_offering: [
    ...['charges', 'continuity', 'limitations', 'maximum_risk_of_data_loss', 'offline_backup_schedule', 'penalties'],
    ...['performance', 'prerequisites', 'restore_duration', 'summary', 'termination'],
  ],
  sla: ['remarks'],
  flsa: ['target_details', 'charges', 'remarks'],
  contract: ['remarks'],
  product: ['remarks'],
  ci: ['remarks'],
  skill_pool: ['remarks'],
  request_template: ['instructions', 'note', 'registration_hints'],
  request_template_translation: ['note', 'registration_hints'],
  change_template: ['instructions', 'note'],
  task_template: ['instructions', 'note'],
  project_task_template: ['instructions', 'note'],
  project_category: ['information'],
  project_risk_level: ['information'],
  ui_extension: ['description'],
  note: ['text'],
  knowledge_article: ['description', 'instructions'],
  knowledge_article_translation: ['description', 'instructions'],
  broadcast: ['message'],
  broadcast_translation: ['message'],
}

describe('the attachments of a record', () => {
  const mounted = withMounted('bare')
  const deps: ContractDeps = { mounted, catalog, fixtures: fixtures.records }
  const maker = createMaker(deps)
  const upload = async (as: string, template?: string) => {
    const head = 'Content-Disposition: form-data; name='
    const key = template === undefined ? '' : `--${BOUNDARY}\r\n${head}"key"\r\n\r\n${template}\r\n`
    const file = `--${BOUNDARY}\r\n${head}"file"; filename="list.csv"\r\n\r\nA,B\n\r\n`
    const body = Buffer.from(`${key}${file}--${BOUNDARY}--\r\n`)
    const type = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` }
    const answer = await mounted.ask(as, 'POST', '/attachments', body, type)
    expect(answer.status, answer.text).to.equal(200)
    return (answer.json as { key: string }).key
  }

  it('belong to rich texts: not to code, addresses and texts that the service derives', () => {
    const taken = [...catalog.types.values()].flatMap((type) => {
      const texts = [...new Set([...attachmentInputsOf(type, catalog).values()].map(({ name }) => name))]
      return texts.length > 0 ? [[type.name, texts] as const] : []
    })
    expect(Object.fromEntries(taken)).to.deep.equal(RICH_TEXTS)
  })

  for (const [name, texts] of Object.entries(RICH_TEXTS)) {
    const type = catalog.type(name)
    const kept = texts.filter((text) => type.fields.get(text)?.note === undefined)

    it(`come with each rich text, and are refused under any other name (${name})`, async () => {
      const place = placesOf(type, deps, maker).find(({ operations }) => operations.has('create'))
      if (!place) throw new Error(`${name} cannot be made`)
      const address = await place.address()
      const keys = await Promise.all(kept.map(() => upload(maker.maker(type))))
      const files = Object.fromEntries(kept.map((text, index) => [`${text}_attachments`, [{ key: keys[index] }]]))
      const body = { ...maker.body(type, 'minimal'), ...files }
      const refused = await maker.post(type, address, { ...body, picture_attachments: [] })
      expect(refused.status, refused.text).to.equal(422)
      expect((refused.json as Made)['errors']).to.deep.equal([
        ['picture_attachments', 'Picture attachments is not allowed here'],
      ])
      const made = await maker.create(type, address, body)
      expect((made['attachments'] as Made[]).map(({ key }) => key)).to.have.members(keys)
    })
  }

  it('are refused by types that have none', async () => {
    const body = { ...maker.body(catalog.type('webhook'), 'minimal'), description_attachments: [] }
    const refused = await maker.post(catalog.type('webhook'), '/webhooks', body)
    expect(refused.json).to.have.deep.property('errors', [
      ['description_attachments', 'Description attachments is not allowed here'],
    ])
  })

  it('are refused under some unknown names, not under thousands', async () => {
    const bodyOf = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}_attachments`, []]))
    const site = mounted.world.id('@utrecht')
    const { errors } = (await mounted.ask('@owen', 'PATCH', `/sites/${site}`, bodyOf(1_000))).json as Made
    expect(errors).to.have.length(20)
    expect((await mounted.ask('@owen', 'PATCH', `/sites/${site}`, bodyOf(10_000))).status).to.equal(400)
  })

  it('come from older clients, which ask the record how to upload', async () => {
    const asked = await mounted.ask('@ines', 'GET', '/requests/new?attachment_upload_token=true')
    const { storage_upload } = asked.json as { storage_upload: { upload_path: string; upload_uri: string } }
    expect(storage_upload.upload_uri).to.equal(`${mounted.baseUrl}/attachments`)
    const key = await upload('@ines', `${storage_upload.upload_path}\${filename}`)
    expect(key).to.equal(`${storage_upload.upload_path}list.csv`)
    const files = JSON.stringify([{ key, filesize: 4 }])
    const body = { ...maker.body(catalog.type('request'), 'minimal'), note: 'See the list.', note_attachments: files }
    const made = await mounted.ask('@ines', 'POST', '/requests', body)
    expect(made.status, made.text).to.equal(201)
    const [note] = (await mounted.ask('@ines', 'GET', `/requests/${(made.json as Made)['id']}/notes`)).json as Made[]
    expect(note?.['attachments']).to.have.nested.property('[0].key', key)
  })

  it('are shown with notes in every list, with as many statements for twenty notes as for one', async () => {
    const notes = `/requests/${mounted.world.id('@mail-is-slow')}/notes`
    const note = async () => {
      const key = await upload('@sam')
      const made = await mounted.ask('@sam', 'POST', notes, { text: 'See the list.', attachments: [{ key }] })
      expect(made.status, made.text).to.equal(201)
      return { id: (made.json as { id: number }).id, key }
    }
    const first = await note()
    for (const address of [notes, `${notes}/public`, '/notes']) {
      const [listed] = (await mounted.ask('@sam', 'GET', `${address}?id=${first.id}`)).json as Made[]
      expect(listed?.['attachments'], address).to.have.length(1).and.have.nested.property('[0].key', first.key)
    }
    for (let count = 1; count < 20; count += 1) await note()
    const counter = countStatements(mounted.database.knex)
    for (const address of [notes, '/notes']) {
      const costOf = (length: number) =>
        counter.during(async () => {
          const answer = await mounted.ask('@sam', 'GET', `${address}?sort=-id&per_page=${length}`)
          const listed = answer.json as { attachments: unknown[] }[]
          expect(listed.map(({ attachments }) => attachments.length)).to.deep.equal(Array(length).fill(1))
        })
      // Some values, such as the total, are remembered for a few seconds: the cost without reading them counts.
      const costNow = async (length: number) => Math.min(await costOf(length), await costOf(length), await costOf(length))
      expect(await costNow(19), address).to.equal(await costNow(1))
    }
  })
})
