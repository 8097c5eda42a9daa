import { optionRoutes } from '@tollgate/contract'

import { handler, type Handler } from '../../http/handler'
import { changeOptions } from './change-options'
import { listOptions } from './list-options'

export const optionHandlers: readonly Handler[] = [
  handler(optionRoutes.listOptions, (_input, { ctx }) => listOptions(ctx)),
  handler(optionRoutes.setOption, async ({ body }, call) => {
    await changeOptions([body], call)
    return undefined
  }),
  handler(optionRoutes.setOptions, async ({ body }, call) => {
    await changeOptions(body.items, call)
    return undefined
  }),
]
