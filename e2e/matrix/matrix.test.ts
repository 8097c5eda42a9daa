import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { openLedgerAudit, type LedgerAudit } from '../ledger-audit'
import { quotaByTokens } from '../formula'
import type { World } from '../world'
import type { SdkClient } from './sdk-client'
import { anthropicClient } from './clients/anthropic'
import { cohereClient } from './clients/cohere'
import { geminiClient } from './clients/gemini'
import { ollamaClient } from './clients/ollama'
import { openAiChatClient } from './clients/openai-chat'
import { openAiResponsesClient } from './clients/openai-responses'
import { Compatibility } from './compatibility'
import { loggedCall } from './logged-call'
import { aMatrixWorld, ratio, upstreams } from './matrix-world'
import { reachedUpstream, scenarios } from './scenarios'

setDefaultTimeout(120_000)

const clients: Readonly<Record<string, (url: string, key: string) => SdkClient>> = {
  'openai-chat': openAiChatClient,
  'openai-responses': openAiResponsesClient,
  'anthropic-messages': anthropicClient,
  gemini: geminiClient,
  'ollama-chat': ollamaClient,
  'cohere-chat': cohereClient,
}

const deliveries = [
  { way: 'whole', stream: false },
  { way: 'stream', stream: true },
] as const

let world: World
let ledger: LedgerAudit
const table = new Compatibility(
  Object.keys(clients),
  upstreams.map(({ dialect }) => dialect),
  [...scenarios.map(({ name }) => name), 'error', 'abort'],
)

beforeAll(async () => {
  world = await aMatrixWorld()
  ledger = openLedgerAudit(world.gateway.dataDir)
})
afterAll(async () => {
  await ledger[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
  await table.keep()
})
beforeEach(() => world.simulator.reset())

for (const [speaks, make] of Object.entries(clients)) {
  for (const { dialect, model, path, isReadOn } of upstreams) {
    describe(`${speaks} to ${dialect}`, () => {
      for (const scenario of scenarios) {
        const inexpressible = scenario.inexpressible?.[speaks]
        if (inexpressible !== undefined) {
          table.note(scenario.name, speaks, dialect, inexpressible)
          continue
        }
        test.each(deliveries)(`${scenario.name}, $way`, async ({ stream }) => {
          world.simulator.next(scenario.upstream)
          const client = make(world.gateway.url, world.key)
          const { answer: response, row } = await loggedCall(ledger, model, () =>
            client.call({ ...scenario.request, model, stream }),
          )
          expect(response).toMatchObject(scenario.expected)
          const [request] = world.simulator.requests
          if (!request?.counted) throw new Error('The upstream served nothing')
          expect(request.path).toMatch(path)
          const ignored = scenario.ignored?.[dialect]
          expect(ignored !== undefined || reachedUpstream(scenario, request)).toBe(true)
          if (ignored !== undefined) table.note(scenario.name, speaks, dialect, ignored)
          const { promptTokens: prompt, completionTokens: completion } = request.counted
          expect(response.usage).toEqual({ prompt, completion })
          expect(row).toMatchObject({ prompt_tokens: prompt, completion_tokens: completion, model_name: model })
          expect(row.quota).toBe(quotaByTokens(ratio, { prompt, completion }))
          table.pass(scenario.name, speaks, dialect, stream)
        })
      }

      test.each(deliveries)('an error, $way', async ({ stream }) => {
        world.simulator.when(() => true, { fault: { kind: 'status', status: 400, body: refusals[dialect] } })
        const request = { turns: [{ from: 'user', text: 'Hello' }], maxTokens: 10, model, stream } as const
        const error = await make(world.gateway.url, world.key)
          .call(request)
          .then(
            () => null,
            (reason: unknown) => reason,
          )
        expect(error).toBeInstanceOf(Error)
        expect(error).toMatchObject({ status: 400 })
        expect(String(error)).toContain('The temperature is too high')
        table.pass('error', speaks, dialect, stream)
      })

      test('a client that leaves', async () => {
        // Draining is bounded in time, so the stream must end well before that on any machine.
        world.simulator.next({ tokens: 120, gapMs: isReadOn ? 4 : 20 })
        const request = { turns: [{ from: 'user', text: 'Hello' }], maxTokens: 1000, model, stream: true } as const
        await make(world.gateway.url, world.key).leave(request)
        const arrived = await world.simulator.arrival(1)
        expect(await arrived.ended).toBe(isReadOn ? 'completed' : 'aborted')
        table.pass('abort', speaks, dialect, true)
      })
    })
  }
}

const message = 'The temperature is too high'
const refusals: Readonly<Record<string, unknown>> = {
  'openai-chat': { error: { message, type: 'invalid_request_error', param: 'temperature', code: 'invalid_value' } },
  'openai-responses': {
    error: { message, type: 'invalid_request_error', param: 'temperature', code: 'invalid_value' },
  },
  'anthropic-messages': { type: 'error', error: { type: 'invalid_request_error', message } },
  gemini: { error: { code: 400, message, status: 'INVALID_ARGUMENT' } },
}
