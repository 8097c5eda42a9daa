import { expect, test } from 'bun:test'

import { allTestFiles } from '../kinds'
import { choiceLines, chooseTests } from './choose'
import { edges, testsAlong } from './edges'

const ledger = 'gateway/src/billing/ledger/lease.ts'
const testFiles = [
  'gateway/src/billing/ledger/lease.test.ts',
  'gateway/src/relay/call.test.ts',
  'gateway/src/platform/store/rows.test.ts',
  'console/src/features/tokens/token-drawer.test.tsx',
  'console/src/features/users/users-page.test.tsx',
  'e2e/browser/tokens.test.ts',
  'e2e/mails.test.ts',
  'e2e/sdk.test.ts',
  'providers/src/vendors/openai.test.ts',
  'scripts/named-paths.test.ts',
]
const importers = new Map(
  Object.entries({
    [ledger]: ['gateway/src/billing/ledger/lease.test.ts', 'gateway/src/world.ts', 'e2e/browser/tokens.test.ts'],
    'gateway/src/world.ts': ['gateway/src/relay/call.test.ts'],
    'e2e/gateway.ts': ['e2e/sdk.test.ts', 'e2e/mails.test.ts'],
  }).map(([path, list]) => [path, new Set(list)]),
)

const filesFor = (...changed: string[]) =>
  chooseTests({ changed, testFiles, importers }).chosen.flatMap(({ files }) => files)

test('a change of the gateway runs the tests that import it, and a few journeys for all', () => {
  expect(filesFor(ledger)).toEqual([
    'scripts/named-paths.test.ts',
    'e2e/sdk.test.ts',
    'gateway/src/billing/ledger/lease.test.ts',
    'gateway/src/relay/call.test.ts',
  ])
})

test('journeys that import what changed are named as left out', () => {
  expect(chooseTests({ changed: [ledger], testFiles, importers }).leftOut).toEqual([
    { why: 'journeys that import what changed', files: ['e2e/browser/tokens.test.ts'] },
  ])
})

test('a change of what journeys are made of runs the journeys that import it', () => {
  expect(filesFor('e2e/gateway.ts')).toEqual(['scripts/named-paths.test.ts', 'e2e/mails.test.ts', 'e2e/sdk.test.ts'])
})

test.each([
  ['console/src/features/tokens/token-drawer.tsx', 'e2e/browser/tokens.test.ts'],
  ['gateway/src/messaging/mail/compose.ts', 'e2e/mails.test.ts'],
  ['console/src/locales/en/tokens.json', 'console/src/features/tokens/token-drawer.test.tsx'],
  ['providers/src/vendors/fixtures/openai.json', 'providers/src/vendors/openai.test.ts'],
  ['gateway/src/platform/store/migrations/0062-next.ts', 'gateway/src/platform/store/rows.test.ts'],
  ['gateway/src/platform/store/schema/accounts.ts', 'gateway/src/platform/store/rows.test.ts'],
  ['gateway/src/relay/call.test.ts', 'gateway/src/relay/call.test.ts'],
  ['console/test/dom.ts', 'console/src/features/users/users-page.test.tsx'],
])('a change of %s runs %s', (changed, file) => {
  expect(filesFor(changed)).toContain(file)
})

test.each(['package.json', 'console/package.json', 'bun.lock', 'bunfig.toml', 'tsconfig.json', 'e2e/browser/end.ts'])(
  'a change of %s runs everything',
  (changed) => {
    expect(filesFor('docs/calling.md', changed)).toEqual(testFiles)
  },
)

test('the nearest of very many importers run, more of them for a room than for a file, and the others are named', () => {
  const many = Array.from({ length: 2000 }, (_, at) => `dialects/src/a/${String(at).padStart(4, '0')}.test.ts`)
  const tree = { testFiles: many, importers: new Map([['dialects/src/a.ts', new Set(many)]]) }
  const one = chooseTests({ ...tree, changed: ['dialects/src/a.ts'] })
  const room = chooseTests({ ...tree, changed: ['dialects/src/a.ts', 'dialects/src/b.ts'] })
  const [ofOne = [], ofRoom = []] = [one, room].map(({ chosen }) => chosen.flatMap(({ files }) => files))
  expect(ofOne.length).toBeGreaterThan(100)
  expect(ofRoom.length).toBeGreaterThan(2 * ofOne.length)
  expect(one.leftOut).toEqual([
    { why: 'import what changed, directly or not, from further away', files: many.slice(ofOne.length) },
  ])
})

test('each reason is a line, as is what was left out', () => {
  const choices = {
    chosen: [
      { why: 'changed', files: ['a.test.ts'] },
      { why: 'import what changed', files: ['b.test.ts', 'c.test.ts'] },
    ],
    leftOut: [{ why: 'far away', files: ['d.test.ts', 'e.test.ts'] }],
  }
  expect(choiceLines(choices)).toEqual([
    'Test files to run:',
    '    1  changed: a.test.ts',
    '    2  import what changed: b.test.ts, …',
    'Left out, until the whole run:',
    '    2  far away: d.test.ts, …',
  ])
  expect(choiceLines({ chosen: [], leftOut: [] })).toEqual(['No test reaches what changed.'])
})

test('every edge leads to a test of this repository', () => {
  const globs = ['{contract,providers,gateway,console,e2e,docs,deploy,scripts}/**/*', '*']
  const paths = globs.flatMap((glob) => [...new Bun.Glob(glob).scanSync('.')])
  const all = allTestFiles('.')
  for (const edge of edges)
    expect({ why: edge.why, found: testsAlong(edge, paths, all).length }).not.toEqual({ why: edge.why, found: 0 })
})
