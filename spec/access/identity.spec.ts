/** The table of identities: which texts name the same record, wherever a record is found by a text (behaviour: Identity). */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { multipart } from '../../plugin/testing/send.js'
import { withMounted } from '../support/mounted.js'

interface Pair {
  readonly about: string
  readonly one: string
  readonly other: string
  /** As names and addresses, and as source IDs. */
  readonly isSame: boolean
  readonly isSameSource: boolean
}

const [SAME, DIFFERENT, SAME_NAME] = [
  { isSame: true, isSameSource: true },
  { isSame: false, isSameSource: false },
  { isSame: true, isSameSource: false },
]

const PAIRS: readonly Pair[] = [
  { about: 'an accent', one: 'jos\u00e9', other: 'jose', ...DIFFERENT },
  { about: 'an accent in two forms', one: 'jos\u00e9', other: 'jose\u0301', ...SAME },
  { about: 'case', one: 'D8cuI', other: 'D8cUI', ...SAME_NAME },
  { about: 'case of letters beyond ASCII', one: 'Z\u00dcRICH', other: 'Z\u00fcrich', ...SAME_NAME },
  { about: 'case of Cyrillic letters', one: '\u0418\u0412\u0410\u041d', other: '\u0438\u0432\u0430\u043d', ...SAME_NAME },
  { about: 'case of young letters', one: '\u{1E900}x', other: '\u{1E922}x', ...SAME_NAME },
  { about: 'a ligature', one: '\ufb01n', other: 'fin', ...DIFFERENT },
  { about: 'width', one: '\uff21b', other: 'Ab', ...DIFFERENT },
  { about: 'a sharp s', one: 'stra\u00dfe', other: 'STRASSE', ...SAME_NAME },
  { about: 'a large sharp s', one: 'gro\u1e9e', other: 'gross', ...SAME_NAME },
  { about: 'an i with a dot', one: '\u0130nes', other: 'ines2', ...DIFFERENT },
  { about: 'an I with a dot', one: '\u0130x', other: 'ix', ...DIFFERENT },
  { about: 'an i without a dot', one: '\u0131x', other: 'ix', ...DIFFERENT },
  { about: 'a sigma at the end', one: '\u039f\u03a3', other: '\u03bf\u03c2', ...SAME_NAME },
  { about: 'both small sigmas', one: '\u03bf\u03c3', other: '\u03bf\u03c2', ...SAME_NAME },
  { about: 'the sign of kelvin', one: '\u212a1', other: 'K1', ...SAME },
  { about: 'letters of two alphabets', one: '\u0430bc', other: 'abc', ...DIFFERENT },
  { about: 'an \u00e6', one: '\u00e6r', other: 'aer', ...DIFFERENT },
  { about: 'a stroke', one: '\u00f8l', other: 'ol', ...DIFFERENT },
  { about: 'a small kana', one: '\u3042', other: '\u30a2', ...DIFFERENT },
]

