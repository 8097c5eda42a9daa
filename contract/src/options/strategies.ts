import * as z from 'zod'

import { refusal } from '../stored/phrases'
import { routingStrategies, type RoutingStrategy } from '../stored/routing-strategies'

/** The strategy for the calls of a group to some models. */
export interface RoutingRule {
  /** Absent: every group. */
  readonly group?: string
  /** As callers name it; `*` stands for any characters. */
  readonly model: string
  readonly strategy: RoutingStrategy
  /** How much cost, speed and calls in flight count in a mix, in relation to each other. Absent: 0. */
  readonly cost?: number
  readonly speed?: number
  readonly load?: number
}

const maxRules = 200

export const routingRules = (): z.ZodType<readonly RoutingRule[]> => {
  const part = z.number().min(0).max(1000).optional()
  return z
    .array(
      z
        .strictObject({
          group: z.string().trim().min(1).max(255).optional(),
          model: z.string().trim().min(1).max(255),
          strategy: z.enum(routingStrategies),
          cost: part,
          speed: part,
          load: part,
        })
        .refine(hasFittingParts, refusal('reason.mix_weights')),
    )
    .max(maxRules)
}

function hasFittingParts({ strategy, cost, speed, load }: RoutingRule): boolean {
  if (strategy === 'mix') return (cost ?? 0) + (speed ?? 0) + (load ?? 0) > 0
  return (cost ?? speed ?? load) === undefined
}
