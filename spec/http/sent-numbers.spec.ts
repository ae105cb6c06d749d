/** JSON numbers keep their digits in texts, and are refused where they would become others (behaviour: Value formats). */
import { expect } from 'chai'
import { defineEndpoint } from '../../plugin/http/endpoints/define-endpoint.js'
import { string } from '../../plugin/index.js'
import { float, json, strings } from '../../plugin/schema/kinds/fields.js'
import { withMounted } from '../support/mounted.js'

describe('numbers of JSON bodies', function () {
  this.timeout(60_000)
  const echo = defineEndpoint({
    path: '/echo',
    summary: 'Send back',
    body: { key: string(40), keys: strings(40), size: float(), data: json() },
    run: ({ body }) => body,
  })
  const mounted = withMounted('mounted under a prefix', { endpoints: [echo], rateLimit: { burst: false, perHour: 1_000_000 } })
  const sent = (path: string, text: string, headers: Record<string, string> = {}, method = 'POST', as = '@owen') =>
    mounted.ask(as, method, path, Buffer.from(text), headers)
  const record = (json: unknown) => json as { readonly [name: string]: unknown }
  const REQUEST = '"subject":"Numbers","category":"rfi"'

  it('keep their digits in texts', async () => {
    for (const digits of [
      '6543210987654321001',
      '1.0',
      '1E400',
      '-0',
      '0.1000000000000000055',
      '1e-7',
      '6543210987654321000',
    ]) {
      const made = await sent('/requests', `{${REQUEST},"source":"tool","sourceID":${digits},"supplier_requestID":${digits}}`)
      expect(made.status, made.text).to.equal(201)
      expect(record(made.json)).to.include({ sourceID: digits, supplier_requestID: digits })
    }
  })

  it('make other requests of those that differ in nothing else', async () => {
    const ids = new Set<unknown>()
    for (const digits of ['7543210987654321001', '7543210987654321002', '7543210987654321003']) {
      const body = `{${REQUEST},"source":"tool","sourceID":${digits}}`
      const [made, again] = [await sent('/requests', body), await sent('/requests', body)]
      expect([made.status, again.status, again.headers['idempotent-replayed']]).to.deep.equal([201, 201, 'true'])
      expect(made.headers['idempotent-replayed']).to.equal(undefined)
      ids.add(record(made.json)['id'])
    }
    expect(ids.size).to.equal(3)
    const key = { 'Idempotency-Key': 'digits' }
    expect((await sent('/requests', `{${REQUEST},"supplier_requestID":8543210987654321001}`, key)).status).to.equal(201)
    expect((await sent('/requests', `{${REQUEST},"supplier_requestID":8543210987654321002}`, key)).status).to.equal(422)
  })

  it('keep them in arrays and in changes by source', async () => {
    const bodies = ['1', '2'].map((end) => `{"name":"Site ${end}","source":"tool","sourceID":654321098765432100${end}}`)
    const made = await sent('/sites', `[${bodies.join(',')}]`)
    expect(
      (made.json as { status: number }[]).map(({ status }) => status),
      made.text,
    ).to.deep.equal([201, 201])
    const changes = '[{"source":"tool","sourceID":6543210987654321002,"name":"Second"}]'
    const [changed] = (await sent('/sites', changes, {}, 'PATCH')).json as { id: number; status: number }[]
    expect(changed?.status).to.equal(200)
    const shown = await mounted.ask('@owen', 'GET', `/sites/${changed?.id}`)
    expect(record(shown.json)).to.include({ sourceID: '6543210987654321002', name: 'Second' })
  })

  it('keep them in events, however these are sent', async () => {
    const submit = (text: string, headers: Record<string, string> = {}) => sent('/events', text, headers, 'POST', '@sam')
    const ids = new Set<unknown>()
    for (const end of ['001', '002', '003']) {
      const event = await submit(`{"subject":"Disk ${end}","source":"probe","sourceID":6543210987654321${end}}`)
      expect(event.status, event.text).to.equal(201)
      expect(record(event.json)).to.include({ sourceID: `6543210987654321${end}` })
      ids.add(record(event.json)['id'])
      const form = `subject=Disk+${end}&source=probe&sourceID=6543210987654321${end}`
      const again = await submit(form, { 'Content-Type': 'application/x-www-form-urlencoded' })
      expect(again.status).to.equal(200)
      ids.add(record(again.json)['id'])
    }
    expect(ids.size).to.equal(3)
    const fields = '[{"id":"disk","value":9543210987654321001}]'
    const refused = await submit(`{"subject":"Custom","custom_fields":${fields}}`)
    expect(refused.status).to.equal(422)
    const inForm = `subject=Custom&custom_fields=${encodeURIComponent(fields)}`
    expect((await submit(inForm, { 'Content-Type': 'application/x-www-form-urlencoded' })).status).to.equal(422)
  })

  it('are refused in custom data that would not keep them', async () => {
    const held = [
      '"custom_data":{"a":[{"b":9007199254740993}]}',
      '"custom_data":"{\\"a\\":0.1000000000000000055}"',
      '"custom_fields":[{"id":"a","value":1E400}]',
    ]
    for (const data of held) {
      const made = await sent('/requests', `{${REQUEST},${data}}`)
      expect([made.status, made.text.includes('cannot be kept exactly: send it as a text')], data).to.deep.equal([422, true])
    }
    const made = await sent('/requests', `{${REQUEST},"custom_data":{"a":[1.50,-0,1E2,6543210987654321000]}}`)
    expect(made.status, made.text).to.equal(201)
    expect(record(made.json)['custom_data']).to.deep.equal({ a: [1.5, 0, 100, 6543210987654321000] })
  })

  it('are read right or refused in fields with numbers, as numbers and as texts', async () => {
    const spend = (value: string) => sent('/echo', `{"size":${value}}`)
    const read: [string, number][] = [
      ['1.50', 1.5],
      ['1e-7', 1e-7],
      ['"1e-7"', 1e-7],
      ['-0', 0],
      ['2E2', 200],
      ['12.0', 12],
    ]
    for (const [value, number] of read) expect((await spend(value)).json, value).to.deep.equal({ size: number })
    for (const value of ['9007199254740993', '"9007199254740993"', '1E400', '0.1000000000000000055', '1e-400'])
      expect((await spend(value)).text, value).to.contain('exactly')
    const team = mounted.world.id('service-desk')
    const made = await sent('/requests', `{${REQUEST},"team_id":${team}.0}`)
    expect(record(made.json)['team']).to.include({ id: team })
    expect((await sent('/requests', `{${REQUEST},"team_id":9007199254740993}`)).status).to.equal(422)
  })

  it('keep them at endpoints of a host', async () => {
    const body = '{"key":6543210987654321001,"keys":[1.0,"a",6543210987654321002],"data":{"n":1.0}}'
    const echoed = { key: '6543210987654321001', keys: ['1.0', 'a', '6543210987654321002'], data: { n: 1 } }
    expect((await sent('/echo', body)).json).to.deep.equal(echoed)
  })

  it('are no objects: sub-records, references, flags and times refuse them', async () => {
    for (const part of ['"note":1.0', '"desired_completion_at":1.0', '"custom_data":1.0', '"impact":1.0']) {
      const made = await sent('/requests', `{${REQUEST},${part}}`)
      expect(made.status, `${part} ${made.text}`).to.be.oneOf([201, 422])
    }
    for (const part of ['"contacts_attributes":1.0', '"contacts_attributes":[1.0]'])
      expect((await sent('/people', `{"name":"X","primary_email":"x@widgets.example",${part}}`)).status, part).to.equal(422)
  })

  it('of programs and of parsers that have lost their digits are refused', async () => {
    const system = mounted.itsm.asSystem('numbers', 'widgets')
    // biome-ignore lint/correctness/noPrecisionLoss: what a program may have written
    const lost = 6543210987654321001
    const fault = await system.create('site', { name: 'X', sourceID: lost as never }).then(String, String)
    expect(fault).to.contain('exactly')
  })
})

describe('numbers behind a body parser of the host', function () {
  this.timeout(60_000)
  const mounted = withMounted('behind a body parser of the host')

  it('keep their digits or are refused', async () => {
    const body = '{"subject":"Numbers","category":"rfi","sourceID":6543210987654321001}'
    const made = await mounted.ask('@owen', 'POST', '/requests', Buffer.from(body))
    if (made.status === 201) expect(made.json).to.include({ sourceID: '6543210987654321001' })
    else expect([made.status, made.text.includes('exactly')]).to.deep.equal([422, true])
    const many = await mounted.ask('@owen', 'POST', '/sites', Buffer.from('[{"name":"A","sourceID":6543210987654321001}]'))
    expect(many.text).to.match(/"status":422|6543210987654321001/)
  })
})
