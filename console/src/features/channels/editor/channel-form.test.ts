import { describe, expect, test } from 'bun:test'
import type { channelRoutes } from '@tollgate/contract'

import { channelFaults } from './use-channel-form'
import {
  blankForm,
  changesOf,
  type ChannelForm,
  hasExtraVersion,
  keysIn,
  listOf,
  objectOf,
  toSentChannel,
  withoutVersion,
  withSetting,
} from './channel-form'

const aChannelForm = (): ChannelForm => ({ ...blankForm(), type: 1, name: 'one', key: 'k', models: ['m'] })

const vendor = {
  base_url: null,
  fields: [
    { name: 'other', kind: 'text', label: { en: 'Region', zh: '' }, required: true },
    { name: 'openai_organization', kind: 'text', label: { en: 'Org', zh: '' }, required: true, default: 'x' },
  ],
} as Partial<channelRoutes.ChannelType> as channelRoutes.ChannelType

describe('validation of a channel', () => {
  test('a blank form reports its required fields', () => {
    expect(channelFaults(blankForm(), undefined, undefined)).toEqual({
      type: 'type',
      name: 'nameAndKey',
      key: 'nameAndKey',
      models: 'models',
    })
    expect(channelFaults(aChannelForm(), undefined, undefined)).toEqual({})
    expect(channelFaults({ ...aChannelForm(), key: '' }, undefined, aChannelForm())).toEqual({})
  })

  test('a name or a key that is missing alone is named alone', () => {
    expect(channelFaults({ ...aChannelForm(), name: ' ' }, undefined, undefined)).toEqual({ name: 'name' })
    expect(channelFaults({ ...aChannelForm(), key: ' ' }, undefined, undefined)).toEqual({ key: 'keyNeeded' })
    const setting = '{"own_login":true}'
    expect(channelFaults({ ...aChannelForm(), key: '', setting }, undefined, undefined)).toEqual({})
    expect(channelFaults({ ...aChannelForm(), name: '', key: '' }, undefined, aChannelForm())).toEqual({ name: 'name' })
  })

  test('a stored channel may be sent with another address and without its key', () => {
    const storedForm = { ...aChannelForm(), key: '', base_url: 'https://one.example' }
    const faultsOf = (change: Partial<ChannelForm>) =>
      channelFaults({ ...storedForm, ...change }, undefined, storedForm)
    for (const change of [
      { base_url: 'https://two.example' },
      { type: 8 },
      { setting: '{"proxy":"http://p.example"}' },
    ]) {
      expect(faultsOf(change)).toEqual({})
      expect(faultsOf({ ...change, key: 'k' })).toEqual({})
    }
    expect(faultsOf({ base_url: 'https://one.example/v1/', setting: '{"x":1}' })).toEqual({})
  })

  test('invalid JSON texts each have a message of their own', () => {
    for (const name of ['model_mapping', 'status_code_mapping', 'setting', 'param_override'] as const) {
      for (const text of ['{', '[]', '1', 'null']) {
        expect(channelFaults({ ...aChannelForm(), [name]: text }, undefined, undefined)).toEqual({ [name]: name })
      }
      expect(channelFaults({ ...aChannelForm(), [name]: '{}' }, undefined, undefined)).toEqual({})
    }
    expect(channelFaults({ ...aChannelForm(), other: '{"default":' }, undefined, undefined)).toEqual({
      other: 'region',
    })
  })

  test('fields required by the vendor are reported unless they have a default', () => {
    expect(channelFaults(aChannelForm(), vendor, undefined)).toEqual({ other: 'field', base_url: 'field' })
  })

  test('priority and weight have bounds', () => {
    expect(channelFaults({ ...aChannelForm(), priority: -1000, weight: -1 }, undefined, undefined)).toEqual({
      priority: 'priority',
      weight: 'weight',
    })
    expect(channelFaults({ ...aChannelForm(), priority: -999, weight: '' }, undefined, undefined)).toEqual({})
  })
})

describe('values to send', () => {
  test('lists become comma-separated, an address loses its trailing slash, an empty tag becomes null', () => {
    const sent = toSentChannel({
      ...aChannelForm(),
      base_url: 'https://a.example// ',
      models: ['a', 'b'],
      auto_ban: false,
    })
    expect(sent).toMatchObject({
      base_url: 'https://a.example',
      models: 'a,b',
      group: 'default',
      tag: null,
      auto_ban: 0,
    })
  })

  test('an edit contains only what was changed', () => {
    expect(changesOf(aChannelForm(), { ...aChannelForm(), base_url: '/' })).toEqual({})
    expect(changesOf(aChannelForm(), { ...aChannelForm(), weight: 3, models: ['m', 'n'] })).toEqual({
      weight: 3,
      models: 'm,n',
    })
  })
})

test.each([
  ['https://a/v1', 'kite', true],
  ['https://a/v1/', 'kite', true],
  ['https://a/V1', 'kite', true],
  ['https://a/openai/v1', 'kite', true],
  ['https://a/v1', 'azure', true],
  ['https://a/openai/v1', 'azure', false],
  ['https://a', 'kite', false],
  ['https://a/v10', 'kite', false],
  ['https://a/v1/x', 'kite', false],
  ['', 'kite', false],
])('the version at the end of %p is a mistake for %s: %p', (base_url, vendorId, isMistake) => {
  expect(hasExtraVersion({ type: 501, base_url }, vendorId, undefined)).toBe(isMistake)
})

test('an address that served is right for its vendor alone', () => {
  const proven = { type: 501, base_url: 'https://a/v1' } as const
  const isMistake = (type: number, base_url: string) => hasExtraVersion({ type, base_url }, 'kite', proven)
  expect([isMistake(501, 'https://a/v1/'), isMistake(501, 'https://b/v1'), isMistake(502, 'https://a/v1')]).toEqual([
    false,
    true,
    true,
  ])
})

test('a version at the end of an address can be cut off', () => {
  expect(withoutVersion('https://a/v1/')).toBe('https://a')
})

test('keys are separated by commas and line breaks where a vendor takes several, each once', () => {
  expect(['', 'a', 'a, b\nc\r\na,'].map((text) => keysIn(text, true))).toEqual([[], ['a'], ['a', 'b', 'c']])
  expect([' ', '{"a": 1,\n"b": 2}\n'].map((text) => keysIn(text, false))).toEqual([[], ['{"a": 1,\n"b": 2}']])
  expect(listOf(' a,,b ,a')).toEqual(['a', 'b'])
})

test('a vendor’s field sets one key of the settings and keeps others', () => {
  expect(withSetting('', 'x', true)).toBe('{\n  "x": true\n}')
  expect(objectOf(withSetting('{"proxy":"p"}', 'x', 'y'))).toEqual({ proxy: 'p', x: 'y' })
  expect(withSetting('{"x":1}', 'x', false)).toBe('')
  expect(withSetting('{"broken"', 'x', true)).toBe('{"broken"')
})
