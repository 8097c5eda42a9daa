import { startSimulator, type Simulator, type SimulatorOptions } from '@tollgate/simulator'
import OpenAI from 'openai'

import { Console } from './console'
import { startGateway, type Gateway, type GatewayOptions } from './gateway'

const root = { username: 'root', password: 'not-a-real-password' }

/** A gateway that is set up, with one channel to a stand-in upstream and one key. */
export interface World extends AsyncDisposable {
  readonly gateway: Gateway
  readonly simulator: Simulator
  /** Signed in as the super admin, who also owns the key. */
  readonly console: Console
  /** Unlimited. */
  readonly key: string
  readonly channelId: number
  /** The official SDK, without its own retries. */
  readonly client: OpenAI
}

export interface WorldOptions {
  readonly gateway?: GatewayOptions
  readonly simulator?: SimulatorOptions
  readonly models?: readonly string[]
  readonly options?: Readonly<Record<string, unknown>>
}

const models = ['gpt-4o', 'gpt-4o-mini', 'text-embedding-3-small', 'omni-moderation-latest', 'gpt-3.5-turbo-instruct']

/** Build one. Prices of models the gateway does not know must be among the options. */
export async function aWorld(options: WorldOptions = {}): Promise<World> {
  const simulator = await startSimulator({ models, ...options.simulator })
  const gateway = await startGateway(options.gateway)
  const console = new Console(gateway.url)
  await console.setUp(root.username, root.password)
  await console.logIn(root.username, root.password)
  await console.setOptions({ LogErrorEnabled: true, ...options.options })
  const channelId = await addChannel(console, { base_url: simulator.url, models: (options.models ?? models).join(',') })
  const key = await addToken(console, {})
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

interface Listed {
  items: { id: number; name: string }[]
}

let named = 0

/** Connect an upstream of the plain OpenAI kind. Answers its id. */
export async function addChannel(console: Console, fields: Readonly<Record<string, unknown>>): Promise<number> {
  const name = `channel ${(named += 1)}`
  await console.post('/api/channel/', { name, type: 1, key: 'sk-upstream', group: 'default', ...fields })
  const { items } = await console.get<Listed>('/api/channel/?p=1&page_size=100')
  return found(items, name).id
}

/** Make an unlimited key, or whatever the fields say. Answers it with its `sk-`. */
export async function addToken(console: Console, fields: Readonly<Record<string, unknown>>): Promise<string> {
  const wanted = { name: `token ${(named += 1)}`, unlimited_quota: true, expired_time: -1, ...fields }
  const { key } = await console.post<{ key: string }>('/api/token/', wanted)
  return `sk-${key}`
}

function found(items: Listed['items'], name: string): Listed['items'][number] {
  const item = items.find((item) => item.name === name)
  if (!item) throw new Error(`"${name}" is not in the list`)
  return item
}
