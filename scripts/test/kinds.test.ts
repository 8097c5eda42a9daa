import { expect, test } from 'bun:test'

import { allTestFiles, filesWith, kindOf } from './kinds'

test.each([
  ['e2e/browser/every-page.test.ts', 'pages'],
  ['e2e/browser/tokens.test.ts', 'browser'],
  ['e2e/sdk.test.ts', 'journeys'],
  ['console/src/lib/text/format.test.ts', 'console'],
  ['gateway/src/console-api/tokens/tokens.test.ts', 'features'],
  ['gateway/src/billing/ledger/holds.test.ts', 'the rest'],
  ['scripts/pieces.test.ts', 'scripts'],
])('%s is run with the kind %s', (file, kind) => {
  expect(kindOf(file).name).toBe(kind)
})

test('every kind has test files, and none of them is installed or built', () => {
  const files = allTestFiles('.')
  expect(new Set(files.map((file) => kindOf(file).name)).size).toBe(7)
  expect(files.filter((file) => /node_modules|dist/.test(file))).toEqual([])
})

test('words choose the files with one of them in the path, and a word in no path is an error', () => {
  const files = ['a/hold.test.ts', 'a/lease.test.ts', 'b/hold.test.ts']
  expect(filesWith(['./a/hold', 'b/'], files)).toEqual(['a/hold.test.ts', 'b/hold.test.ts'])
  expect(filesWith([], files)).toEqual(files)
  expect(() => filesWith(['a/', 'c/'], files)).toThrow('No test file has c/ in its path')
})
