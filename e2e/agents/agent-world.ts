import { upstreams } from '../matrix/matrix-world'
import { aWorld, untilAllKnow, type World } from '../world'

/** Starts a gateway with two channels for each upstream dialect, the first with keys of two accounts. */
export async function anAgentWorld(): Promise<World> {
  const models = upstreams.map(({ model }) => model)
  const world = await aWorld({ models: ['gpt-4o-mini'], simulator: { models } })
  for (const { type, model } of upstreams) {
    // The base URL of a custom vendor is that of a single endpoint, so that it does not serve Responses.
    const base_url = type === 8 ? `${world.simulator.url}/v1/chat/completions` : world.simulator.url
    const channel = { type, base_url, models: model }
    await world.console.addChannel({ ...channel, name: `${model}, two accounts`, key: 'account-1\naccount-2' })
    await world.console.addChannel({ ...channel, name: `${model}, a third`, key: 'account-3' })
  }
  await untilAllKnow(world.gateway, world.key, models)
  return world
}
