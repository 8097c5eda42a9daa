import { userRoutes } from '@tollgate/contract'
import { startSimulator, type Simulator } from '@tollgate/simulator'

import { buildConsole } from '../../scripts/build-console'
import { Console, type Account } from '../console'
import type { Gateway } from '../gateway'
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

/** Starts a gateway before its setup. */
export async function anEmptySite(env?: InProcessOptions['env']): Promise<EmptySite> {
  await buildConsole()
  const simulator = await startSimulator({ models: ['gpt-4o', 'gpt-4o-mini'] })
  const gateway = await startInProcess({ env })
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
