import { expect, test } from 'bun:test'

import { ChannelSetting, channelSettingOf, type fieldKinds } from './channel-setting'

const common = Object.keys(ChannelSetting.shape)

test('the setting of a vendor without fields of its own has the keys that all channels may have', () => {
  const keys = Object.keys(channelSettingOf([{ name: 'base_url', kind: 'text' }]).shape)
  expect(keys).toEqual(common)
})

const cases: readonly (readonly [kind: (typeof fieldKinds)[number], good: unknown, bad: unknown])[] = [
  ['switch', true, 'true'],
  ['number', 1.5, '1.5'],
  ['text', 'eu', 1],
  ['json', '{"a":1}', { a: 1 }],
  ['select', 'fast', 'slow'],
]

test.each(cases)('a field of kind %s accepts %p and refuses %p', (kind, good, bad) => {
  const schema = channelSettingOf([{ name: 'setting.own', kind, options: [{ value: 'fast' }] }])
  expect(schema.parse({ max_waiting: 3, own: good })).toEqual({ max_waiting: 3, own: good } as object)
  expect(schema.parse({})).toEqual({})
  expect(schema.safeParse({ own: bad }).success).toBe(false)
})
