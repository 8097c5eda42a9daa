import type { EventTarget, optionRoutes } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import type { Call } from '../../http/handler'
import { sentence } from '../../http/language'
import { eventContent } from '../../messaging/mail/event-content'
import { sendTestMail } from '../../messaging/mail/send-test-mail'
import { addNotification } from '../../messaging/messages/add-notification'
import { mailRecipients, webhookNotice, type EventNotice } from '../../messaging/notices/deliver-event'
import { eventOutgoing, isTaken, targetsOf } from '../../messaging/notices/event-targets'
import { operatorsWith } from '../../messaging/notices/operators'
import { sendWebhook } from '../../messaging/notices/send-webhook'
import { randomHex } from '../../platform/random'

type EventTest = optionRoutes.EventTest

/** Sends a test to the caller's inbox, the addresses and the webhooks, past the queues. Resolves with what became of each. */
export async function testEvents(call: Call<'user'>): Promise<EventTest[]> {
  const at = call.ctx.clock.seconds()
  const others = { names: [], count: 0 }
  const notice: Test = { event: 'test', facts: { name: '' }, at, since: at, count: 1, others }
  const targets = targetsOf(call.ctx.catalog.current.options)
  const webhooks = Promise.all(targets.map((target) => testWebhook(call, target, notice)))
  return [await testInbox(call, notice), ...(await testMails(call, notice)), ...(await webhooks)]
}

type Test = EventNotice & { readonly event: 'test' }

async function testInbox({ ctx, caller }: Call<'user'>, params: Test): Promise<EventTest> {
  await ctx.database.query
    .transaction()
    .execute((transaction) => addNotification(ctx, caller.userId, { kind: 'operator-event', params }, transaction))
  return { target: 'inbox', to: '', outcome: 'sent', detail: '' }
}

/** One after the other: they are few, and mail servers dislike more. */
async function testMails({ ctx, caller, language }: Call<'user'>, notice: Test): Promise<EventTest[]> {
  const operators = await operatorsWith(ctx.database.query, 'settings.secure')
  const own = operators.filter(({ id }) => id === caller.userId)
  const content = eventContent(notice, ctx.catalog.current.options.ServerAddress)
  const results: EventTest[] = []
  for (const recipient of mailRecipients(ctx, own)) {
    const failure = await sendTestMail(ctx, { ...recipient, content }).then(() => null, failureOf)
    const detail = failure === null ? '' : sentence(failure.code, failure.params ?? {}, language)
    results.push({ target: 'mail', to: recipient.to, outcome: failure === null ? 'sent' : 'refused', detail })
  }
  return results
}

function failureOf(error: unknown): AppError {
  if (error instanceof AppError) return error
  throw error
}

async function testWebhook({ ctx }: Call<'user'>, target: EventTarget, notice: Test): Promise<EventTest> {
  const id = randomHex(ctx.random, 16)
  const body = JSON.stringify({ ...webhookNotice(ctx, notice), timestamp: notice.at })
  const outgoing = eventOutgoing(ctx, { id, target, body })
  if (!outgoing) return { target, to: '', outcome: 'address', detail: '' }
  const { status, response, failure } = await sendWebhook(ctx, outgoing)
  if (status === null) return { target, to: '', outcome: failure || 'unreachable', detail: '' }
  if (isTaken(target, status, response)) return { target, to: '', outcome: 'sent', detail: '' }
  return { target, to: '', outcome: 'refused', detail: `HTTP ${status} ${response}`.trim().slice(0, 300) }
}
