import { checkInRoutes, redemptionRoutes, tokenRoutes, userRoutes } from '@tollgate/contract'

import { endExpiringQuota } from '../src/billing/expiring-quota/end-expiring-quota'
import { settleCommissions } from '../src/billing/payments/settle-commissions'
import { checkInHandlers } from '../src/console-api/check-in/check-in'
import { redeemHandlers, redemptionHandlers } from '../src/console-api/redemption-codes/redemption-codes'
import { tokenHandlers } from '../src/console-api/tokens/tokens'
import { userHandlers } from '../src/console-api/users/users'
import type { DatabaseKind } from '../src/platform/store/database'
import { lineState } from '../src/tasks/batches/batch-lines'
import { FileWriter } from '../src/tasks/files/write-file'
import { aTask } from './a-task'
import { createTestConsole } from './console-client'
import { eventually } from './eventually'
import { aCharge } from './ledger'
import { aWindow } from './windows'
import { aPaymentSite, notificationOf, notify } from './payment-site'

/**
 * A site where each kind of credit and of spending has happened an hour ago. Ann has a window, a limited key, two calls, a call in flight and a song
 * that is being made; Ben has an unlimited key and a call; Cara paid an order with a bonus, by which Dan earned, and had quota that expired;
 * Eve has a batch that is run, and a file.
 */
