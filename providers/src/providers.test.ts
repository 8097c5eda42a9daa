import { describe, expect, test } from 'bun:test'

import { descriptionOf, providerOf, providers } from './index'
import type { Text } from './provider'

/** The columns of a channel that the editor shows for all vendors. */
const commonFields = ['name', 'type', 'key', 'models', 'group', 'priority', 'weight', 'tag', 'auto_ban', 'test_model']

const bothLanguages = ({ en, zh }: Text) => en.trim() !== '' && zh.trim() !== ''

const isUnique = (values: readonly unknown[]) => new Set(values).size === values.length

describe('the list of vendors', () => {
  test('the list of providers holds each type and id once', () => {
    expect(isUnique(providers.map(({ type }) => type))).toBe(true)
    expect(isUnique(providers.map(({ id }) => id))).toBe(true)
    expect(providers.map(({ type }) => type)).toEqual(
      expect.arrayContaining([
        1, 2, 3, 4, 5, 8, 11, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 31, 33, 34, 35, 36, 37, 38, 39, 40, 41,
        42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52,
      ]),
    )
  })

  test('a provider is found by its channel type', () => {
    for (const provider of providers) expect(providerOf(provider.type)).toBe(provider)
    expect(providerOf(0)).toBeUndefined()
  })
})

test('streams of OpenAI’s chats ask for their usage, but at vendors that report it unasked or not at all', () => {
  const reporting = providers.filter(({ models, ...provider }) => {
    const called = { model: models[0] ?? '', key: '', other: '' }
    const description = descriptionOf({ models, ...provider }, { mode: 'chat', dialect: 'openai-chat' }, called)
    return description?.dialect === 'openai-chat' && !description.acceptsStreamOptions
  })
  expect(reporting.map(({ id }) => id).toSorted()).toEqual([
    'fastgpt',
    'iflytek',
    'lingyiwanwu',
    'minimax',
    'mistral',
    'moka',
    'siliconflow',
    'zhipu',
  ])
})

test('each vendor whose keys have parts refuses one without its last part', () => {
  const withParts = providers.filter(({ key }) => /\w\|\w/.test(key.hint.en))
  expect(withParts.length).toBeGreaterThan(6)
  expect(withParts.filter(({ key }) => key.isKey?.('one|') !== false).map(({ id }) => id)).toEqual([])
})

for (const provider of providers) {
  describe(provider.id, () => {
    test('describes itself in both languages', () => {
      expect(provider.id).toMatch(/^[a-z][a-z0-9-]*$/)
      expect(bothLanguages(provider.name)).toBe(true)
      expect(bothLanguages(provider.key.hint)).toBe(true)
      for (const { label, hint, options = [] } of provider.fields) {
        expect(bothLanguages(label)).toBe(true)
        if (hint !== undefined) expect(bothLanguages(hint)).toBe(true)
        for (const option of options) expect(bothLanguages(option.label)).toBe(true)
      }
    })

    test('sets a base URL or asks for one', () => {
      if (provider.baseUrl === null) {
        expect(provider.fields.find(({ name }) => name === 'base_url')?.required).toBe(true)
      } else {
        expect(provider.baseUrl).toMatch(/^(?:https:\/\/|http:\/\/localhost:)/)
        expect(URL.canParse(provider.baseUrl)).toBe(true)
        expect(provider.baseUrl).not.toEndWith('/')
      }
    })

    test('lists each of its fields once', () => {
      const names = provider.fields.map(({ name }) => name)
      expect(isUnique(names)).toBe(true)
      for (const name of names) {
        expect(name).toMatch(/^(?:base_url|other|openai_organization|setting\.[a-z_]+)$/)
        expect(commonFields).not.toContain(name)
      }
    })

    test('a provider suggests models, each once', () => {
      expect(provider.models.length).toBeGreaterThan(0)
      expect(isUnique(provider.models)).toBe(true)
      for (const model of provider.models) expect(model).toMatch(/^[^\s,]+$/)
    })

    test('a provider serves a mode or runs tasks', () =>
      expect([...Object.keys(provider.modes), ...Object.keys(provider.tasks ?? {})]).not.toBeEmpty())
  })
}
