import { auditRoutes } from '@tollgate/contract'

import { handler, type Handler } from '../../http/handler'
import { exportAudit } from './export-audit'
import { findAudit } from './find-audit'

export const auditHandlers: readonly Handler[] = [
  handler(auditRoutes.listAudit, ({ query }, { ctx, caller }) => findAudit(ctx, caller, query)),
  handler(auditRoutes.exportAudit, ({ query }, call) => exportAudit(query, call)),
]
