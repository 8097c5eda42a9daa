import { expect, test } from 'bun:test'

import { rangeOfPrices } from './home-figures'

test('the range of prices leaves free models out', () => {
  const models = [0, 2.5, 0.15].map((input) => ({ name: 'm', maker: '', input, output: 1 }))
  expect(rangeOfPrices(models)).toEqual({ min: 0.15, max: 2.5 })
  expect(rangeOfPrices([])).toBeUndefined()
})
