import { describe, expect, test } from 'bun:test'

import type { AliasRule, AliasTarget } from '@tollgate/contract'
import fc from 'fast-check'

import { aCatalog, aChannel, evenRandom } from '../../../test/routes'
import { siteModelsOf } from '../catalog/site-models'
import { aliasedModels, aliasesIn, drawTarget, targetsOf, type AliasQuestion } from './aliases'
import { sessionOf } from './session'

const target = (model: string, weight = 1): AliasTarget => ({ model, weight })
const question = (fields: Partial<AliasQuestion> = {}): AliasQuestion => ({
  group: 'default',
  promptTokens: 100,
  has: () => false,
  hour: () => 12,
  isServed: () => true,
  ...fields,
})
const choose = (rules: readonly AliasRule[], fields?: Partial<AliasQuestion>) =>
  targetsOf(rules, question(fields)).map(({ model }) => model)

describe('the rule of a call', () => {
  const otherwise: AliasRule = { targets: [target('rest')] }
  const rule = (conditions: Omit<AliasRule, 'targets'>): readonly AliasRule[] => [
    { ...conditions, targets: [target('special')] },
    otherwise,
  ]

  test.each<[string, Omit<AliasRule, 'targets'>, Partial<AliasQuestion>, 'special' | 'rest']>([
    ['without conditions fits', {}, {}, 'special'],
    ['of its group fits', { groups: ['vip', 'default'] }, {}, 'special'],
    ['of another group does not', { groups: ['vip'] }, {}, 'rest'],
    ['with its least length fits', { min_tokens: 100 }, {}, 'special'],
    ['with a greater least length does not', { min_tokens: 101 }, {}, 'rest'],
    ['with its greatest length fits', { max_tokens: 100 }, {}, 'special'],
    ['with a smaller greatest length does not', { max_tokens: 99 }, {}, 'rest'],
    [
      'that needs images fits a call with images',
      { needs: ['images'] },
      { has: (need) => need === 'images' },
      'special',
    ],
    ['that needs images does not fit one without', { needs: ['images'] }, {}, 'rest'],
    [
      'that needs images and tools does not fit a call with images alone',
      { needs: ['images', 'tools'] },
      { has: (need) => need === 'images' },
      'rest',
    ],
    ['fits from its first hour', { hours: [12, 13] }, {}, 'special'],
    ['does not fit in its last hour', { hours: [11, 12] }, {}, 'rest'],
    ['past midnight fits late', { hours: [22, 6] }, { hour: () => 23 }, 'special'],
    ['past midnight fits early', { hours: [22, 6] }, { hour: () => 5 }, 'special'],
    ['past midnight does not fit at noon', { hours: [22, 6] }, {}, 'rest'],
    ['up to midnight fits late', { hours: [22, 24] }, { hour: () => 23 }, 'special'],
    ['whose model is not served is passed over', {}, { isServed: (model) => model === 'rest' }, 'rest'],
  ])('%s', (_, conditions, fields, model) => expect(choose(rule(conditions), fields)).toEqual([model]))

  test('the hour is asked where a rule names one', () => {
    const hour = () => {
      throw new Error('Nobody needs it')
    }
    expect(choose([otherwise], { hour })).toEqual(['rest'])
  })

  test('no rule that fits leaves none', () => expect(choose([{ groups: ['vip'], targets: [target('a')] }])).toEqual([]))

  test('the first of any rules that fits decides, whatever follows', () => {
    const anyRule = fc.record(
      {
        groups: fc.uniqueArray(fc.constantFrom('default', 'vip'), { minLength: 1 }),
        min_tokens: fc.integer({ min: 0, max: 200 }),
        max_tokens: fc.integer({ min: 1, max: 200 }),
        needs: fc.uniqueArray(fc.constantFrom('images' as const, 'tools' as const), { minLength: 1 }),
      },
      { requiredKeys: [] },
    )
    const anyCall = fc.record({
      group: fc.constantFrom('default', 'vip'),
      promptTokens: fc.integer({ min: 0, max: 200 }),
    })
    fc.assert(
      fc.property(fc.array(anyRule, { maxLength: 6 }), anyCall, fc.boolean(), (conditions, call, hasAll) => {
        const rules = conditions.map((one, index) => ({ ...one, targets: [target(`m${index}`)] }))
        const has = () => hasAll
        const fitting = rules.findIndex((one) => targetsOf([one], question({ ...call, has })).length > 0)
        expect(choose(rules, { ...call, has })).toEqual(fitting < 0 ? [] : [`m${fitting}`])
      }),
    )
  })
})

describe('the model that is drawn', () => {
  const targets = [target('a', 1), target('b', 2), target('c', 5)]
  const sessions = Array.from({ length: 4000 }, (_, index) => sessionOf(1 + (index % 7), `conversation ${index}`))
  const sharesOf = (draw: (index: number) => string | null) => {
    const drawn = sessions.map((_, index) => draw(index))
    return targets.map(({ model }) => drawn.filter((one) => one === model).length / drawn.length)
  }

  test('calls are spread by weight', () => {
    const random = { number: Math.random }
    for (const [index, share] of sharesOf(() => drawTarget(targets, null, random)).entries())
      expect(share).toBeCloseTo([1 / 8, 2 / 8, 5 / 8][index] ?? 0, 1)
  })

  test('conversations are spread by weight, and each gets the same model every time', () => {
    const draw = (index: number) => drawTarget(targets, sessions[index] ?? 0, evenRandom())
    for (const [index, share] of sharesOf(draw).entries())
      expect(share).toBeCloseTo([1 / 8, 2 / 8, 5 / 8][index] ?? 0, 1)
    expect(sessions.map((_, index) => draw(index))).toEqual(sessions.map((_, index) => draw(index)))
  })

  test('a model that is taken away moves its own conversations alone', () => {
    const left = targets.filter(({ model }) => model !== 'b')
    for (const session of sessions) {
      const before = drawTarget(targets, session, evenRandom())
      if (before !== 'b') expect(drawTarget(left, session, evenRandom())).toBe(before)
    }
  })

  test('there is none among none', () => expect(drawTarget([], null, evenRandom())).toBeNull())
})

describe('an alias in a group', () => {
  const siteModels = siteModelsOf({
    SiteTimeZone: 'Asia/Shanghai',
    ModelChains: {},
    ModelAliases: {
      smart: [{ groups: ['vip'], targets: [target('m')] }, { targets: [target('gone'), target('m')] }],
      vip: [{ groups: ['vip'], targets: [target('m')] }],
      lost: [{ targets: [target('gone')] }],
    },
  })
  const catalog = { ...aCatalog([aChannel(1)]), siteModels }

  test('an alias is offered where it leads to a model that is served', () =>
    expect(aliasesIn(catalog, 'default')).toEqual(['smart']))

  test('an alias leads to each of its models once', () =>
    expect(aliasedModels(catalog, 'default', 'smart')).toEqual(['m']))

  test('the name of a model leads to no other model', () => expect(aliasedModels(catalog, 'default', 'm')).toEqual([]))

  test('the hour of rules is that of the zone of the site', () =>
    expect(siteModels?.hourAt(Date.parse('2026-11-30T20:30:00Z'))).toBe(4))

  test('a site without aliases and chains has nothing to look at', () =>
    expect(siteModelsOf({ SiteTimeZone: 'UTC', ModelAliases: {}, ModelChains: {} })).toBeNull())
})
