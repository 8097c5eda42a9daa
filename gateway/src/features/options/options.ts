import { optionRoutes } from '@tollgate/contract'

import { AppError } from '../../app-error'
import { mailAddress } from '../../accounts/mail-address'
import { handler, type Call, type Handler } from '../../http/handler'
import { sendTestMail } from '../../mail/send-test-mail'
import { changeOptions } from './change-options'
import { listOptions } from './list-options'

export const optionHandlers: readonly Handler[] = [
  handler(optionRoutes.listOptions, (_input, { ctx, caller }) => listOptions(ctx, caller)),
  handler(optionRoutes.setOption, async ({ body }, call) => {
    refuseInDemo(body.key, call)
    await changeOptions([body], call)
    return undefined
  }),
  handler(optionRoutes.setOptions, async ({ body }, call) => {
    await changeOptions(body.items, call)
    return undefined
  }),
  handler(optionRoutes.testMail, async ({ body }, { ctx, language }) => {
    await sendTestMail(ctx, { to: mailAddress(body.recipient), language })
    return undefined
  }),
]

/** A demonstration site changes nothing but that it is one. */
function refuseInDemo(key: string, { ctx }: Call<'user'>) {
  if (ctx.catalog.current.options.DemoSiteEnabled && key !== 'DemoSiteEnabled') throw new AppError('demo.read_only')
}
