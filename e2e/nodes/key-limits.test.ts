import { expect, setDefaultTimeout, test } from 'bun:test'

import { windowRoutes } from '@tollgate/contract'

import { fingerprintOf } from '../../gateway/src/channels/catalog/channel-keys'
import { call } from '../call'
import { databaseKinds } from '../databases'
import { until } from '../ledger-view'
import type { Gateway } from '../gateway'
import { aProcessWorld, untilAllKnow, type World } from '../world'
import { aPair } from './pair'

setDefaultTimeout(120_000)

const model = 'limited-by-its-key'
const upstreamKey = 'sk-of-the-limited-account'
const limits = { atOnce: 10, calls: 60 }
const calls = 80

const options = { ModelRatio: { [model]: 1 } }

test.skipIf(databaseKinds.length < 2)('two gateways never use an upstream key beyond its limits', async () => {
  await using pair = await aPair({ options })
  await requireLimits(pair.world, [pair.world.gateway, pair.second])
})

test('two workers of a gateway never use an upstream key beyond its limits', async () => {
  await using world = await aProcessWorld({ gateway: { workers: 2 }, options })
  await requireLimits(world, [world.gateway, world.gateway])
})

/** Makes calls at both, which the upstream holds, and counts what arrives there. */
async function requireLimits({ console, simulator, key }: World, nodes: readonly [Gateway, Gateway]) {
  const setting = JSON.stringify({ max_wait_seconds: 600 })
  const id = await console.addChannel({
    name: 'limited',
    key: upstreamKey,
    base_url: simulator.url,
    models: model,
    setting,
  })
  // A minute may end within the test; this one begins anew never.
  const range = { span: 'range', starts_at: 0, ends_at: Math.floor(Date.now() / 1000) + 3600 } as const
  const windows = [
    { name: 'At once', measure: 'concurrent', span: 'always', limit: limits.atOnce },
    { name: 'In all', measure: 'requests', limit: limits.calls, ...range },
  ] as const
  const ref = `${id}:${fingerprintOf(upstreamKey)}`
  await console.call(windowRoutes.setWindows, { body: { owner: 'channel_key', ref, windows: [...windows] } })
  for (const node of nodes) await untilAllKnow(node, key, [model])

  const held: (() => void)[] = []
  let [arrived, maxHeld] = [0, 0]
  simulator.when(({ apiKey }) => apiKey === upstreamKey, {
    gate(frame) {
      if (frame > 0) return undefined
      const { promise, resolve } = Promise.withResolvers<void>()
      maxHeld = Math.max(maxHeld, held.push(resolve))
      arrived += 1
      return promise
    },
  })
  const body = { model, messages: [{ role: 'user', content: 'hello' }] }
  const pending = Promise.all(
    Array.from({ length: calls }, (_, index) =>
      call(nodes[index % 2 === 0 ? 0 : 1], key, body, { timeoutMs: 110_000 }),
    ),
  )
  while (arrived < limits.calls) {
    const before = arrived - held.length
    await until(
      async () => arrived,
      (count) => count >= Math.min(before + limits.atOnce, limits.calls),
    )
    for (const release of held.splice(0)) release()
  }
  const statuses = (await pending).map(({ status }) => status)
  expect(maxHeld).toBe(limits.atOnce)
  expect(statuses.filter((status) => status === 200)).toHaveLength(limits.calls)
  expect(statuses.filter((status) => status === 503)).toHaveLength(calls - limits.calls)
  expect(arrived).toBe(limits.calls)
}
