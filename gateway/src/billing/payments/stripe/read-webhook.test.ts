import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'

import { signatureFault, type SignatureFault } from './read-webhook'

const body = '{"id":"evt_1","type":"checkout.session.completed"}'
const secret = 'whsec_test'
const at = 1_700_000_000
const vector = '749721cbedbfa4cc1aa6c9c2bec1edd93766a07906c9d9b3dbc7626e4e660caf'
const header = `t=${at},v1=${vector}`

const faultOf = (changed: Partial<Parameters<typeof signatureFault>[0]> = {}) =>
  signatureFault({ header, body, secret, nowSeconds: at, ...changed })

const wrong = '0'.repeat(64)

test('the published form of a signature verifies', () => {
  expect(faultOf()).toBeNull()
  expect(faultOf({ body: new TextEncoder().encode(body) })).toBeNull()
})

test.each([
  ['a second signature of a secret that is being rolled', `t=${at},v1=${wrong},v1=${vector}`],
  ['the right signature first', `t=${at},v1=${vector},v1=${wrong}`],
  ['signatures of other schemes', `t=${at},v0=${wrong},v1=${vector},v2=abc`],
  ['spaces after commas', `t=${at}, v1=${vector}`],
])('%s is accepted', (_, signatureHeader) => expect(faultOf({ header: signatureHeader })).toBeNull())

test.each([
  ['nothing in it', ''],
  ['no timestamp', `v1=${vector}`],
  ['a timestamp that is not a number', `t=now,v1=${vector}`],
  ['two timestamps', `t=${at},t=${at + 1},v1=${vector}`],
  ['only the scheme v0', `t=${at},v0=${vector}`],
  ['a signature that is too short', `t=${at},v1=${vector.slice(2)}`],
  ['more signatures than there can be secrets', `t=${at}${`,v1=${vector}`.repeat(17)}`],
])('a header with %s is malformed', (_, signatureHeader) =>
  expect(faultOf({ header: signatureHeader })).toBe('malformed'),
)

test('a body that differs by one byte, another secret and another timestamp are refused', () => {
  expect(faultOf({ body: `${body} ` })).toBe('mismatch')
  expect(faultOf({ secret: 'whsec_other' })).toBe('mismatch')
  expect(faultOf({ header: `t=${at + 1},v1=${vector}` })).toBe('mismatch')
})

test.each<[number, SignatureFault | null]>([
  [0, null],
  [300, null],
  [-300, null],
  [301, 'expired'],
  [-301, 'expired'],
])('a webhook signed %d seconds ago: %p', (age, fault) => expect(faultOf({ nowSeconds: at + age })).toBe(fault))

test('nothing verifies without a secret, not even a signature made with the empty one', () => {
  const forged = createHmac('sha256', '').update(`${at}.${body}`).digest('hex')
  expect(faultOf({ secret: '', header: `t=${at},v1=${forged}` })).toBe('no-secret')
})
