import { userRoutes } from '@tollgate/contract'
import { startSimulator, type Simulator } from '@tollgate/simulator'

import { buildConsole } from '../../scripts/build-console'
import { Console, type Account } from '../console'
import { startGateway, type Gateway, type GatewayOptions } from '../gateway'
import { signIn, type Session } from './session'

/** A gateway with its console, and stand-in upstreams to connect. */
export interface EmptySite extends AsyncDisposable {
  readonly url: string
  readonly gateway: Gateway
  readonly simulator: Simulator
}

/** The same, set up, with an administrator and a user. */
export interface Site extends EmptySite {
  /** The super admin's console API. */
  readonly console: Console
  /** Sign somebody in: once, since a server lets nobody try all day. */
  signIn(who: 'root' | 'user'): Promise<Session>
}

const accounts = {
  root: { username: 'root', password: 'root-password' },
  user: { username: 'customer', password: 'customer-password' },
} satisfies Record<string, Account>

/** How long a group of tests may take to make its site: the console is built when it is not. */
export const siteTimeoutMs = 120_000

/** A gateway nobody has visited. */
export async function anEmptySite(env?: GatewayOptions['env']): Promise<EmptySite> {
  await buildConsole()
  const simulator = await startSimulator({ models: ['gpt-4o', 'gpt-4o-mini'] })
  const gateway = await startGateway({ env })
  return {
    url: gateway.url,
    gateway,
    simulator,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await simulator.stop()
    },
  }
}

/** A gateway that is set up, with two accounts to sign in with. */
export async function aSite(env?: GatewayOptions['env']): Promise<Site> {
  const site = await anEmptySite(env)
  const console = await Console.setUp(site.url, accounts.root)
  await console.call(userRoutes.createUser, { body: { ...accounts.user, display_name: 'A customer' } })
  const sessions: Partial<Record<keyof typeof accounts, Promise<Session>>> = {}
  return { ...site, console, signIn: (who) => (sessions[who] ??= signIn(site.url, accounts[who])) }
}
