import { describe, expect, test } from 'bun:test'

import {
  ApiError,
  backupRoutes,
  channelRoutes,
  externalSignInRoutes,
  factorRoutes,
  paymentRoutes,
  registrationRoutes,
  role,
  accountRoutes,
  stepUpPurposes,
  tokenRoutes,
  userRoutes,
  type Client,
  type StepUpPurpose,
} from '@tollgate/contract'

import { createClock } from '../../platform/time/clock'
import { anAccount, createTestConsole } from '../../../test/console-client'
import { createWorld } from '../../../test/world'
import { sha256 } from '../../platform/store/seal'
import { handlers } from '../../../test/all-handlers'

const password = 'correct horse'

const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'success',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  )

async function aSite() {
  let aheadSeconds = 0
  const clock = createClock(
    () => 1_800_000_000_000 + aheadSeconds * 1000,
    () => aheadSeconds * 1000,
  )
  const world = await createWorld({ clock })
  const site = createTestConsole(world.ctx, handlers)
  await world.ctx.database.query.insertInto('setups').values({ id: 1, version: '0', initialized_at: 1 }).execute()
  const signedIn = async (fields: { role?: number; password?: string } = { password }) => {
    const account = await anAccount(world.ctx, fields)
    const session = await site.signIn(account.id)
    return { ...account, session, client: site.client(session) }
  }
  return {
    ctx: world.ctx,
    site,
    signedIn,
    passSeconds: (seconds: number) => void (aheadSeconds += seconds),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

const proofFor = async (client: Client, purpose: StepUpPurpose): Promise<string> =>
  (await client.call(accountRoutes.stepUp, { body: { purpose, password } })).proof

/** An access token that was created before a password was required. */
async function anAccessToken({ ctx, site }: Awaited<ReturnType<typeof aSite>>, userId: number): Promise<Client> {
  const accessToken = `token-of-${userId}`
  const hash = { access_token_hash: sha256(accessToken) }
  await ctx.database.query.updateTable('users').set(hash).where('id', '=', userId).execute()
  return site.client(undefined, { accessToken })
}

describe('what requires more than a session', () => {
  test.each(['session', 'access token'] as const)(
    'a mere %s is not enough, and the password is required',
    async (means) => {
      await using world = await aSite()
      const { id, client: browser } = await world.signedIn({ password, role: role.root })
      const other = await anAccount(world.ctx)
      const token = await browser.call(tokenRoutes.createToken, { body: { name: 'main' } })
      const channel = await browser.call(channelRoutes.createChannel, {
        body: { type: 1, name: 'one', key: 'a-key', models: 'm', base_url: 'https://one.example' },
      })
      const client = means === 'session' ? browser : await anAccessToken(world, id)
      const acts: Record<string, (stepUpProof?: string) => Promise<unknown>> = {
        token_key: (stepUpProof) => client.call(tokenRoutes.revealTokenKey, { params: { id: token.id }, stepUpProof }),
        password: (stepUpProof) =>
          client.call(userRoutes.updateUser, { body: { id: other.id, password: 'another horse' }, stepUpProof }),
        backup: (stepUpProof) =>
          client.download(backupRoutes.downloadBackup, { params: { name: 'manual-20260101-000000' }, stepUpProof }),
        channel_address: (stepUpProof) =>
          client.call(channelRoutes.updateChannel, {
            body: { id: channel.id, base_url: 'https://two.example' },
            stepUpProof,
          }),
        close_account: (stepUpProof) => client.call(accountRoutes.deleteSelf, { stepUpProof }),
        email: (stepUpProof) =>
          client.call(registrationRoutes.bindMail, { body: { email: 'a@example.com', code: '000000' }, stepUpProof }),
        identity: (stepUpProof) => client.call(externalSignInRoutes.beginExternalSignIn, { stepUpProof }),
        access_token: (stepUpProof) => client.call(accountRoutes.newAccessToken, { stepUpProof }),
        factors: (stepUpProof) => client.call(factorRoutes.removeTotp, { stepUpProof }),
        order: (stepUpProof) =>
          client.call(paymentRoutes.completeOrder, { body: { trade_no: 'NO-SUCH-ORDER' }, stepUpProof }),
        rights: (stepUpProof) =>
          client.call(userRoutes.setGrants, { params: { id: other.id }, body: { grants: ['logs.read'] }, stepUpProof }),
        user_factors: (stepUpProof) =>
          client.call(userRoutes.removeFactors, { params: { id: other.id }, body: { reason: 'Lost' }, stepUpProof }),
      }
      expect(Object.keys(acts).sort()).toEqual([...stepUpPurposes].sort())
      const proofs = new Map<string, string>()
      for (const purpose of stepUpPurposes) proofs.set(purpose, await proofFor(client, purpose))
      for (const [purpose, act] of Object.entries(acts)) {
        // The number of attempts is tested elsewhere.
        await world.ctx.database.query.deleteFrom('limit_counts').execute()
        expect(await outcomeOf(act())).toBe('auth.step_up')
        expect(await outcomeOf(act('9999999999.forged'))).toBe('auth.step_up')
        for (const another of stepUpPurposes.filter((name) => name !== purpose)) {
          expect(await outcomeOf(act(proofs.get(another)))).toBe('auth.step_up')
        }
      }
      expect(await outcomeOf(client.call(accountRoutes.newAccessTokenByLink))).toBe('auth.step_up')
      expect(await outcomeOf(client.call(accountRoutes.updateSelf, { body: { password: 'another horse' } }))).toBe(
        'auth.step_up',
      )
      expect(await outcomeOf(client.call(accountRoutes.updateSelf, { body: { display_name: 'Root' } }))).toBe('success')
      // This many refusals are as many as a user has attempts.
      await world.ctx.database.query.deleteFrom('limit_counts').execute()
      const outcomeFor = (purpose: StepUpPurpose) => outcomeOf(acts[purpose]?.(proofs.get(purpose)) ?? Promise.reject())
      expect(await outcomeFor('token_key')).toBe('success')
      expect(await outcomeFor('password')).toBe('success')
      expect(await outcomeFor('identity')).toBe('success')
      expect(await outcomeFor('rights')).toBe('success')
      expect(await outcomeFor('factors')).toBe('factor.none')
      expect(await outcomeFor('user_factors')).toBe('factor.none')
      expect(await outcomeFor('order')).toBe('order.none')
      expect(await outcomeFor('backup')).toBe('backup.none')
      expect(await outcomeFor('email')).toBe('code.wrong')
      expect(await outcomeFor('close_account')).toBe('root.self_delete')
      expect(await outcomeFor('access_token')).toBe('success')
    },
  )

  test('a proof is valid for its user and session only, and for five minutes', async () => {
    await using world = await aSite()
    const { id, client } = await world.signedIn()
    const proof = await proofFor(client, 'access_token')
    const mint = (by: Client) => outcomeOf(by.call(accountRoutes.newAccessToken, { stepUpProof: proof }))
    expect(await mint((await world.signedIn()).client)).toBe('auth.step_up')
    expect(await mint(world.site.client(await world.site.signIn(id)))).toBe('auth.step_up')
    world.passSeconds(240)
    expect(await mint(client)).toBe('success')
    expect(await mint(client)).toBe('auth.step_up')
    const late = await proofFor(client, 'access_token')
    world.passSeconds(301)
    expect(await outcomeOf(client.call(accountRoutes.newAccessToken, { stepUpProof: late }))).toBe('auth.step_up')
  })

  test('a wrong password is reported, and guessing soon ends', async () => {
    await using world = await aSite()
    const { client, session } = await world.signedIn()
    const guess = (wrong: string) =>
      outcomeOf(
        client.call(accountRoutes.updateSelf, { body: { password: 'another horse', original_password: wrong } }),
      )
    expect(
      await outcomeOf(client.call(accountRoutes.stepUp, { body: { purpose: 'password', password: 'wrong' } })),
    ).toBe('user.password_original')
    const outcomes = new Set<unknown>()
    for (let call = 0; call < 25; call += 1) outcomes.add(await guess(`wrong ${call}`))
    expect([...outcomes]).toEqual(['user.password_original', 'rate.limited'])
    expect(await guess(password)).toBe('rate.limited')
    expect(session.userId).toBeGreaterThan(0)
  })

  test('the proof of an account without a password is a fresh sign-in', async () => {
    await using world = await aSite()
    const { client, id } = await world.signedIn({})
    expect(await outcomeOf(client.call(accountRoutes.stepUp, { body: { purpose: 'password', password: '' } }))).toBe(
      'auth.sign_in_again',
    )
    expect(await outcomeOf(client.call(accountRoutes.newAccessToken))).toBe('success')
    const scripts = await anAccessToken(world, id)
    expect(await outcomeOf(scripts.call(accountRoutes.deleteSelf))).toBe('auth.sign_in_again')
    world.passSeconds(601)
    expect(await outcomeOf(client.call(accountRoutes.deleteSelf))).toBe('auth.sign_in_again')
    expect(await outcomeOf(world.site.client(await world.site.signIn(id)).call(accountRoutes.deleteSelf))).toBe(
      'success',
    )
  })
})
