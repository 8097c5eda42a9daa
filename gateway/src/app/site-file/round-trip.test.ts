import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { isSecretOption, optionKeys, optionOf, optionText, defaultOptions } from '@tollgate/contract'

import { kinds } from '../../../test/kinds'
import { createWorld, type World } from '../../../test/world'
import { isRatioOption } from '../../billing/pricing/ratio-view'
import { systemClock } from '../../platform/time/clock'
import { checkedChange } from '../../console-api/options/option-change'
import { applySite } from './apply-site'
import { readSiteFile } from './read-file'
import { readSite } from './site-state'
import { escapePlaceholders } from './placeholders'
import { openSite } from './transaction-site'
import { writeSiteFile } from './write-file'

/** Deterministic. */
function randomOf(seed: number) {
  let state = seed
  const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32
  return {
    whole: (max: number) => Math.floor(next() * max),
    pick: <Item>(items: readonly [Item, ...Item[]]): Item => items[Math.floor(next() * items.length)] ?? items[0],
    isTrue: () => next() < 0.5,
  }
}
type Source = ReturnType<typeof randomOf>

const texts = [
  'plain',
  '${HOME}',
  '$${twice}',
  'a: b # c',
  '  spaces ',
  'a\nb\n',
  '- 1',
  'yes',
  '"quoted"',
  '渠道',
  '1e3',
  '~',
  "it's",
] as const
const objects = [{}, { a: '${x}' }, { 'b: c': 'yes' }] as const

function aChannel({ whole, pick, isTrue }: Source) {
  return {
    type: pick(['openai', 'anthropic', 'gemini', 'deepseek']),
    key: pick(['sk-one', 'sk-one\nsk-two', 'sk-${three}']),
    models: pick([['m-1'], ['m-1', 'm-2'], ['m-3', 'm-1', 'm-1']]),
    priority: whole(20) - 10,
    weight: whole(5),
    auto_ban: whole(2),
    ...(isTrue() && { enabled: isTrue() }),
    ...(isTrue() && { group: ['vip', 'default'] }),
    ...(isTrue() && { tag: pick([...texts]).replaceAll('\n', ' ') }),
    ...(isTrue() && { base_url: pick(['https://a.example.com/', 'https://user:pass@b.example.com/v1']) }),
    ...(isTrue() && { system_prompt: pick([...texts]) }),
    ...(isTrue() && { model_mapping: { 'm-1': 'other' } }),
    ...(isTrue() && { param_override: pick([...objects, { headers: { Authorization: 'Bearer abc' }, n: 1 }]) }),
    ...(isTrue() && { test_model: pick(['m-1', 'yes']) }),
    ...(isTrue() && { max_input_tokens: whole(1000) }),
    ...(isTrue() && {
      windows: [{ name: pick(['A', 'yes']), measure: 'tokens', limit: 1 + whole(9), span: 'minute' }],
    }),
    ...(isTrue() && {
      costs: {
        ...(isTrue() && { factor: whole(9) / 8 }),
        ...(isTrue() && { models: { 'm-1': { prices: { input: whole(9) } } } }),
      },
    }),
  }
}

const aPlan = ({ whole, pick, isTrue }: Source) => ({
  price: whole(1000),
  length: 1 + whole(12),
  unit: pick(['day', 'month', 'year']),
  description: pick([...texts]),
  models: pick([[], ['gpt-*'], ['a', 'b', 'a']]),
  ...(isTrue() && { groups: ['vip'] }),
  ...(isTrue() && { is_on_sale: isTrue() }),
  windows: isTrue()
    ? [{ name: 'Daily', measure: 'requests', limit: 1 + whole(9), span: 'day', alert_percents: [90, 50] }]
    : [],
})

