import type { NumberedMigration } from '../migration'
import { createPlans } from '../schema/plans'

/**
 * Plans, subscriptions, and the plan that an order buys or a code gives. A charge that a plan paid for stands in a journal as one that draws on no balance,
 * which an earlier release would take from the wallet.
 */
export const plans: NumberedMigration = { name: '0065-plans.needs-0065', up: createPlans }
