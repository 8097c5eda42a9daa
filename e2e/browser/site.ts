import { userRoutes } from '@tollgate/contract'
import { startSimulator, type Simulator } from '@tollgate/simulator'

import { buildConsole } from '../../scripts/build-console'
import { Console, type Account } from '../console'
import { freePort, type Gateway } from '../gateway'
import { startInProcess, type InProcessOptions } from '../gateway-in-process'
import { signIn, type Session } from './session'

/** A gateway with its console, and stand-in upstreams to connect. */
export interface EmptySite extends AsyncDisposable {
  readonly url: string
  readonly gateway: Gateway
  readonly simulator: Simulator
}

/** A site that is set up, with an administrator and a user. */
export interface Site extends EmptySite {
  /** The super admin's console API. */
  readonly console: Console
  /** Returns a session, signing in only once because the server limits sign-ins. */
  signIn(account: 'root' | 'user'): Promise<Session>
}

const accounts = {
  root: { username: 'root', password: 'root-password' },
  user: { username: 'customer', password: 'customer-password' },
} satisfies Record<string, Account>

/** Timeout for creating a site, including a build of the console where it is missing. */
export const siteTimeoutMs = 300_000

/**
 * The port of one site after the other: to the browser they are the same one, whose files it has in its cache, with their scripts compiled.
 * That is half the work of the first visits of a site.
 */
const usualPort = { port: 0, isTaken: false }

/** Starts a gateway before its setup. */
export async function anEmptySite(env?: InProcessOptions['env']): Promise<EmptySite> {
  if (usualPort.isTaken) return anEmptySiteAt({ env })
  usualPort.isTaken = true
  usualPort.port = freePort(usualPort.port)
  const site = await anEmptySiteAt({ env, port: usualPort.port })
  return {
    ...site,
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]()
      usualPort.isTaken = false
    },
  }
}

/** Starts a gateway before its setup, by default at an address of its own. */
export async function anEmptySiteAt(options: Pick<InProcessOptions, 'env' | 'port'> = {}): Promise<EmptySite> {
  await buildConsole()
  const simulator = await startSimulator({ models: ['gpt-4o', 'gpt-4o-mini'] })
  const gateway = await startInProcess(options)
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

/** Starts a gateway that is set up, with two accounts to sign in with. */
export async function aSite(env?: InProcessOptions['env']): Promise<Site> {
  const site = await anEmptySite(env)
  const console = await Console.setUp(site.url, accounts.root)
  await console.call(userRoutes.createUser, { body: { ...accounts.user, display_name: 'A customer' } })
  const sessions: Partial<Record<keyof typeof accounts, Promise<Session>>> = {}
  return { ...site, console, signIn: (account) => (sessions[account] ??= signIn(site.url, accounts[account])) }
}
