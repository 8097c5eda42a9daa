import { sql } from 'kysely'

/**
 * What a user of the query spent from the wallet: calls but for those that plans paid for, and plans, less what was returned and what came with
 * orders for them.
 */
export const walletSpent = sql<number>`(users.used_quota
  + (select coalesce(sum(paid - used), 0) from subscriptions where subscriptions.user_id = users.id)
  - (select coalesce(sum(quota_credited - quota_taken), 0) from orders where orders.user_id = users.id and orders.plan_id > 0
      and orders.number in (select order_number from subscriptions where subscriptions.user_id = users.id)))`