export async function aSpentSite(kind: DatabaseKind) {
  const world = await aPaymentSite(kind, { CheckInEnabled: 'true', CheckInQuota: '1000', QuotaForNewUser: '0' })
  const { ctx } = world
  const { query } = ctx.database
  const console = createTestConsole(ctx, [
    ...userHandlers,
    ...checkInHandlers,
    ...tokenHandlers,
    ...redemptionHandlers,
    ...redeemHandlers,
  ])
  const as = async (id: number) => console.client(await console.signIn(id))
  await query
    .insertInto('channels')
    .values({ type: 1, name: 'first', key_sealed: '', tag: null, created_time: world.now() })
    .execute()
  const root = await as((await world.aRoot()).id)
  const people = [await world.aUser(), await world.aUser()] as const
  const [ann, ben] = people
  for (const { id } of people)
    await root.call(userRoutes.manageUser, { body: { id, action: 'add_quota', value: 2_000_000 } })
  const operation = { operation_id: 'spring-gift', quota: 500, reason: 'spring' }
  await root.call(userRoutes.changeUsers, { body: { ids: people.map(({ id }) => id), ...operation } })
  const annHere = await as(ann.id)
  await annHere.call(checkInRoutes.checkIn)
  const [code = ''] = await root.call(redemptionRoutes.createRedemptions, { body: { name: 'gift', quota: 7000 } })
  await annHere.call(redemptionRoutes.redeemCode, { body: { key: code } })
  const { fields } = await ann.pay(10)
  await notify(world, notificationOf(fields))
  await addInvitation()
  await addPromotions()

  const limited = { name: 'limited', remain_quota: 900_000, unlimited_quota: false }
  const key = await annHere.call(tokenRoutes.createToken, { body: limited })
  const other = await (
    await as(ben.id)
  ).call(tokenRoutes.createToken, { body: { name: 'free', unlimited_quota: true } })
  const limit = { measure: 'quota', span: 'always', limit_amount: 100_000 } as const
  const windows = [await aWindow(ctx.database, ann.id, limit)]
  const payer = { userId: ann.id, tokenId: key.id, isTokenLimited: true, windows }
  const inFlight = await ctx.ledger.reserve('in-flight', payer, 100)
  await spend('ann-1', payer, 100)
  await spend('ann-2', payer, 200)
  await spend('ben-1', { userId: ben.id, tokenId: other.id, isTokenLimited: false }, 300)
  const task = aTask({ public_id: 'song-1', user_id: ann.id, token_id: key.id })
  await ctx.ledger.hold({ id: 'song-1', payer, amount: 5000 }, (transaction) =>
    transaction.insertInto('tasks').values(task).execute(),
  )
  await addBatchAndFile()
  await eventually(async () => (await query.selectFrom('charges').select('quota').execute()).length === 4 || undefined)
  world.passSeconds(3600)
  return {
    ...world,
    ann,
    tokens: annHere,
    async [Symbol.asyncDispose]() {
      // A ledger waits for calls in flight before it closes.
      ctx.ledger.release(inFlight)
      await world[Symbol.asyncDispose]()
    },
  }

  async function addConversation(userId: number) {
    const conversation = await ctx.turns.createConversation({
      id: 'conv_1',
      userId,
      tokenId: 0,
      metadata: { of: '雪' },
    })
    const origin = { channelId: 1, keyFingerprint: '', dialect: 'openai-responses' } as const
    await ctx.turns.append(conversation, {
      items: [{ id: 'msg_1', item: { type: 'message', content: 'höhe' } }],
      origin,
    })
    const input = [{ role: 'user', content: 'hi' }]
    ctx.turns.add({
      id: 'resp_1',
      previousId: null,
      origin,
      input,
      response: { id: 'resp_1', output: [] },
      userId,
      tokenId: 0,
    })
    await eventually(
      async () => (await query.selectFrom('response_turns').select('bytes').execute()).length > 0 || undefined,
    )
  }

  /** A batch that runs has a line that succeeded and one that waits; its calls cost nothing. */
  async function addBatchAndFile() {
    const eve = await world.aUser()
    await root.call(userRoutes.manageUser, { body: { id: eve.id, action: 'add_quota', value: 2000 } })
    const payer = { userId: eve.id, tokenId: 0, isTokenLimited: false }
    const id = `batch_${'a'.repeat(24)}`
    const task = aTask({ public_id: id, platform: 'batch', user_id: eve.id, token_id: 0 })
    await ctx.ledger.hold({ id, payer, amount: 70 }, (transaction) =>
      transaction.insertInto('tasks').values(task).execute(),
    )
    await spend(`${id}-1`, payer, 0)
    const batch = { task_id: id, dialect: 'openai', endpoint: '', key_sealed: '', total: 2, completed: 1 }
    await query
      .insertInto('batches')
      .values({ ...batch, claimed_until: 1, created_at: world.now(), expires_at: 1e10 })
      .execute()
    const line = { batch_id: id, model: 'm', max_quota: 1, min_quota: 1, bytes: 1, content: Buffer.from('x') }
    await query
      .insertInto('batch_lines')
      .values([
        { ...line, line: 1, state: lineState.succeeded },
        { ...line, line: 2, state: lineState.waiting },
      ])
      .execute()
    await addConversation(eve.id)
    const writer = await FileWriter.begin(ctx, { publicId: 'file-tg1', userId: eve.id, tokenId: 0 })
    await writer.write(Buffer.from('words'))
    await writer.flush()
    await writer.finish({ purpose: 'vision', filename: 'a', contentType: 'text/plain', lifeSeconds: 1e6 }, () =>
      Promise.resolve(),
    )
  }

  async function addPromotions() {
    await world.set({ TopUpBonuses: '[{"from":1,"quota":1000}]', InvitationCommissionRate: '10' })
    await world.set({ InvitationCommissionDelayDays: '0' })
    const [dan, cara] = [await world.aUser(), await world.aUser()]
    const facts = { inviter_id: dan.id, invitee_id: cara.id, address: '', device_hash: '', created_at: world.now() }
    await query
      .insertInto('invitations')
      .values({ ...facts, inviter_quota: 0, invitee_quota: 0, state: 'rewarded' })
      .execute()
    const { fields } = await cara.pay(10)
    await notify(world, notificationOf(fields))
    const { signal } = new AbortController()
    await settleCommissions(ctx, signal)
    const [key = ''] = await root.call(redemptionRoutes.createRedemptions, {
      body: { name: 'may', quota: 70, quota_days: 1 },
    })
    await (await as(cara.id)).call(redemptionRoutes.redeemCode, { body: { key } })
    await query.updateTable('expiring_quota').set({ ends_at: world.now() }).execute()
    await endExpiringQuota(ctx, signal)
  }

  async function spend(requestId: string, payer: Parameters<typeof ctx.ledger.reserve>[1], cost: number) {
    const reservation = await ctx.ledger.reserve(requestId, payer, 1000)
    const measures = { wholeMs: 1200, firstTokenMs: null, cachedTokens: 0, cacheSaved: 0 }
    const entry = { createdAt: world.now(), measures, other: JSON.stringify({ use_time_ms: 1200 }) }
    await ctx.ledger.charge(reservation, aCharge(cost, entry))
  }

  /** Ben was invited by Ann, who moved a part of her reward to her balance. */
  async function addInvitation() {
    const facts = { inviter_id: ann.id, invitee_id: ben.id, address: '', device_hash: '', created_at: world.now() }
    await query
      .insertInto('invitations')
      .values({ ...facts, inviter_quota: 50, invitee_quota: 30, state: 'rewarded' })
      .execute()
    await query.updateTable('users').set({ aff_quota: 30, aff_history_quota: 50 }).where('id', '=', ann.id).execute()
    await ctx.ledger.credit({ id: `invitation:${ben.id}`, userId: ben.id, kind: 'invitation', amount: 30 })
    await ctx.ledger.credit({ id: 'invitation-transfer:1', userId: ann.id, kind: 'invitation', amount: 20 })
  }
}

export type SpentSite = Awaited<ReturnType<typeof aSpentSite>>
