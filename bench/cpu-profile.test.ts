import { expect, test } from 'bun:test'

import { between, spentByFunction, spentByStage, type CpuProfile } from './cpu-profile'

const frame = (functionName: string, path = '') => ({
  functionName,
  url: path === '' ? '' : `file:///repo/${path}`,
  lineNumber: 9,
})

const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 5] },
    { id: 2, callFrame: frame('settle', 'gateway/src/relay/stages/settle.ts'), children: [3, 4] },
    { id: 3, callFrame: frame('stringify') },
    { id: 4, callFrame: frame('run', 'gateway/src/platform/store/database.ts') },
    { id: 5, callFrame: frame('(idle)') },
  ],
  startTime: 5_000_000,
  samples: [2, 3, 3, 4, 5],
  timeDeltas: [10, 20, 30, 5, 1000],
}

test('self time goes to the function that ran', () => {
  expect(spentByFunction(profile, '/repo')).toEqual([
    ['(idle)', 1000],
    ['stringify', 50],
    ['settle gateway/src/relay/stages/settle.ts:10', 10],
    ['run gateway/src/platform/store/database.ts:10', 5],
  ])
})

test('what the runtime does counts for the stage that called it', () => {
  expect(spentByStage(profile, '/repo')).toEqual([
    ['(idle)', 1000],
    ['relay/stages/settle.ts', 60],
    ['platform/store', 5],
  ])
})

test('what was spent before and after is left out', () => {
  const { samples, timeDeltas } = between({ ...profile, timeDeltas: [1000, 1000, 1000, 1000, 1000] }, 5002, 5004)
  expect(samples).toEqual([3, 3, 4])
  expect(timeDeltas).toEqual([1000, 1000, 1000])
})

test('a library is a stage of its own', () => {
  const nodes = [
    { id: 1, callFrame: frame('compile', 'node_modules/.bun/kysely@0.29.9/node_modules/kysely/dist/compile.js') },
    { id: 2, callFrame: frame('tap', 'dialects/src/core/shared/observe.ts') },
  ]
  expect(spentByStage({ nodes, startTime: 0, samples: [1, 2], timeDeltas: [5, 4] }, '/repo')).toEqual([
    ['kysely', 5],
    ['dialects', 4],
  ])
})
