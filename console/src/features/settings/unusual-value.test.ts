import { expect, test } from 'bun:test'
import { optionKeys, optionOf, type OptionKey } from '@tollgate/contract'

import { defaultText } from './option-value'
import { unusualValue } from './unusual-value'

test.each([
  ['a balance for all', 'QuotaForNewUser', '0', '500000000000', { entry: '', value: 500_000_000_000 }],
  ['a hundred dollars', 'QuotaForNewUser', '0', '50000000', undefined],
  ['a little above what was large before', 'QuotaForNewUser', '500000000000', '600000000000', undefined],
  ['yuan for a dollar', 'Price', '7.3', '7300', { entry: '', value: 7300 }],
  ['a limit', 'ConsoleUserCalls', '600', '6000000', { entry: '', value: 6_000_000 }],
  ['a hundred times a limit', 'ConsoleUserCalls', '600', '60000', undefined],
  ['a limit of an option that has none at first', 'LogRetentionDays', '0', '36500', undefined],
  ['the ratio of a group', 'GroupRatio', '{"vip":1}', '{"vip":1,"svip":150}', { entry: 'svip', value: 150 }],
  ['a ratio that was high before', 'GroupRatio', '{"svip":90}', '{"svip":150}', undefined],
  ['the ratio of two groups', 'GroupGroupRatio', '{}', '{"vip":{"a":500}}', { entry: 'vip → a', value: 500 }],
  ['the limits of a group', 'ModelRequestRateLimitGroup', '{}', '{"vip":[0,200000]}', { entry: 'vip', value: 200_000 }],
  ['an amount to buy', 'AmountOptions', '[10,500]', '[10,500,100000]', { entry: '', value: 100_000 }],
  ['a port', 'SMTPPort', '25', '65535', undefined],
] as const satisfies readonly (readonly [string, OptionKey, string, string, unknown])[])(
  'whether %s asks once more depends on what was usual (%s)',
  (_, key, before, after, found) => {
    expect(unusualValue(key, before, after)).toEqual(found)
  },
)

test('no default is unusual, and every option that is a number has a usual one unless 0 is its default', () => {
  const unguarded: string[] = []
  for (const key of optionKeys) {
    expect([key, unusualValue(key, undefined, defaultText(key))]).toEqual([key, undefined])
    const { kind, default: initial } = optionOf(key)
    const isNumber = kind === 'integer' || kind === 'number'
    if (isNumber && initial !== 0 && !unusualValue(key, defaultText(key), '1000000000000')) unguarded.push(key)
  }
  expect(unguarded).toEqual(['SMTPPort', 'QuotaPerUnit'])
})
