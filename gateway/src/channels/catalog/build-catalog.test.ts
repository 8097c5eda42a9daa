import { describe, expect, test } from 'bun:test'

import { ChannelSetting, defaultOptions } from '@tollgate/contract'
import { providers } from '@tollgate/providers'
import * as fc from 'fast-check'

import { aCatalogRow } from '../../../test/rows'
import { emptyPriceBook } from '../../billing/pricing/price-book'
import { buildCatalog } from './build-catalog'
import { fingerprintOf } from './channel-keys'
import type { CatalogRow } from './read-channel'

function build(rows: CatalogRow[]) {
  const problems: string[] = []
  const built = buildCatalog({
    revision: 1,
    rows,
    options: defaultOptions,
    book: emptyPriceBook,
    open: (sealed) => {
      if (sealed === 'broken') throw new Error('it was sealed with another key')
      return sealed
    },
    report: (channelId, problem) => problems.push(`${channelId} ${problem}`),
  })
  return { ...built, problems }
}

const idsOf = (rows: CatalogRow[], model: string, group = 'default') =>
  build(rows)
    .catalog.routes.get(group)
    ?.get(model)
    ?.map((level) => level.candidates.map(({ channel }) => channel.id))

describe('routes', () => {
  test('routes have priority levels by descending priority', () => {
    const rows = [
      aCatalogRow({ id: 1 }),
      aCatalogRow({ id: 2, priority: 5 }),
      aCatalogRow({ id: 3 }),
      aCatalogRow({ id: 4, priority: -1 }),
    ]
    expect(idsOf(rows, 'gpt-4o')).toEqual([[2], [1, 3], [4]])
  })

  test('a prefixed channel serves the prefixed name only and keeps the bare one for the upstream', () => {
    const { catalog } = build([aCatalogRow({ model_prefix: 'eu/' }), aCatalogRow({ id: 2, models: 'eu/gpt-4o' })])
    const routes = catalog.routes.get('default')
    expect(routes?.get('gpt-4o')).toBeUndefined()
    const candidates = routes?.get('eu/gpt-4o')?.[0]?.candidates
    expect(candidates?.map(({ channel, model }) => [channel.id, model])).toEqual([
      [1, 'gpt-4o'],
      [2, 'eu/gpt-4o'],
    ])
    expect([...(routes?.keys() ?? [])]).toEqual(['eu/gpt-4o'])
  })

  test('routes leave out channels that are disabled, have no key left, or no vendor', () => {
    const state = JSON.stringify({ [fingerprintOf('sk-1')]: { status: 3 } })
    const rows = [
      aCatalogRow({ id: 1, status: 2 }),
      aCatalogRow({ id: 2, status: 3 }),
      aCatalogRow({ id: 3, key_states: state }),
      aCatalogRow({ id: 4, key_sealed: 'broken' }),
      aCatalogRow({ id: 5, type: 9999 }),
      aCatalogRow({ id: 6 }),
    ]
    expect(idsOf(rows, 'gpt-4o')).toEqual([[6]])
    expect(build(rows).problems).toEqual(['4 key: it was sealed with another key', '5 no vendor has the type 9999'])
  })

  test('routes never match part of a name, an empty one or a comma', () => {
    const rows = [aCatalogRow({ models: ' gpt-4o ,, o3,gpt-4o-mini' })]
    for (const model of ['', 'gpt', '4o', 'gpt-4o,o3', ',', ' gpt-4o ']) expect(idsOf(rows, model)).toBeUndefined()
    for (const model of ['gpt-4o', 'o3', 'gpt-4o-mini']) expect(idsOf(rows, model)).toEqual([[1]])
  })

  test('routes have exactly the enabled channels that list the model in the group', () => {
    const names = fc.constantFrom('a', 'b', 'ab', 'p/a', 'p/ab', 'constructor')
    const groups = fc.constantFrom('default', 'vip', '__proto__')
    const rows = fc.array(
      fc.record({
        models: fc.array(names, { maxLength: 4 }),
        group: fc.array(groups, { maxLength: 3 }),
        model_prefix: fc.constantFrom('', '', 'p/'),
        priority: fc.integer({ min: -2, max: 2 }),
        status: fc.constantFrom(1, 1, 2, 3),
      }),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(rows, fc.boolean(), (channels, walksFirst) => {
        const { catalog } = build(
          channels.map((channel, index) =>
            aCatalogRow({
              ...channel,
              id: index + 1,
              models: channel.models.join(','),
              group: channel.group.join(','),
            }),
          ),
        )
        if (walksFirst)
          for (const routes of catalog.routes.values()) expect([...routes.keys()].length).toBe(routes.size)
        for (const group of ['default', 'vip', '__proto__', 'none']) {
          for (const model of ['a', 'b', 'ab', 'p/a', 'p/ab', 'p/p/a', 'p/b', 'constructor', 'p/constructor', 'z']) {
            const expected = channels
              .map((channel, index) => ({ ...channel, id: index + 1 }))
              .filter((channel) => channel.status === 1 && channel.group.some((name) => name === group))
              .filter((channel) => channel.models.some((name) => channel.model_prefix + name === model))
            const levels = catalog.routes.get(group)?.get(model) ?? []
            const found = levels.flatMap((level) => level.candidates.map(({ channel }) => channel.id))
            expect(new Set(found)).toEqual(new Set(expected.map(({ id }) => id)))
            expect(found).toHaveLength(expected.length)
            expect(levels.map((level) => level.priority)).toEqual(
              [...new Set(expected.map(({ priority }) => priority))].sort((a, b) => b - a),
            )
          }
        }
      }),
      { numRuns: 150 },
    )
  })
})

