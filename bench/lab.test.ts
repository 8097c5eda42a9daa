import { expect, test } from 'bun:test'

import { Lab } from './lab'
import { load } from './load'
import { requestTo } from './requests'
import type { Target } from './targets'
import { startTollgate } from './tollgate'

const cores = { launcher: [], isPinned: false }
const settings = { connections: 2, milliseconds: 60_000 }

const aLab = () => Lab.open(cores, [(ground) => startTollgate(ground, { profile: 'content' })])

function onlyTarget(lab: Lab): Target {
  const [target] = lab.targets
  if (!target) throw new Error('The gateway is missing')
  return target
}

test('books that equal what the upstream served let a run count, streams that were left among it', async () => {
  await using lab = await aLab()
  const target = onlyTarget(lab)
  const request = requestTo(target, { dialect: 'anthropic-messages', isStream: true })
  await lab.count(target, () => load({ ...settings, port: target.port, request, maxCalls: 3 }))
  expect(lab.upstream.served).toMatchObject({ streams: 3, aborted: 0 })
  lab.upstream.gapMs = 20
  await lab.count(target, () => load({ ...settings, port: target.port, request, maxCalls: 4, leavesEarly: true }))
  expect(lab.upstream.served.aborted).toBeGreaterThan(0)
  expect(await lab.close()).toEqual({ calls: 7, wrong: [] })
})

test('an uncounted call voids the run', async () => {
  await using lab = await aLab()
  const target = onlyTarget(lab)
  const options = {
    ...settings,
    port: target.port,
    request: requestTo(target, { dialect: 'openai-chat', isStream: false }),
  }
  await lab.count(target, () => load({ ...options, maxCalls: 3 }))
  await load({ ...options, maxCalls: 1 })
  const { calls, wrong } = await lab.close()
  expect(calls).toBe(3)
  expect(wrong).toContain('Tollgate: charges: 4 instead of 3')
})

test('tokens of answers of any length are among what is compared', async () => {
  await using lab = await aLab()
  const target = onlyTarget(lab)
  const request = requestTo(target, { dialect: 'openai-chat', isStream: true })
  const calls = () => load({ ...settings, port: target.port, request, maxCalls: 3 })
  lab.upstream.tokens = 5
  await lab.count(target, calls)
  lab.upstream.tokens = 70
  await lab.count(target, calls)
  await lab.count(target, async () => {
    lab.upstream.served.completionTokens += 1
    return { failures: 0 }
  })
  expect((await lab.close()).wrong).toEqual(['Tollgate: completion tokens logged: 225 instead of 226'])
})
