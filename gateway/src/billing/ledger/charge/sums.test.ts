import { expect, test } from 'bun:test'

import { anEntry } from '../../../../test/ledger'
import { sumsBy } from './apply-charges'

test('charges add up by id, with the last call of each', () => {
  const charge = (cost: number, tokenId: number, createdAt: number, clientIp: string) => ({
    requestId: crypto.randomUUID(),
    userLease: '',
    tokenLease: '',
    cost,
    isLogged: true,
    entry: anEntry({ tokenId, createdAt, clientIp }),
  })
  const records = [charge(1, 9, 20, 'a'), charge(2, 4, 10, 'b'), charge(4, 9, 10, 'c'), charge(8, 0, 30, 'd')]
  const sums = sumsBy(records, ({ entry }) => entry.tokenId)
  expect(sums.map(({ id, cost, calls, last }) => [id, cost, calls, last.clientIp])).toEqual([
    [4, 2, 1, 'b'],
    [9, 5, 2, 'a'],
  ])
})