describe('a channel', () => {
  const channelOf = (overrides: Partial<CatalogRow>) => build([aCatalogRow(overrides)]).catalog.channels.get(1)

  test('a channel has its own address without a trailing slash, otherwise the vendor’s', () => {
    expect(channelOf({ base_url: 'https://a.example/x//' })?.baseUrl).toBe('https://a.example/x')
    expect(channelOf({})?.baseUrl).toBe('https://api.openai.com')
  })

  test('a channel has each of its keys once, with its state', () => {
    const states = JSON.stringify({ [fingerprintOf('b')]: { status: 3, reason: 'out', time: 1 } })
    const keys = channelOf({ key_sealed: 'a, b,,a\nc', key_states: states })?.keys
    expect(keys?.map(({ value, isEnabled }) => [value, isEnabled])).toEqual([
      ['a', true],
      ['b', false],
      ['c', true],
    ])
  })

  test('a channel follows mapping chains to their end', () => {
    const mapping = channelOf({ model_mapping: '{"a":"b","b":"c","d":"d","e":"","f":"e"}' })?.modelMapping
    expect(Object.fromEntries(mapping ?? [])).toEqual({ a: 'c', b: 'c', f: 'e' })
  })

  test('a channel keeps the readable parts of a malformed row', () => {
    const malformed = {
      key_states: '[]',
      model_mapping: '{"a":"b","b":"a"}',
      status_code_mapping: '{"400":"x"}',
      param_override: '[1]',
      setting: '{"proxy":7,"force_format":true,"on_disconnect":"drain","max_concurrency":3,"max_waiting":-1,"x":1}',
    }
    const { catalog, problems } = build([aCatalogRow(malformed)])
    const channel = catalog.channels.get(1)
    expect(channel?.modelMapping.size).toBe(0)
    expect(channel?.paramOverride).toBeNull()
    expect(channel?.setting).toEqual({ force_format: true, on_disconnect: 'drain', max_concurrency: 3 })
    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      '1 model_mapping',
      '1 status_code_mapping',
      '1 param_override',
    ])
    expect(catalog.routes.get('default')?.has('gpt-4o')).toBe(true)
  })

  test('a channel reads the keys that its vendor describes', () => {
    const setting = '{"deployment_without_dots":true,"max_waiting":1}'
    const settingOf = (type: number) => channelOf({ type, setting })?.setting
    expect(settingOf(3)).toEqual({ deployment_without_dots: true, max_waiting: 1 } as object)
    expect(settingOf(1)).toEqual({ max_waiting: 1 })
  })

  test('no vendor describes a key that all channels may have', () => {
    const common = Object.keys(ChannelSetting.shape).map((key) => `setting.${key}`)
    const described = providers.flatMap(({ fields }) => fields.map(({ name }) => name))
    expect(described.filter((name) => common.includes(name))).toEqual([])
  })

  test('a channel whose row did not change is reused by the next snapshot', () => {
    const rows = [aCatalogRow({ id: 1 }), aCatalogRow({ id: 2 })]
    const source = { options: defaultOptions, book: emptyPriceBook, open: (text: string) => text, report: () => {} }
    const first = buildCatalog({ ...source, revision: 1, rows })
    const second = buildCatalog(
      { ...source, revision: 2, rows: [aCatalogRow({ id: 1 }), aCatalogRow({ id: 2, weight: 3 })] },
      first,
    )
    expect(second.catalog.channels.get(1)).toBe(first.catalog.channels.get(1))
    expect(second.catalog.channels.get(2)?.weight).toBe(3)
  })
})
