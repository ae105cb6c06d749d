import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import {
  isSecretText,
  kindOfSecret,
  newSecretText,
  SECRET_PATTERN,
  type SecretKind,
} from '../../../plugin/access/tokens/token-text.js'

describe('texts of tokens', () => {
  const zeros = (count: number) => Buffer.alloc(count)

  it('name their kind, and end with a checksum that others can compute', () => {
    // The CRC-32 of the 39 characters before it is 1020553483.
    expect(newSecretText('personal', zeros)).to.equal(`itsm_pat_${'0'.repeat(30)}1748a3`)
    const kinds: Readonly<Record<SecretKind, string>> = {
      ...{ personal: 'itsm_pat_', oauth: 'itsm_oat_' },
      ...{ client: 'itsm_ocs_', session: 'itsm_ses_' },
    }
    for (const [kind, prefix] of Object.entries(kinds)) {
      const text = newSecretText(kind as SecretKind, randomBytes)
      expect(text.startsWith(prefix)).to.equal(true)
      expect(kindOfSecret(text)).to.equal(kind)
      expect(isSecretText(text)).to.equal(true)
    }
  })

  it('are found in any text by one expression', () => {
    const text = newSecretText('personal', randomBytes)
    for (const place of [`ITSM_TOKEN=${text}`, `"${text}"`, `?api_token=${text}&a=b`, `Bearer ${text}\n`, `(${text}.)`])
      expect(SECRET_PATTERN.exec(place)?.[0], place).to.equal(text)
  })

  it('use every letter equally', () => {
    const used = new Map<string, number>()
    for (let made = 0; made < 2_000; made += 1) {
      for (const letter of newSecretText('personal', randomBytes).slice(9, 39)) used.set(letter, (used.get(letter) ?? 0) + 1)
    }
    expect(used.size).to.equal(62)
    // 968 on average; the first eight letters would have 1,170 if the rest of a division were taken as it is.
    expect(Math.max(...[...'01234567'].map((letter) => used.get(letter) ?? 0))).to.be.below(1_120)
  })

  it('draw again for bytes that would favor some letters', () => {
    const draws = [Buffer.alloc(30, 255), Buffer.alloc(30, 61)]
    expect(newSecretText('personal', () => draws.shift() ?? zeros(30)).slice(9, 39)).to.equal('z'.repeat(30))
  })

  it('are refused with any other character, and any other length', () => {
    const text = newSecretText('oauth', randomBytes)
    for (let at = 0; at < text.length; at += 1) {
      const other = text[at] === 'a' ? 'b' : 'a'
      expect(isSecretText(text.slice(0, at) + other + text.slice(at + 1)), String(at)).to.equal(false)
    }
    for (const wrong of [
      '',
      'itsm_pat_',
      `${text}0`,
      ` ${text}`,
      `${text}\n`,
      text.slice(1),
      text.toUpperCase(),
      '\ud800'.repeat(45),
    ])
      expect(isSecretText(wrong), wrong).to.equal(false)
    expect(kindOfSecret('0123456789abcdef')).to.equal(null)
    expect(kindOfSecret('itsm_pat_')).to.equal('personal')
  })
})
