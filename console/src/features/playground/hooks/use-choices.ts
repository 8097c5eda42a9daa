import { createContext, useContext, useMemo } from 'react'
import { type ApiError, groupRoutes, modelRoutes, pricingRoutes } from '@tollgate/contract'

import { useEnvelope, useRead } from '../../../lib/api/query'
import { useViewer } from '../../../lib/api/session'
import { estimatedDollars } from '../session/cost'
import type { Answer } from '../session/session'

/** The models and groups that the reader may choose, and their prices. */
export interface Choices {
  readonly models: readonly string[]
  readonly groups: Readonly<Record<string, { readonly desc: string; readonly ratio: number }>>
  /** The default group. */
  readonly ownGroup: string
  /** Whether a group has a model, as far as the price list says. */
  readonly isServed: (model: string, group: string) => boolean
  /** Returns the id of a model's maker, as far as the price list says. */
  readonly makerOf: (model: string) => string | undefined
  /** Returns US dollars by the price list; undefined for models without a price. */
  readonly costOf: (answer: Answer) => number | undefined
}

interface ChoicesRead {
  readonly choices: Choices | undefined
  readonly error: ApiError | null
  readonly retry: () => void
}

const prices = { staleTime: 60_000 } as const

export function useChoices(): ChoicesRead {
  const { user } = useViewer()
  const models = useRead(modelRoutes.ownModels, { query: { chat: 'true' } })
  const groups = useRead(groupRoutes.ownGroups)
  const pricing = useEnvelope(pricingRoutes.pricing, undefined, prices)
  const choices = useMemo(() => {
    // Without the price list everything works except estimates.
    if (!models.data || !groups.data || (pricing.isPending && !pricing.error)) return undefined
    const own = user?.group ?? ''
    const ownGroup = groups.data[own] ? own : (Object.keys(groups.data)[0] ?? own)
    return choicesOf(models.data, groups.data, ownGroup, pricing.data)
  }, [models.data, groups.data, pricing.data, pricing.error, pricing.isPending, user?.group])
  return {
    choices,
    error: models.error ?? groups.error,
    retry: () => {
      void models.refetch()
      void groups.refetch()
    },
  }
}

interface PriceList {
  readonly data: readonly pricingRoutes.PricingRow[]
  readonly envelopeFields: { readonly group_ratio: Readonly<Record<string, number>> }
}

function choicesOf(
  models: readonly string[],
  groups: Choices['groups'],
  ownGroup: string,
  list: PriceList | undefined,
): Choices {
  const rows = new Map(list?.data.map((row) => [row.model_name, row]))
  return {
    models,
    groups,
    ownGroup,
    isServed: (model, group) => rows.get(model)?.enable_groups.includes(group) ?? true,
    makerOf: (model) => rows.get(model)?.owned_by || undefined,
    costOf({ usage, model, group }) {
      const row = rows.get(model)
      const ratio = list?.envelopeFields.group_ratio[group] ?? groups[group]?.ratio
      return usage && row && ratio !== undefined ? estimatedDollars(usage, row, ratio) : undefined
    },
  }
}

export const ChoicesContext = createContext<Choices | null>(null)

export function useKnownChoices(): Choices {
  const choices = useContext(ChoicesContext)
  if (!choices) throw new Error('there are no choices around this component')
  return choices
}
