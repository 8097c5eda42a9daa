import { expect, test } from 'bun:test'

import { distancesFrom, nearestFirst } from './nearest'

/** The files that import each. */
const importers = new Map(
  Object.entries({
    'ledger/lease.ts': ['ledger/ledger.ts', 'ledger/lease.test.ts'],
    'ledger/ledger.ts': ['world.ts', 'relay/pay.ts'],
    'relay/pay.ts': ['relay/pay.test.ts', 'ledger/ledger.ts'],
    'world.ts': ['ledger/far.test.ts', 'relay/call.test.ts', 'ledger-view/view.test.ts'],
  }).map(([path, list]) => [path, new Set(list)]),
)

test('a file is as far as there are imports between, and circles end', () => {
  expect(Object.fromEntries(distancesFrom(['ledger/lease.ts'], importers))).toEqual({
    'ledger/lease.ts': 0,
    'ledger/ledger.ts': 1,
    'ledger/lease.test.ts': 1,
    'world.ts': 2,
    'relay/pay.ts': 2,
    'ledger/far.test.ts': 3,
    'relay/call.test.ts': 3,
    'ledger-view/view.test.ts': 3,
    'relay/pay.test.ts': 3,
  })
})

test('a test of the same folder comes before a nearer one of another, and of two the one whose folder has more in common', () => {
  const importers = new Map([
    ['a/b/c.ts', new Set(['x/near.test.ts', 'world.ts'])],
    ['world.ts', new Set(['a/b/own.test.ts', 'x/y.test.ts', 'a/z.test.ts'])],
  ])
  const tests = ['x/y.test.ts', 'x/near.test.ts', 'a/z.test.ts', 'a/b/own.test.ts']
  expect(nearestFirst(tests, ['a/b/c.ts'], importers)).toEqual([
    'a/b/own.test.ts',
    'x/near.test.ts',
    'a/z.test.ts',
    'x/y.test.ts',
  ])
})

test('tests of the same folder come first, then the nearest; those that reach nothing are left out', () => {
  const tests = [
    'ledger-view/view.test.ts',
    'relay/pay.test.ts',
    'ledger/far.test.ts',
    'relay/call.test.ts',
    'other/a.test.ts',
  ]
  expect(nearestFirst(tests, ['relay/pay.ts'], importers)).toEqual([
    'relay/pay.test.ts',
    'relay/call.test.ts',
    'ledger-view/view.test.ts',
    'ledger/far.test.ts',
  ])
  expect(
    nearestFirst(['ledger/far.test.ts', 'ledger/lease.test.ts', 'relay/call.test.ts'], ['ledger/lease.ts'], importers),
  ).toEqual(['ledger/lease.test.ts', 'ledger/far.test.ts', 'relay/call.test.ts'])
})
