import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { defaultOptions, earningRoutes, role } from '@tollgate/contract'
import { expect, test } from 'bun:test'

import { lockPrices, storePrices, type PriceWrite } from '../../../billing/pricing/price-store'
import { anAccount, createTestConsole } from '../../../../test/console-client'
import { createRelayWorld } from '../../../../test/relay-world'
import { earningHandlers } from './earnings'

const page = readFileSync(join(import.meta.dir, '../../../../../docs/billing.md'), 'utf8')
/** The rows of its tables, with single spaces. */
const rows = new Set(page.split('\n').map((line) => line.replaceAll(/ +/g, ' ')))

/** No list knows it, so its cost at a channel without an entry is unknown. */
const model = 'kite-1'
const sale = { input: 4, cache_read: 0.4, output: 16 }
const costs = {
  Direct: { input: 3, cache_read: 0.3, output: 12 },
  Reseller: { input: 2, cache_read: 0.2, output: 8 },
  Pilot: null,
} as const
const calls = [
  ['Direct', 0],
  ['Direct', 60_000],
  ['Reseller', 0],
  ['Reseller', 0],
  ['Reseller', 0],
  ['Pilot', 0],
] as const

const dollars = (quota: number) => `$${Number((quota / defaultOptions.QuotaPerUnit).toFixed(4))}`
const percent = (share: number) => `${Math.round(share * 1000) / 10}%`

test('the page on prices has the earnings that calls bought at two prices and sold at one leave', async () => {
  await using world = await createRelayWorld()
  const { ctx } = world
  const channels = new Map<string, number>()
  const keys = new Map<string, string>()
  const writes: PriceWrite[] = [{ channelId: 0, model, entry: { prices: sale } }]
  for (const [name, prices] of Object.entries(costs)) {
    const channelId = await world.addChannel({ name, models: model, group: name })
    channels.set(name, channelId)
    keys.set(name, await world.addToken(await world.addUser(10_000_000, { group: name })))
    if (prices) writes.push({ channelId, model, entry: { prices } })
  }
  await ctx.database.query.transaction().execute(async (transaction) => {
    await lockPrices(ctx, transaction)
    await storePrices(ctx, writes, { source: 'own', username: 'test' }, transaction)
  })
  await ctx.changes.deliver()
  for (const [name, cachedTokens] of calls) {
    world.simulator.next({ promptTokens: 100_000, cachedTokens, tokens: 10_000 })
    await (await world.chat({ model }, { key: keys.get(name) })).text()
  }
  await ctx.ledger.waitUntilApplied()

  const site = createTestConsole(ctx, earningHandlers)
  const admin = site.client(await site.signIn((await anAccount(ctx, { role: role.admin })).id))
  const byChannel = await admin.call(earningRoutes.earnings, { query: { group_by: 'channel' } })
  const line = (name: string, sums: earningRoutes.EarningSums) => {
    const { count, quota, sold, cost, unpriced, prompt_tokens: prompt, cached_tokens: cached, saved } = sums
    const isKnown = count > unpriced
    const cells = [
      name,
      count,
      dollars(quota),
      isKnown ? dollars(cost) : 'unknown',
      isKnown ? dollars(sold - cost) : 'unknown',
      isKnown ? percent(1 - cost / sold) : '–',
      unpriced > 0 ? `${unpriced} · ${dollars(quota - sold)}` : '–',
      cached > 0 ? percent(cached / prompt) : '–',
      saved > 0 ? dollars(saved) : '–',
    ]
    return `| ${cells.join(' | ')} |`
  }
  const shown = [...byChannel.rows.map((row) => line(row.name, row)), line('Total', byChannel.totals)]
  expect(shown.filter((row) => !rows.has(row))).toEqual([])

  // Each call is found by the key that served it, whatever its channel.
  const byKey = await admin.call(earningRoutes.earnings, { query: { group_by: 'key' } })
  expect(byKey.totals).toEqual(byChannel.totals)
  const fingerprints = ctx.catalog.current.channels.get(channels.get('Direct') ?? 0)?.keys.map((key) => key.fingerprint)
  expect(byKey.rows.find(({ name }) => name === 'Direct')?.key).toBe(fingerprints?.[0] ?? 'no key')
})
