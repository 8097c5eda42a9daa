import type { Handler } from '../http/handler'
import { selfHandlers } from './accounts-self/self'
import { sessionHandlers } from './accounts-self/sessions'
import { auditHandlers } from './audit/audit'
import { channelHandlers } from './channels/channels'
import { dashboardHandlers } from './dashboard/dashboard'
import { groupHandlers } from './groups/groups'
import { logHandlers } from './logs/logs'
import { modelHandlers } from './models/models'
import { optionHandlers } from './options/options'
import { pricingHandlers } from './pricing/pricing'
import { setupHandlers } from './setup/setup'
import { siteTextHandlers } from './site-texts/site-texts'
import { statusHandlers } from './status/status'
import { tokenHandlers } from './tokens/tokens'
import { userHandlers } from './users/users'

/** What the console API answers with: the one list of handlers. */
export const handlers: readonly Handler[] = [
  ...setupHandlers,
  ...statusHandlers,
  ...siteTextHandlers,
  ...sessionHandlers,
  ...selfHandlers,
  ...userHandlers,
  ...groupHandlers,
  ...modelHandlers,
  ...tokenHandlers,
  ...channelHandlers,
  ...optionHandlers,
  ...logHandlers,
  ...auditHandlers,
  ...dashboardHandlers,
  ...pricingHandlers,
]
