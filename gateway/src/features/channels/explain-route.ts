import type { Context } from '../../context'
import { tiersOf } from '../../routing/tiers'
import { shareOf } from '../../routing/weights'

/** Who would serve a model for a group: tiers in the order they are asked, and how calls spread inside each. */
export function explainRoute(ctx: Context, group: string, model: string) {
  const tiers = tiersOf(ctx.catalog.current, group, model).map((tier) => ({
    priority: tier.priority,
    channels: tier.candidates.map((candidate) => {
      const { channel, weight, model: bare } = candidate
      return {
        id: channel.id,
        name: channel.name,
        weight,
        share: shareOf(candidate, tier),
        is_healthy: !ctx.health.isFailing(channel, bare),
        upstream_model: channel.modelMapping.get(bare) ?? bare,
      }
    }),
  }))
  return { tiers }
}
