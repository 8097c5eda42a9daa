import { expect, test } from 'bun:test'

import { spentByFunction, spentByStage, type CpuProfile } from './cpu-profile'

const frame = (functionName: string, path = '') => ({
  functionName,
  url: path === '' ? '' : `file:///repo/${path}`,
  lineNumber: 9,
})

const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 5] },
    { id: 2, callFrame: frame('settle', 'gateway/src/relay/settle.ts'), children: [3, 4] },
    { id: 3, callFrame: frame('stringify') },
    { id: 4, callFrame: frame('run', 'gateway/src/store/database.ts') },
    { id: 5, callFrame: frame('(idle)') },
  ],
  samples: [2, 3, 3, 4, 5],
  timeDeltas: [10, 20, 30, 5, 1000],
}

test('self time goes to the function that ran', () => {
  expect(spentByFunction(profile, '/repo')).toEqual([
    ['(idle)', 1000],
    ['stringify', 50],
    ['settle gateway/src/relay/settle.ts:10', 10],
    ['run gateway/src/store/database.ts:10', 5],
  ])
})

test('what the runtime does counts for the stage that called it', () => {
  expect(spentByStage(profile, '/repo')).toEqual([
    ['(idle)', 1000],
    ['relay/settle.ts', 60],
    ['store', 5],
  ])
})
