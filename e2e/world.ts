import { startSimulator, type Simulator, type SimulatorOptions } from '@tollgate/simulator'
import OpenAI from 'openai'

import { Console } from './console'
import { startGateway, type Gateway, type GatewayOptions, type GatewayProcess } from './gateway'
import { startInProcess, type InProcessOptions } from './gateway-in-process'

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

/** A world whose gateway has processes of its own. */
export interface ProcessWorld extends World {
  readonly gateway: GatewayProcess
}

export interface WorldOptions<Options = InProcessOptions> {
  readonly gateway?: Options
  readonly simulator?: SimulatorOptions
  readonly models?: readonly string[]
  readonly options?: Readonly<Record<string, unknown>>
}

const models = ['gpt-4o', 'gpt-4o-mini', 'text-embedding-3-small', 'omni-moderation-latest', 'gpt-3.5-turbo-instruct']

/** Starts a world within this process. Prices of models the gateway does not know must be among the options. */
export const aWorld = (options: WorldOptions = {}): Promise<World> =>
  aWorldAround(() => startInProcess(options.gateway), options, 1)

/** Starts a world whose gateway is stopped, killed, counted, or has several workers. */
export const aProcessWorld = (options: WorldOptions<GatewayOptions> = {}): Promise<ProcessWorld> =>
  aWorldAround(() => startGateway(options.gateway), options, (options.gateway?.workers ?? 1) > 1 ? undefined : 1)

async function aWorldAround<G extends Gateway>(
  start: () => Promise<G>,
  options: WorldOptions<unknown>,
  inARow?: number,
): Promise<World & { readonly gateway: G }> {
  const simulator = await startSimulator({ models, ...options.simulator })
  const gateway = await start()
  const console = await Console.setUp(gateway.url, root)
  await console.setOptions({ LogErrorEnabled: true, ...options.options })
  const channelId = await console.addChannel({
    name: 'the channel',
    base_url: simulator.url,
    models: (options.models ?? models).join(','),
  })
  const key = await console.addToken({ name: 'the key' })
  await untilAllKnow(gateway, key, options.models ?? models, inARow)
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

/** Workers learn of changes one after the other; new connections reach them all. One worker that knows is enough where it is alone. */
export async function untilAllKnow(
  gateway: { url: string },
  key: string,
  models: readonly string[],
  inARow = 20,
): Promise<void> {
  for (let known = 0; known < inARow;) {
    const response = await fetch(`${gateway.url}/v1/models`, {
      headers: { authorization: `Bearer ${key}`, connection: 'close' },
      keepalive: false,
    })
    const text = await response.text()
    known = models.every((model) => text.includes(JSON.stringify(model))) ? known + 1 : 0
    if (known === 0) await Bun.sleep(20)
  }
}
