import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { bodyOf } from '../../plugin/webhooks/delivery-bodies.js'
import { formBody, linkHeader, type WebhookMessage } from '../../plugin/webhooks/payload.js'
import type { Extras } from '../../plugin/webhooks/read-extras.js'

interface Fixture {
  readonly about: string
  readonly event: {
    readonly baseUrl: string
    readonly path: string
    readonly message: WebhookMessage
    readonly at: string
    readonly extras?: Extras
  }
  /** Expected parameters, in order. */
  readonly form: readonly (readonly [name: string, value: string])[]
  /** Expected body in JSON. */
  readonly json: object
  readonly link: string
}

const FOLDER = new URL('../../fixtures/webhooks/', import.meta.url)

function fixture(file: string): Fixture {
  return JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))
}

describe('the payload of a delivery', () => {
  for (const file of readdirSync(FOLDER)) {
    const { about, event, form, json, link } = fixture(file)
    describe(`${file}: ${about}`, () => {
      it('has the expected parameters in order', () => {
        const body = bodyOf('form', event.message, new Date(event.at), event.extras)
        expect([...new URLSearchParams(body)]).to.deep.equal(form)
        if (!event.extras) expect(body).to.equal(formBody(event.message))
      })

      it('has the same names in JSON', () => {
        expect(JSON.parse(bodyOf('json', event.message, new Date(event.at), event.extras))).to.deep.equal(json)
      })

      it('has the expected Link header', () => {
        expect(linkHeader(event.baseUrl, event.path, event.message)).to.equal(link)
      })
    })
  }

  it('is form-encoded in UTF-8, names in brackets', () => {
    const body = formBody({ ...fixture('request.create.json').event.message, event: 'é&=+ 😀' })
    expect(body).to.contain('&event=%C3%A9%26%3D%2B+%F0%9F%98%80&')
    expect(body).to.contain('&payload%5BsourceID%5D=emp%2F44&')
  })
})

describe('the Link header', () => {
  const record = { recordId: 1, snapshot: {} }

  it('stays a valid header, whatever addresses a host has', () => {
    const link = linkHeader('https://api.example.com/ü/v1', 'requests', {
      ...record,
      accountAddress: 'https://bücher.example/a,b <c>',
    })
    expect(link).to.equal(
      '<https://xn--bcher-kva.example/a%2Cb%20%3Cc%3E/requests/1>; rel="canonical", <https://api.example.com/%C3%BC/v1/requests/1>; rel="resource"',
    )
  })
})
