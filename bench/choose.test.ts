import { expect, test } from 'bun:test'

import { choose } from './choose'

const parts = [
  { name: 'calls', scenarios: ['calls-1', 'calls-32'] },
  { name: 'streams', scenarios: ['streams-32'] },
  { name: 'start' },
  { name: 'minutes', isLong: true },
]

const chooseNames = (names: readonly string[] | null, withLong = false) => {
  const choice = choose(parts, names, withLong)
  return {
    parts: choice.parts.map(({ name }) => name),
    scenarios: ['calls-1', 'calls-32', 'streams-32'].filter((one) => choice.isSelected(one)),
  }
}

const all = ['calls-1', 'calls-32', 'streams-32']

test.each([
  ['nothing asked', null, false, ['calls', 'streams', 'start'], all],
  ['the long ones too', null, true, ['calls', 'streams', 'start', 'minutes'], all],
  ['a part', ['calls'], false, ['calls'], ['calls-1', 'calls-32']],
  ['a scenario', ['calls-32'], false, ['calls'], ['calls-32']],
  ['a part and a scenario of another', ['streams', 'calls-1'], false, ['calls', 'streams'], ['calls-1', 'streams-32']],
  ['a long one by name', ['minutes'], false, ['minutes'], []],
] as const)('%s', (_, names, withLong, partNames, scenarios) => {
  expect(chooseNames(names, withLong)).toEqual({ parts: [...partNames], scenarios: [...scenarios] })
})

test('a name that nothing has is refused', () => {
  expect(() => chooseNames(['calls', 'nonsense'])).toThrow('nonsense')
})
