import { expect, test } from 'bun:test'

import { base32, base32Bytes, stepAt, stepOfCode, totpCode, totpUri } from './totp'

const seed = (length: number) => new TextEncoder().encode('1234567890'.repeat(7).slice(0, length))

/** https://www.rfc-editor.org/rfc/rfc6238#appendix-B */
const vectors = [
  [59, '94287082', '46119246', '90693936'],
  [1111111109, '07081804', '68084774', '25091201'],
  [1111111111, '14050471', '67062674', '99943326'],
  [1234567890, '89005924', '91819424', '93441116'],
  [2000000000, '69279037', '90698825', '38618901'],
  [20000000000, '65353130', '77737706', '47863826'],
] as const

test.each(vectors)('codes at %p seconds are those of the RFC', (seconds, sha1, sha256, sha512) => {
  const code = (algorithm: 'sha1' | 'sha256' | 'sha512', length: number) =>
    totpCode(seed(length), stepAt(seconds), { algorithm, digits: 8 })
  expect([code('sha1', 20), code('sha256', 32), code('sha512', 64)]).toEqual([sha1, sha256, sha512])
  expect(totpCode(seed(20), stepAt(seconds))).toBe(sha1.slice(2))
})

test('a code matches its time step, the one before or the one after', () => {
  const at = 1_800_000_015
  const code = totpCode(seed(20), stepAt(at))
  expect(stepOfCode(seed(20), `${code.slice(0, 3)} ${code.slice(3)}`, at)).toBe(stepAt(at))
  expect([-30, 30].map((seconds) => stepOfCode(seed(20), code, at + seconds))).toEqual([stepAt(at), stepAt(at)])
  expect([-60, 60].map((seconds) => stepOfCode(seed(20), code, at + seconds))).toEqual([null, null])
  for (const wrong of ['', '12345', `${code}0`, 'abcdef', '１２３４５６'])
    expect(stepOfCode(seed(20), wrong, at)).toBeNull()
})

/** https://www.rfc-editor.org/rfc/rfc4648#section-10 */
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('%p in base32 is %p', (text, expected) => {
  expect(base32(new TextEncoder().encode(text))).toBe(expected)
})

test('base32 is read with padding, blanks and small letters, and other texts are not', () => {
  const read = (text: string) => new TextDecoder().decode(base32Bytes(text) ?? undefined)
  expect([read('MZXW6YTBOI======'), read('mzxw 6ytb oi'), read('MZXW6')]).toEqual(['foobar', 'foobar', 'foo'])
  expect([base32Bytes(''), base32Bytes('MZ1'), base32Bytes('?')]).toEqual([null, null, null])
})

test('names of the site and the user are escaped in the URI of the QR code', () => {
  expect(totpUri(seed(20), { issuer: 'A: & B', account: 'ann?x=1' })).toBe(
    'otpauth://totp/A%20%20%26%20B:ann%3Fx%3D1?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=A%20%20%26%20B',
  )
})