function aSite(seed: number) {
  const source = randomOf(seed)
  const { whole, pick, isTrue } = source
  const some = <Value>(names: readonly string[], make: (source: Source) => Value) =>
    Object.fromEntries(names.filter(isTrue).map((name) => [name, make(source)]))
  return {
    options: {
      SystemName: pick([...texts]),
      Footer: pick([...texts]),
      custom_head_html: pick(['', '<script>const x = `${location}`</script>']),
      QuotaForNewUser: whole(1000),
      PasswordLoginEnabled: true,
      RegisterEnabled: isTrue(),
      SMTPToken: pick(['', 'secret', 'with ${literal}']),
      GroupRatio: { default: 1, vip: whole(10) / 4 },
    },
    channels: some(['One', 'Two words', '渠道', '1', 'true', 'a.b'], aChannel),
    prices: some(['m-1', 'a/b:free', 'yes'], ({ whole: n }) => ({ prices: { input: n(9), output: n(9) / 8 } })),
    plans: some(['Pro', 'null', 'Free plan'], aPlan),
    groups: some(['default', 'vip'], ({ whole: n }) => ({
      windows: [{ name: 'Daily', measure: 'quota', limit: 1 + n(9), span: 'day', alert_percents: [90, 50] }],
    })),
  }
}

describe.each(kinds)('a site as a file (%s)', (kind) => {
  let world: World
  beforeAll(async () => void (world = await createWorld({ kind })))
  afterAll(() => world[Symbol.asyncDispose]())

  /** Works in a transaction that is undone, so that each site begins with nothing. */
  async function inNewSite(work: (site: ReturnType<typeof siteIn>) => Promise<void>): Promise<void> {
    const { database, config, seal } = world.ctx
    class Undone extends Error {}
    const run = database.query.transaction().execute(async (transaction) => {
      await work(siteIn(await openSite({ config, database, seal }, transaction)))
      throw new Undone()
    })
    await run.catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })
  }

  const siteIn = (ctx: Awaited<ReturnType<typeof openSite>>) => ({
    ctx,
    apply: (text: string) => applySite(ctx, readSiteFile('site.yaml', text, { environment: {} }), { isPruning: true }),
    readFile: async () => writeSiteFile(await readSite(ctx)),
  })

  const seeds = Array.from({ length: 5 }, (_, index) => index + 1)
  test.each(seeds)(
    'any site that was exported is applied without a change and exported as it was (seed %d)',
    async (seed) => {
      await inNewSite(async ({ apply, readFile }) => {
        const file = escapePlaceholders(JSON.stringify(aSite(seed)))
        await apply(file)
        expect(await apply(file)).toEqual([])
        const text = await readFile()
        expect(await apply(text)).toEqual([])
        expect(await readFile()).toBe(text)
      })
    },
  )

  test('a channel without what its vendor needs is applied as it was exported', async () => {
    await inNewSite(async ({ ctx, apply, readFile }) => {
      const stored = { type: 8, name: 'Kept', key_sealed: '', models: '', group: 'default', status: 2, created_time: 1 }
      await ctx.database.query.insertInto('channels').values(stored).execute()
      const text = await readFile()
      expect(await apply(text)).toEqual([])
      expect(apply(text.replace('type: custom', 'type: custom\n    base_url: nowhere'))).rejects.toThrow('base URL')
    })
  })

  test('each option that is set is exported so that it is read as the same', async () => {
    await inNewSite(async ({ ctx, apply, readFile }) => {
      for (const key of optionKeys) {
        if (isSecretOption(key) || isRatioOption(key)) continue
        const value = otherText(key)
        if (value === null) continue
        await ctx.database.query
          .insertInto('options')
          .values({ key, value })
          .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
          .execute()
      }
      const text = await readFile()
      expect(await apply(text)).toEqual([])
      expect(await readFile()).toBe(text)
    })
  })
})

/** Returns another valid text of an option than its default. */
function otherText(key: (typeof optionKeys)[number]): string | null {
  const { kind, choices } = optionOf(key)
  const usual = optionText(key, defaultOptions[key])
  const tries = [
    ...(kind === 'boolean' ? [usual === 'true' ? 'false' : 'true'] : []),
    ...(choices ?? []),
    '7',
    '0.5',
    'word',
    'https://x.example.com',
    '{"default":2}',
    '{"a":"b"}',
    '[]',
    '{}',
    'one\ntwo',
    String(systemClock.seconds()),
  ]
  return tries.find((text) => text !== usual && isValid(key, text)) ?? null
}

function isValid(key: string, text: string): boolean {
  try {
    return checkedChange(key, text).text === text
  } catch {
    return false
  }
}
