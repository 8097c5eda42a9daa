import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'

import { allTestFiles, kindOf } from './kinds'
import { Queue, type Share } from './queue'

const numberFiles = (folder: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${folder}/${String(index).padStart(3, '0')}.test.ts`)

function takeAll(queue: Queue): Share[] {
  const shares: Share[] = []
  for (let share = queue.take(() => true); share; share = queue.take(() => true)) shares.push(share)
  return shares
}

test('every file is handed out once, and no share has two kinds', () => {
  const files = [
    ...numberFiles('contract', 400),
    ...numberFiles('console', 100),
    ...numberFiles('e2e/browser', 30),
    ...numberFiles('e2e', 40),
  ]
  const shares = takeAll(new Queue(files, 4))
  expect(shares.flatMap((share) => share.files).sort()).toEqual(files.sort())
  for (const { kind, files } of shares) expect(new Set(files.map(kindOf))).toEqual(new Set([kind]))
})

test('the dearest kind comes first, and shares become smaller', () => {
  const shares = takeAll(new Queue([...numberFiles('contract', 400), ...numberFiles('e2e/browser', 30)], 4))
  expect(shares[0]?.kind.name).toBe('browser')
  const seconds = shares.map(({ kind, files }) => kind.secondsPerFile * files.length)
  expect(seconds[0]).toBeGreaterThanOrEqual(35)
  expect(seconds.at(-1)).toBeLessThan(15)
})

test('files that share a site are one share, which comes first', () => {
  const pages = ['every-page', 'phone', 'shell', 'tables', 'tasks'].map((name) => `e2e/browser/${name}.test.ts`)
  const others = numberFiles('e2e/browser', 20)
  const [first] = takeAll(new Queue([...others.slice(0, 10), ...pages, ...others.slice(10)], 4))
  expect(first?.files).toEqual(pages)
})

test('files that share a site are those that open it', () => {
  const opening = allTestFiles('.').filter(
    (file) => file.startsWith('e2e/browser/') && readFileSync(file, 'utf8').includes('theUsedSite()'),
  )
  expect(opening.filter((file) => !kindOf(file).isOneShare)).toEqual([])
})

test('a few quick files are one share', () => {
  expect(takeAll(new Queue(numberFiles('contract', 10), 4))).toHaveLength(1)
})

test('files that are not worth a process of their own join the share before them', () => {
  const shares = takeAll(new Queue(numberFiles('contract', 45), 4))
  expect(shares.map(({ files }) => files.length)).toEqual([20, 25])
})

test('a kind that is not ready is left for later', () => {
  const queue = new Queue(['e2e/sdk.test.ts', 'contract/units.test.ts'], 4)
  const isReady = ({ needsBuilds = false }) => !needsBuilds
  expect(queue.take(isReady)?.files).toEqual(['contract/units.test.ts'])
  expect(queue.take(isReady)).toBeUndefined()
  expect(queue.isEmpty).toBe(false)
  expect(queue.take(() => true)?.files).toEqual(['e2e/sdk.test.ts'])
  expect(queue.isEmpty).toBe(true)
})

test('files that come back are handed out again', () => {
  const queue = new Queue([], 4)
  queue.add(['contract/units.test.ts'])
  expect(takeAll(queue).map(({ files }) => files)).toEqual([['contract/units.test.ts']])
})
