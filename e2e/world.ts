import { startSimulator, type Simulator, type SimulatorOptions } from '@tollgate/simulator'
import OpenAI from 'openai'

import { Console } from './console'
import { startGateway, type Gateway, type GatewayOptions } from './gateway'

const root = { username: 'root', password: 'not-a-real-password' }

/** A gateway that is set up, with one channel to a stand-in upstream and one token. */
export interface World extends AsyncDisposable {
  readonly gateway: Gateway
  readonly simulator: Simulator
  /** Signed in as the super admin, who also owns the token. */
  readonly console: Console
  /** Key without a quota limit. */
  readonly key: string
  readonly channelId: number
  /** The official SDK without its own retries. */
  readonly client: OpenAI
}

export interface WorldOptions {
  readonly gateway?: GatewayOptions
  readonly simulator?: SimulatorOptions
  readonly models?: readonly string[]
  readonly options?: Readonly<Record<string, unknown>>
}

const models = ['gpt-4o', 'gpt-4o-mini', 'text-embedding-3-small', 'omni-moderation-latest', 'gpt-3.5-turbo-instruct']

/** Starts a world. Prices of models the gateway does not know must be among the options. */
export async function aWorld(options: WorldOptions = {}): Promise<World> {
  const simulator = await startSimulator({ models, ...options.simulator })
  const gateway = await startGateway(options.gateway)
  const console = await Console.setUp(gateway.url, root)
  await console.setOptions({ LogErrorEnabled: true, ...options.options })
  const channelId = await console.addChannel({
    name: 'the channel',
    base_url: simulator.url,
    models: (options.models ?? models).join(','),
  })
  const key = await console.addToken({ name: 'the key' })
  await untilAllKnow(gateway, key, options.models ?? models)
  return {
    gateway,
    simulator,
    console,
    key,
    channelId,
    client: clientOf(gateway, key),
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await simulator.stop()
    },
  }
}

export const clientOf = (gateway: Gateway, key: string): OpenAI =>
  new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: key, maxRetries: 0 })

const inARow = 20

/** Workers learn of changes one after the other; new connections reach them all. */
export async function untilAllKnow(gateway: { url: string }, key: string, models: readonly string[]): Promise<void> {
  for (let known = 0; known < inARow;) {
    const answer = await fetch(`${gateway.url}/v1/models`, {
      headers: { authorization: `Bearer ${key}`, connection: 'close' },
      keepalive: false,
    })
    const text = await answer.text()
    known = models.every((model) => text.includes(JSON.stringify(model))) ? known + 1 : 0
    if (known === 0) await Bun.sleep(20)
  }
}
