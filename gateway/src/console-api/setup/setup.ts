import { setupRoutes } from '@tollgate/contract'

import { handler, type Handler } from '../../http/handler'
import { requiresCode, hasRoot, isSetUp, setUp } from './set-up'

export const setupHandlers: readonly Handler[] = [
  handler(setupRoutes.getSetup, async (_input, call) => {
    const { ctx } = call
    const isDone = await isSetUp(ctx.database.query)
    return {
      status: isDone,
      root_init: isDone || (await hasRoot(ctx.database.query)),
      database_type: ctx.database.kind,
      code_required: !isDone && (await requiresCode(call)),
    }
  }),
  handler(setupRoutes.setUp, async ({ body }, call) => {
    call.audit.recordChange(
      {},
      {
        username: body.username,
        SelfUseModeEnabled: body.SelfUseModeEnabled,
        DemoSiteEnabled: body.DemoSiteEnabled,
      },
    )
    await setUp(body, call)
    return undefined
  }),
]
