import { optionRoutes } from '@tollgate/contract'

import { mailAddress } from '../../accounts/users/mail-address'
import { handler, type Handler } from '../../http/handler'
import { sendTestMail } from '../../messaging/mail/send-test-mail'
import { testBucket } from '../../tasks/bucket/test-bucket'
import { changeOptions } from './change-options'
import { listOptions } from './list-options'
import { optionHistory } from './option-history'
import { proxyView } from './proxy-view'
import { testEvents } from './test-events'

export const optionHandlers: readonly Handler[] = [
  handler(optionRoutes.listOptions, (_input, { ctx, caller }) => listOptions(ctx, caller)),
  handler(optionRoutes.setOption, async ({ body }, call) => {
    await changeOptions([body], call)
    return undefined
  }),
  handler(optionRoutes.setOptions, async ({ body }, call) => {
    await changeOptions(body.items, call)
    return undefined
  }),
  handler(optionRoutes.optionHistory, ({ query }, { ctx, caller }) => optionHistory(query, ctx, caller)),
  handler(optionRoutes.proxyView, (_input, call) => Promise.resolve(proxyView(call))),
  handler(optionRoutes.testMail, async ({ body }, { ctx, language }) => {
    await sendTestMail(ctx, { to: mailAddress(body.recipient), language })
    return undefined
  }),
  handler(optionRoutes.testEvents, (_input, call) => testEvents(call)),
  handler(optionRoutes.testBucket, async (_input, { ctx }) => {
    await testBucket(ctx)
    return undefined
  }),
]
