import * as z from 'zod'

/** How a channel is chosen among those of a priority level. `weight` is the default; `mix` weighs the other three. */
export const routingStrategies = ['weight', 'cheapest', 'fastest', 'least_busy', 'mix'] as const
export type RoutingStrategy = (typeof routingStrategies)[number]

/**
 * Why a strategy chose a channel. `score`: drawn by its score. `room`: less busy than the other one that was drawn. `conversation`: by the
 * scores of some minutes ago, so that the conversation stays. `trial`: by weight, so that every channel is tried.
 */
export const choiceBases = ['score', 'room', 'conversation', 'trial'] as const

/** How a strategy chose a channel. */
export const ChoiceReason = z.object({
  strategy: z.enum(routingStrategies),
  basis: z.enum(choiceBases),
  /** The channel's score, in relation to the best of its priority level: 0 to 1. */
  score: z.number(),
})
export type ChoiceReason = z.output<typeof ChoiceReason>
