import { expect } from 'chai'
import { OAuthRefusal } from '../../../plugin/http/requests/oauth-refusal.js'
import { readTokenRequest } from '../../../plugin/http/requests/token-request.js'

const FORM = { grant_type: 'client_credentials', client_id: 'one', client_secret: 'two' }
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

interface Sent {
  readonly form?: Record<string, string> | [string, string][]
  readonly authorization?: string
  readonly query?: string[]
}

function read({ form = FORM, authorization = '', query = [] }: Sent) {
  return readTokenRequest({ authorization, query, form: Array.isArray(form) ? form : Object.entries(form) })
}

/** Status, code, and whether the client is told the scheme. */
function refusal(sent: Sent): string {
  try {
    read(sent)
  } catch (error) {
    if (!(error instanceof OAuthRefusal)) throw error
    // RFC 6749, 5.2: what error_description may contain.
    expect(error.message).to.match(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
    return `${error.status} ${error.code}${'WWW-Authenticate' in error.headers ? ' challenge' : ''}`
  }
  return 'read'
}

describe('http/token-request', () => {
  it('reads the client from the body or from the header, whose parts are URL-encoded', () => {
    const inHeader = true
    const client = { id: 'one', secret: 'two', inHeader: false, scope: null }
    expect(read({})).to.deep.equal(client)
    expect(read({ form: { ...FORM, unknown: 'x', scope: '' } })).to.deep.equal(client)
    const form = { grant_type: 'client_credentials' }
    for (const authorization of [basic('one:two'), basic('one:two').replace('Basic', 'bAsIc  '), basic('%6fne:tw%6F')]) {
      expect(read({ form, authorization })).to.deep.equal({ ...client, inHeader })
    }
    expect(read({ form: { ...form, client_id: 'one' }, authorization: basic('one:two') })).to.deep.equal({
      ...client,
      inHeader,
    })
    expect(read({ form, authorization: basic('a%3Ab+c:%C3%BC:%2B') })).to.deep.equal({
      id: 'a:b c',
      secret: 'ü:+',
      inHeader,
      scope: null,
    })
  })

  it('reads the scopes', () => {
    expect(read({ form: { ...FORM, scope: 'read request  person' } }).scope).to.deep.equal(['read', 'request', 'person'])
    expect(read({ form: { ...FORM, scope: ' ' } }).scope).to.deep.equal([])
  })

  it('looks at the grant first', () => {
    expect(refusal({ form: {} })).to.equal('400 invalid_request')
    expect(refusal({ form: { grant_type: '' } })).to.equal('400 invalid_request')
    for (const grant_type of ['password', 'authorization_code', 'CLIENT_CREDENTIALS', 'client_credentials ', '\0']) {
      expect(refusal({ form: { grant_type } }), grant_type).to.equal('400 unsupported_grant_type')
    }
  })

  it('refuses clients that do not identify themselves, or in two ways', () => {
    const form = { grant_type: 'client_credentials' }
    expect(refusal({ form })).to.equal('401 invalid_client')
    expect(refusal({ form: { ...form, client_id: 'one' } })).to.equal('401 invalid_client')
    expect(refusal({ form: { ...FORM, client_secret: '' } })).to.equal('401 invalid_client')
    expect(refusal({ authorization: basic('one:two') })).to.equal('400 invalid_request')
    expect(refusal({ form: { ...form, client_id: 'other' }, authorization: basic('one:two') })).to.equal('400 invalid_request')
    for (const authorization of [
      ...['Bearer itsm_oat_x', 'Digest x', 'Basic', 'Basic !', 'x', basic(''), basic('one'), basic('one:'), basic(':two')],
      ...[basic('%:two'), basic('one:%E0%A4%A')],
    ]) {
      expect(refusal({ form, authorization }), authorization).to.equal('401 invalid_client challenge')
    }
  })

  it('refuses parameters that come twice, and those of the request in the URL', () => {
    const pairs = Object.entries(FORM)
    for (const pair of [...pairs, ['scope', 'read'], ['other', 'x']] as [string, string][]) {
      expect(refusal({ form: [...pairs, pair, pair] }), pair[0]).to.equal('400 invalid_request')
    }
    for (const name of ['grant_type', 'client_id', 'client_secret', 'scope', 'api_token', 'access_token']) {
      expect(refusal({ query: [name] }), name).to.equal('400 invalid_request')
    }
    expect(refusal({ query: ['_', 'callback'] })).to.equal('read')
  })
})
