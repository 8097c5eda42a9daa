import { expect, test } from 'bun:test'

import { chosenModels, differenceOf, familiesOf } from './model-families'

test('models are grouped by the beginning of their names', () => {
  expect(familiesOf(['Kite-10', 'acme/x', 'kite-2', 'lone-1', 'acme/y', '42', '43', 'kite3'])).toEqual([
    { name: 'acme', models: ['acme/x', 'acme/y'] },
    { name: 'kite', models: ['kite-2', 'Kite-10', 'kite3'] },
    { name: '', models: ['42', '43', 'lone-1'] },
  ])
  expect(familiesOf([])).toEqual([])
})

test('every model is in exactly one family', () => {
  const models = ['a', 'a-1', 'b', '1', '1b', '1b-2', '-', '模型-1', '模型-2']
  expect(
    familiesOf(models)
      .flatMap((family) => family.models)
      .toSorted(),
  ).toEqual(models.toSorted())
})

test('the difference lists added and missing models', () => {
  expect(differenceOf(['a', 'b'], ['b', 'c', 'c'])).toEqual({ added: ['c'], remaining: ['b'], missing: ['a'] })
})

test('a selection keeps the channel’s order and appends new models', () => {
  expect(chosenModels(['z', 'a'], ['b', 'a'], new Set(['b', 'a', 'z']))).toEqual(['z', 'a', 'b'])
  expect(chosenModels(['z', 'a'], ['b'], new Set(['b']))).toEqual(['b'])
})
