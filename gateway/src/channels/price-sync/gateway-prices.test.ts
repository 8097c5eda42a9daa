import { expect, test } from 'bun:test'

import { gatewayPrices } from './gateway-prices'

const row = { quota_type: 0, model_price: 0, enable_groups: ['default'], supported_endpoint_types: ['openai'] }
const pricing = {
  success: true,
  data: [
    { ...row, model_name: 'gpt-5', model_ratio: 0.625, completion_ratio: 8, cache_ratio: 0.1 },
    { ...row, model_name: 'mj', quota_type: 1, model_price: 0.1, model_ratio: 0, completion_ratio: 0 },
    { ...row, model_name: 'unset', model_ratio: 37.5, completion_ratio: 1 },
    { ...row, model_name: 'formula', model_ratio: 1, billing_mode: 'tiered_expr', billing_expr: 'p * 2' },
    { model_name: 'broken', quota_type: 'x' },
    null,
  ],
  group_ratio: { default: 1, vip: 0.5 },
  usable_group: { default: '默认分组' },
}

test('rows become prices of the group that the gateway assigned to us, and unreadable rows are left out', () => {
  expect(gatewayPrices(pricing, 'vip')).toEqual([
    { model: 'gpt-5', entry: { prices: { input: 0.625, output: 5, cache_read: 0.0625 } }, refusal: null },
    { model: 'mj', entry: { prices: { per_call: 0.05 } }, refusal: null },
    { model: 'unset', entry: null, refusal: 'filler' },
    { model: 'formula', entry: null, refusal: 'expression' },
  ])
  expect(gatewayPrices(pricing, 'unknown')?.[0]?.entry?.prices.input).toBe(1.25)
})

test('the tables of ratio_config are read too', () => {
  const data = { model_ratio: { a: 1.5 }, completion_ratio: { a: 4 }, cache_ratio: {}, model_price: { b: 0.02 } }
  expect(gatewayPrices({ success: true, data }, 'default')).toEqual([
    { model: 'b', entry: { prices: { per_call: 0.02 } }, refusal: null },
    { model: 'a', entry: { prices: { input: 3, output: 12 } }, refusal: null },
  ])
})

test('a property name of every object is a model name like any other', () => {
  expect(gatewayPrices(pricing, 'constructor')?.[0]?.entry?.prices.input).toBe(1.25)
  const data = { model_ratio: { toString: 1.5 }, completion_ratio: {}, cache_ratio: {}, model_price: {} }
  expect(gatewayPrices({ success: true, data }, 'default')).toEqual([
    { model: 'toString', entry: { prices: { input: 3, output: 3 } }, refusal: null },
  ])
})

test.each([null, 'text', {}, { data: {} }, { success: false, message: 'no' }])('%j is neither', (response) => {
  expect(gatewayPrices(response, 'default')).toBeNull()
})