describe('a text', () => {
  const mounted = withMounted('bare', { rateLimit: { burst: false, perHour: 1_000_000 } })
  let count = 0
  /** A pair as no other spec has it. */
  const both = ({ one, other }: Pair): readonly [string, string] => {
    count += 1
    return [`t${count} ${one}`, `t${count} ${other}`]
  }
  const addresses = (pair: Pair) => both(pair).map((text) => `${text.replace(' ', '.')}@widgets.example`) as [string, string]
  const make = async (path: string, body: object) => {
    const { json, status } = await mounted.ask('@owen', 'POST', path, body)
    return { status, id: (json as { id?: number }).id ?? 0 }
  }
  const made = async (path: string, body: object) => {
    const { status, id } = await make(path, body)
    expect(status, JSON.stringify(body)).to.equal(201)
    return id
  }
  const person = (primary_email: string) => made('/people', { name: 'Somebody', primary_email })
  const system = () => mounted.itsm.asSystem('tries identities', 'widgets')

  const imported = async (type: string, ...lines: readonly string[]) => {
    const { body, type: contentType } = multipart({ type, file: { fileName: 'a.csv', text: lines.join('\r\n') } })
    const { json, text } = await mounted.ask('@owen', 'POST', '/import', body, { 'Content-Type': contentType })
    for (let asked = 0; asked < 500; asked += 1) {
      const path = `/import/${(json as { token: string }).token}`
      const now = (await mounted.ask('@owen', 'GET', path)).json as { state: string; results: Record<string, number> }
      if (now.state === 'done') return now.results
      await sleep(20)
    }
    throw new Error(text)
  }
  /** A spec for each pair that says whether both texts name one. */
  const each = (about: string, found: (pair: Pair) => Promise<boolean>, of: 'isSame' | 'isSameSource' = 'isSame') => {
    describe(about, () => {
      for (const pair of PAIRS) {
        it(`${pair[of] ? 'is the same' : 'is another'} with ${pair.about}`, async () => {
          expect(await found(pair)).to.equal(pair[of])
        })
      }
    })
  }
  before(() => mounted.itsm.start())

  each('that must be unique', async (pair) => {
    const [one, other] = both(pair)
    await made('/sites', { name: one })
    return (await make('/sites', { name: other })).status === 422
  })

  each('that must be unique, in one array', async (pair) => {
    const [one, other] = both(pair)
    const { json } = await mounted.ask('@owen', 'POST', '/organizations', [{ name: one }, { name: other }])
    return JSON.stringify(json).includes('taken')
  })

  each('that must be unique, after a change', async (pair) => {
    const [one, other] = both(pair)
    await made('/sites', { name: one })
    const id = await made('/sites', { name: `another ${count}` })
    return (await mounted.ask('@owen', 'PATCH', `/sites/${id}`, { name: other })).status === 422
  })

  each('with which somebody signs in', async (pair) => {
    const [one, other] = addresses(pair)
    const id = await person(one)
    await mounted.itsm.credentials.setPassword(id, 'a long enough password')
    const headers = { Authorization: `Basic ${Buffer.from(`${other}:a long enough password`).toString('base64')}` }
    return (await mounted.ask(null, 'GET', '/me', undefined, headers)).status === 200
  })

  each('in the local interface', async (pair) => {
    const [one, other] = addresses(pair)
    const id = await person(one)
    const { items } = await system().list('person', { primary_email: other })
    return items.some((item) => item.id === id)
  })

  each('in a filter that ignores case', async (pair) => {
    const [one, other] = addresses(pair)
    const id = await person(one)
    const { json } = await mounted.ask('@owen', 'GET', `/people?primary_email=${encodeURIComponent(other)}`)
    return (json as { id: number }[]).some((item) => item.id === id)
  })

  each(
    'in a filter',
    async (pair) => {
      const [one, other] = both(pair)
      const id = await made('/sites', { name: one })
      const { json } = await mounted.ask('@owen', 'GET', `/sites?name=${encodeURIComponent(other)}`)
      return (json as { id: number }[]).some((item) => item.id === id)
    },
    'isSameSource',
  )

  each('by which a file finds its records', async (pair) => {
    const [one, other] = addresses(pair)
    await person(one)
    const { created, failures } = await imported('people', 'Name,Primary Email', `Changed,${other}`)
    expect(failures).to.equal(0)
    return created === 0
  })

  each('in a file of roles', async (pair) => {
    const [one, other] = addresses(pair)
    const id = await person(one)
    await imported('people_roles', 'Person,Account Administrator', `${other},1`)
    const { json } = await mounted.ask('@owen', 'GET', `/people/${id}/permissions`)
    return JSON.stringify(json).includes('"account_administrator":true') || /"account_administrator"/.test(JSON.stringify(json))
  })

  each('of a manager in a file', async (pair) => {
    const [one, other] = addresses(pair)
    await person(one)
    const { created } = await imported('organizations', 'Name,Manager', `org ${count},${other}`)
    return created === 1
  })

  each('of a member in a file', async (pair) => {
    const [one, other] = addresses(pair)
    await person(one)
    const { created } = await imported('teams', 'Name,Members', `team ${count},${other}`)
    return created === 1
  })

  each('by which a cell names a site', async (pair) => {
    const [one, other] = both(pair)
    await made('/sites', { name: one })
    const mail = `s${count}@widgets.example`
    const { created } = await imported('people', 'Name,Primary Email,Site', `Somebody,${mail},${other}`)
    return created === 1
  })

  each('that an event names', async (pair) => {
    const [one, other] = addresses(pair)
    const id = await person(one)
    const event = { subject: `Event ${count}`, note: 'x', requested_by: other }
    const { json, status } = await mounted.ask('@sam', 'POST', '/events', event)
    return status === 201 && (json as { requested_by?: { id: number } }).requested_by?.id === id
  })

  each(
    'that is the ID of an event in its tool',
    async (pair) => {
      const [one, other] = both(pair)
      const event = (sourceID: string, subject: string) => ({ source: 'monitor', sourceID, subject, note: subject })
      const first = await mounted.ask('@sam', 'POST', '/events', event(one, `First ${count}`))
      const second = await mounted.ask('@sam', 'POST', '/events', event(other, `Second ${count}`))
      expect([first.status, second.status]).to.satisfy(([, status]: number[]) => status === 200 || status === 201)
      return (first.json as { id: number }).id === (second.json as { id: number }).id
    },
    'isSameSource',
  )

  each(
    'that is the ID of a record in its source',
    async (pair) => {
      const [one, other] = both(pair)
      await made('/sites', { name: `site ${count}`, source: 'tool', sourceID: one })
      return (await make('/sites', { name: `second site ${count}`, source: 'tool', sourceID: other })).status === 422
    },
    'isSameSource',
  )

  each(
    'that is the Source ID of a row',
    async (pair) => {
      const [one, other] = both(pair)
      await made('/sites', { name: `site of ${count}`, source: 'tool', sourceID: one })
      const { created, failures } = await imported('sites', 'Source,Source ID,Name', `tool,${other},row ${count}`)
      expect(failures).to.equal(0)
      return created === 0
    },
    'isSameSource',
  )

  each('in two rows of one file', async (pair) => {
    const [one, other] = addresses(pair)
    const { created, failures } = await imported('people', 'Name,Primary Email', `One,${one}`, `Two,${other}`)
    expect(failures).to.equal(0)
    return created === 1
  })

  describe('with characters that nobody sees', () => {
    for (const sign of ['\u200b', '\u00ad', '\u200d', '\ufeff', '\u3164', '\ufe0f', '\u{e0061}', '\u2066']) {
      it(`(${sign.codePointAt(0)?.toString(16)}) is no address`, async () => {
        const { status } = await make('/people', { name: 'Somebody', primary_email: `in${sign}es@widgets.example` })
        expect(status).to.equal(422)
      })
    }
    for (const text of ['\u3164', '\u115f \u1160', '\uffa0', '\u2800\u2800', '\u200b\u00ad', '\u2066\u2069', '\u{e0001}']) {
      it(`only (${[...text].map((one) => one.codePointAt(0)?.toString(16))}) is empty`, async () => {
        const { json, status } = await mounted.ask('@owen', 'POST', '/sites', { name: text })
        expect([status, JSON.stringify(json)].join(' '))
          .to.include('422')
          .and.to.include("can't be blank")
      })
    }
    it('is another text than without them', async () => {
      await made('/sites', { name: 'Zero width' })
      await made('/sites', { name: 'Zero\u200bwidth' })
      await made('/sites', { name: 'Zerowidth' })
    })
  })

  it('is stored in one form', async () => {
    const id = await made('/sites', { name: 'Cafe\u0301 1', remarks: 'e\u0301\ne\u0301' })
    const { json } = await mounted.ask('@owen', 'GET', `/sites/${id}`)
    expect(json).to.include({ name: 'Caf\u00e9 1', remarks: '\u00e9\n\u00e9' })
  })

  it('may end with a blank in a cell, which is a mistake of typing', async () => {
    await made('/sites', { name: 'Trailing' })
    expect((await make('/sites', { name: 'Trailing ' })).status).to.equal(422)
    expect((await make('/sites', { name: 'Trailing\u3000' })).status).to.equal(422)
  })
})
