import { aWorld, untilAllKnow, type World } from '../world'

/**
 * The dialect of each upstream, with the type, model and path of its channel. `isReadOn`: its streams are read on after the client
 * left, to the end where the vendor bills it, or briefly where a model reasons unseen.
 */
export const upstreams = [
  { dialect: 'openai-chat', type: 8, model: 'gpt-4o', path: /\/chat\/completions$/, isReadOn: true },
  { dialect: 'openai-responses', type: 1, model: 'o3-pro', path: /\/responses$/, isReadOn: true },
  { dialect: 'anthropic-messages', type: 14, model: 'claude-opus-4-5-20251101', path: /\/messages$/, isReadOn: false },
  { dialect: 'gemini', type: 24, model: 'gemini-2.5-flash', path: /enerateContent$/, isReadOn: true },
] as const

export type UpstreamDialect = (typeof upstreams)[number]['dialect']

/** What a token costs in this world. */
export const ratio = { model: 2.5, completion: 4 }

/** A gateway with one channel for each dialect that an upstream may speak. */
export async function aMatrixWorld(): Promise<World> {
  const models = upstreams.map(({ model }) => model)
  const forAll = (value: number) => Object.fromEntries(models.map((model) => [model, value]))
  const world = await aWorld({
    models: ['gpt-4o-mini'],
    simulator: { models },
    options: { ModelRatio: forAll(ratio.model), CompletionRatio: forAll(ratio.completion) },
  })
  for (const { type, model } of upstreams) {
    // Of a vendor of one's own the address is that of its one call, so that no Responses are passed on to it.
    const base_url = type === 8 ? `${world.simulator.url}/v1/chat/completions` : world.simulator.url
    await world.console.addChannel({ name: model, type, base_url, models: model })
  }
  await untilAllKnow(world.gateway, world.key, models)
  return world
}
