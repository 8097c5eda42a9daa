import { expect, test } from 'bun:test'

import { aCharge } from '../../../../test/ledger'
import { chargeRecord } from '../charge/charge-record'
import { lineOf, readHead, readRecord } from './journal-record'

const payer = { userId: 1, tokenId: 0, isTokenLimited: false }
const windows = ['7r 8q w:0:abc.0', '9n w:0:abc.1']
const record = chargeRecord('call', payer, aCharge(30), { userLease: 'gone', tokenLease: '', windows })

test('a charge is read from its line as it was written, with what it drew from windows', () => {
  const head = readHead(lineOf(record, 3, 7).slice(0, -1)) ?? expect.unreachable()
  expect(readRecord(head)).toEqual(structuredClone(record))
})

test('draws with their amounts, as version 1 wrote them, are read as they are, and a name that lists no period is refused', () => {
  const read = (version: number, drawn: unknown) =>
    readRecord({ version, body: JSON.stringify({ ...record, windows: [drawn] }) })
  const listed = { series: 'w:0:abc.0', drawn: [7, 1, 8, 30] }
  expect(read(1, listed)).toMatchObject({ windows: [listed] })
  expect(read(2, '7x w:0:abc.0')).toContain('windows')
})

test('draws that name each lease, as builds before the first release wrote them, are read by its series', () => {
  const earlier = [
    { lease: 'w:0:abc.0:window:7', period: 7, amount: 1 },
    { lease: 'w:0:abc.1:window:12', period: 12, amount: 30 },
  ]
  expect(readRecord({ version: 1, body: JSON.stringify({ ...record, windows: earlier }) })).toMatchObject({
    windows: [
      { series: 'w:0:abc.0', drawn: [7, 1] },
      { series: 'w:0:abc.1', drawn: [12, 30] },
    ],
  })
})
