import { messageRoutes, pageOf, searchPageOf, type RouteInput } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { handler, type Call, type Handler } from '../../http/handler'
import { sentence } from '../../http/language'
import { isMailSetUp } from '../../messaging/mail/smtp'
import { audienceSize, lastUserId } from '../../messaging/messages/audience'
import { removeMessage } from '../../messaging/messages/remove-message'
import { YieldingPace } from '../../platform/store/pace'
import { inboxHandlers, messageId } from './inbox'
import { findMessages, messageRow, oneMessage } from './find-messages'
import { findRecipients } from './recipients'
import { editMessage, sendMessage } from './write-message'

/** An administrator waits for it: it gives way to calls, but does not rest for long. */
const paceOf = ({ database, clock, timers }: Call['ctx']) =>
  new YieldingPace({ ...database, clock, timers, calls: () => 0 })

const confirm = (code: 'created' | 'updated' | 'deleted', { language }: Pick<Call, 'language'>) => ({
  message: sentence(`done.message_${code}`, {}, language),
})

async function create(body: messageRoutes.NewMessage, call: Call<'user'>) {
  const { ctx, caller, audit } = call
  const id = await sendMessage(ctx, caller.userId, body, paceOf(ctx))
  const data = await oneMessage(ctx, id)
  const { title, format, send_mail, audience, stats } = data
  audit.target('message', id, title)
  audit.recordChange({}, { title, format, send_mail, audience, recipients: stats.total_recipients })
  return { data, envelopeFields: confirm('created', call) }
}

async function edit({ params, body }: RouteInput<typeof messageRoutes.updateMessage>, call: Call<'user'>) {
  const { ctx, audit } = call
  const id = messageId(params.id)
  const before = await messageRow(ctx, id)
  const after = await editMessage(ctx, before, body)
  audit.target('message', id, after.title)
  audit.recordChange({ title: before.title, content: before.content, format: before.format }, after)
  return { data: await oneMessage(ctx, id), envelopeFields: confirm('updated', call) }
}

async function remove({ params }: RouteInput<typeof messageRoutes.deleteMessage>, call: Call<'user'>) {
  const { ctx, audit } = call
  const { id, title, total_recipients: recipients } = await messageRow(ctx, messageId(params.id))
  audit.target('message', id, title)
  audit.recordChange({ title, recipients }, {})
  if (!(await removeMessage(ctx, id, paceOf(ctx)))) throw new AppError('message.none')
  return { data: undefined, envelopeFields: confirm('deleted', call) }
}

async function countAudience({ query }: RouteInput<typeof messageRoutes.countAudience>, { ctx }: Call<'user'>) {
  const { kind, group = '', role = 0, model = '' } = query
  const value = { all: '', group, role: String(role), model }[kind]
  const created_at = ctx.clock.seconds()
  const last_user_id = await lastUserId(ctx.database.query)
  const audience = { audience: kind, audience_value: value, last_user_id, created_at }
  const size = await audienceSize(ctx.database.query, audience, paceOf(ctx))
  return { ...size, can_mail: isMailSetUp(ctx.catalog.current.options) }
}

export const messageHandlers: readonly Handler[] = [
  ...inboxHandlers,
  handler(messageRoutes.listMessages, ({ query: { keyword, ...query } }, { ctx }) =>
    findMessages(ctx, { keyword }, pageOf(query)),
  ),
  handler(messageRoutes.searchMessages, ({ query }, { ctx }) => findMessages(ctx, query, pageOf(query))),
  handler(messageRoutes.countAudience, countAudience),
  handler(messageRoutes.getMessage, ({ params }, { ctx }) => oneMessage(ctx, messageId(params.id))),
  handler(messageRoutes.listRecipients, async ({ params, query }, { ctx }) => {
    const message = await messageRow(ctx, messageId(params.id))
    const found = await findRecipients(ctx, message, query.is_read, searchPageOf(query))
    return query.p === undefined ? found.items : found
  }),
  handler(messageRoutes.createMessage, ({ body }, call) => create(body, call)),
  handler(messageRoutes.updateMessage, edit),
  handler(messageRoutes.deleteMessage, remove),
]
