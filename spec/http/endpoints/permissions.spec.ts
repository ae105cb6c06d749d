import { expect } from 'chai'
import { createApp } from '../../../plugin/http/app.js'
import { serving } from '../client.js'
import { stubs, TOKEN } from '../stubs.js'

async function send(method: string, path: string, body?: object) {
  const { deps, asked } = stubs()
  // Node does not announce the body of a DELETE by itself.
  const length = body ? { 'Content-Length': JSON.stringify(body).length } : {}
  const sent = { method, headers: { ...TOKEN, ...length }, ...(body ? { body } : {}) }
  const answer = await serving(createApp(deps), (client) => client.send(`/v1${path}`, sent))
  return { status: answer.status, json: answer.json, asked }
}

const WDC = { account: { id: 'wdc', name: 'WDC' }, roles: ['specialist'] }

describe('http/endpoints/permissions', () => {
  it('shows the roles of a person, in all accounts or in one', async () => {
    expect((await send('GET', '/people/3/permissions')).json).to.deep.equal([WDC])
    expect((await send('GET', '/people/3/permissions/wdc')).json).to.deep.equal(WDC)
    expect((await send('GET', '/people/3/permissions/other')).status).to.equal(404)
    expect((await send('GET', '/people/x/permissions')).status).to.equal(404)
  })

  it('adds and replaces roles, from the query or the body', async () => {
    const added = await send('POST', '/people/3/permissions/wdc?roles=specialist,%20auditor,specialist')
    expect([added.status, added.asked]).to.deep.equal([200, [['add', 3, 'wdc', ['specialist', 'auditor']]]])
    expect(added.json).to.deep.equal({ ...WDC, roles: ['specialist', 'auditor'] })
    const replaced = await send('PATCH', '/people/3/permissions/wdc', { roles: ['auditor'] })
    expect([replaced.status, replaced.asked]).to.deep.equal([200, [['replace', 3, 'wdc', ['auditor']]]])
    expect((await send('PUT', '/people/3/permissions/wdc?roles=')).asked).to.deep.equal([['replace', 3, 'wdc', []]])
  })

  it('takes away the given roles, all of one account, or all', async () => {
    const some = await send('DELETE', '/people/3/permissions/wdc?roles=auditor')
    expect([some.status, some.asked]).to.deep.equal([204, [['revoke', 3, 'wdc', ['auditor']]]])
    const inBody = await send('DELETE', '/people/3/permissions/wdc', { roles: ['auditor'] })
    expect([inBody.status, inBody.asked]).to.deep.equal([204, [['revoke', 3, 'wdc', ['auditor']]]])
    expect((await send('DELETE', '/people/3/permissions/wdc')).asked).to.deep.equal([['revoke', 3, 'wdc', null]])
    expect((await send('DELETE', '/people/3/permissions')).asked).to.deep.equal([['revokeAll', 3]])
  })

  it('refuses roles that do not exist, and calls that name none', async () => {
    const unknown = await send('POST', '/people/3/permissions/wdc?roles=king')
    expect([unknown.status, unknown.json]).to.deep.equal([400, { message: "Invalid value 'king' for parameter 'roles'" }])
    const missing = await send('POST', '/people/3/permissions/wdc')
    expect([missing.status, missing.json]).to.deep.equal([400, { message: "Parameter 'roles' is missing" }])
  })
})
