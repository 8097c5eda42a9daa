import type { InProcessOptions } from '../gateway-in-process'
import { aWorld, untilAllKnow, type World } from '../world'

/**
 * The dialect of each upstream, with the type, model and path of its channel. `isReadOn`: its streams are drained after the client left, to
 * the end where the vendor bills it, or briefly where a model reasons invisibly.
 */
export const upstreams = [
  { dialect: 'openai-chat', type: 8, model: 'gpt-4o', path: /\/chat\/completions$/, isReadOn: true },
  { dialect: 'openai-responses', type: 1, model: 'o3-pro', path: /\/responses$/, isReadOn: true },
  { dialect: 'anthropic-messages', type: 14, model: 'claude-opus-4-5-20251101', path: /\/messages$/, isReadOn: false },
  { dialect: 'gemini', type: 24, model: 'gemini-2.5-flash', path: /enerateContent$/, isReadOn: true },
] as const

export type UpstreamDialect = (typeof upstreams)[number]['dialect']

/** Price ratios in this world. */
export const ratio = { model: 2.5, completion: 4 }

/** Starts a gateway with one channel for each upstream dialect. */
export async function aMatrixWorld(gateway?: InProcessOptions): Promise<World> {
  const models = upstreams.map(({ model }) => model)
  const forAll = (value: number) => Object.fromEntries(models.map((model) => [model, value]))
  const world = await aWorld({
    gateway,
    models: ['gpt-4o-mini'],
    simulator: { models },
    options: { ModelRatio: forAll(ratio.model), CompletionRatio: forAll(ratio.completion) },
  })
  for (const { type, model } of upstreams) {
    // The base URL of a custom vendor is that of a single endpoint, so that it does not serve Responses.
    const base_url = type === 8 ? `${world.simulator.url}/v1/chat/completions` : world.simulator.url
    await world.console.addChannel({ name: model, type, base_url, models: model })
  }
  await untilAllKnow(world.gateway, world.key, models)
  return world
}
