import { afterEach, beforeEach, expect } from 'bun:test'

import { factorRoutes, NewPasskeyRequest, PasskeyRequest, SecondFactorRequest } from '@tollgate/contract'
import { z } from 'zod'

import type { Context } from '../src/context'
import { stepAt, totpCode } from '../src/accounts/factors/totp'
import type { DatabaseKind } from '../src/platform/store/database'
import { handlers } from './all-handlers'
import { anAuthenticator } from './authenticator'
import { aBrowser, type Browser } from './browser'
import { anAccount, createTestConsole, type SignedIn, type TestConsole } from './console-client'
import { setOptionsIn } from './options'
import { createWorld, type World } from './world'
import { WallClock } from './fake-time'

export const password = 'correct horse'
export const Proof = z.object({ data: z.object({ proof: z.string() }) })
export const TotpSetup = z.object({ data: z.object({ token: z.string(), secret: z.string(), uri: z.string() }) })
const Codes = z.object({ data: z.object({ recovery_codes: z.array(z.string()).nullable() }) })
const Refused = z.object({ second_factor: SecondFactorRequest })
export const PasskeyChallenge = z.object({ data: PasskeyRequest })
const NewPasskeyChallenge = z.object({ data: NewPasskeyRequest })
const Overview = z.object({ data: factorRoutes.Factors })

/** Decodes base32. */
export function bytesOf(secret: string): Uint8Array {
  const bits = Array.from(secret, (sign) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'),
  )
  return new Uint8Array((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

export interface Owner {
  readonly id: number
  readonly username: string
  readonly session: SignedIn
  readonly browser: Browser
}

/** A site at https://console.test, new for each test of the block that calls this, with helpers for second factors. */
export function factorSite(kind: DatabaseKind) {
  let world: World
  let site: TestConsole
  const start = 1_800_000_000_000
  const clock = new WallClock(start)
  beforeEach(async () => {
    clock.moveTo(start)
    world = await createWorld({ kind, clock })
    site = createTestConsole(world.ctx, handlers)
    await world.ctx.database.query.insertInto('setups').values({ id: 1, version: '0', initialized_at: 1 }).execute()
    await setOptionsIn(world.ctx, { ServerAddress: 'https://console.test', SystemName: 'Gate' })
  })
  afterEach(() => world[Symbol.asyncDispose]())

  const anOwner = async (seed: { role?: number; email?: string } = {}): Promise<Owner> => {
    const account = await anAccount(world.ctx, { password, ...seed })
    const session = await site.signIn(account.id)
    return { ...account, session, browser: aBrowser(site, { as: session }) }
  }
  const proofOf = async (browser: Browser, purpose = 'factors') => {
    const { text } = await browser.call('POST', '/api/user/step_up', { body: { purpose, password } })
    return { 'Tollgate-Step-Up': Proof.parse(JSON.parse(text)).data.proof }
  }
  const codeAt = (secret: string, seconds = 0) => totpCode(bytesOf(secret), stepAt(clock.seconds() + seconds))
  /** Sets up an authenticator app, and lets its first time step pass. */
  const setUpTotp = async ({ browser }: Owner) => {
    const challenge = await browser.call('POST', '/api/user/factors/totp/begin', { headers: await proofOf(browser) })
    const { token, secret } = TotpSetup.parse(JSON.parse(challenge.text)).data
    const done = await browser.call('POST', '/api/user/factors/totp', { body: { token, code: codeAt(secret) } })
    expect(done.outcome).toBe('ok')
    clock.jump(30_000)
    return { secret, recoveryCodes: Codes.parse(JSON.parse(done.text)).data.recovery_codes ?? [] }
  }
  const addPasskey = async ({ browser }: Owner, authenticator = anAuthenticator(), name = 'Laptop') => {
    const challenge = await browser.call('POST', '/api/user/passkeys/begin', { headers: await proofOf(browser) })
    const request = NewPasskeyChallenge.parse(JSON.parse(challenge.text)).data
    const response = authenticator.create(request)
    const { outcome } = await browser.call('POST', '/api/user/passkeys', { body: { name, answer: response } })
    return { authenticator, outcome, request, answer: response }
  }
  /** Gives the password in a new browser. */
  const halfway = async (username: string, browser = aBrowser(site)) => {
    const { outcome, text } = await browser.call('POST', '/api/user/login', { body: { username, password } })
    expect(outcome).toBe('login.second_factor')
    const complete = async (proof: object, by = browser) =>
      (await by.call('POST', '/api/user/login/factor', { body: { token: secondFactor.token, proof } })).outcome
    const secondFactor = Refused.parse(JSON.parse(text)).second_factor
    return { browser, asked: secondFactor, complete }
  }
  const overviewOf = async ({ browser }: Owner) =>
    Overview.parse(JSON.parse((await browser.call('GET', '/api/user/factors')).text)).data

  return {
    get ctx(): Context {
      return world.ctx
    },
    get site() {
      return site
    },
    passSeconds: (seconds: number) => clock.jump(seconds * 1000),
    anOwner,
    proofOf,
    codeAt,
    setUpTotp,
    addPasskey,
    halfway,
    overviewOf,
  }
}

export const totp = (code: string) => ({ kind: 'totp', code })
export const recovery = (code: string) => ({ kind: 'recovery_code', code })
