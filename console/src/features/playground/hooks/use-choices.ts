import { createContext, useContext, useMemo } from 'react'
import { type ApiError, groupRoutes, modelRoutes, pricingRoutes } from '@tollgate/contract'

import { useEnvelope, useRead } from '../../../lib/api/query'
import { useViewer } from '../../../lib/api/session'
import { estimatedDollars } from '../session/cost'
import type { Answer } from '../session/session'

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
    return new Choices(models.data, groups.data, ownGroup, pricing.data)
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

type Groups = Readonly<Record<string, { readonly desc: string; readonly ratio: number }>>

/** The models and groups that the reader may choose, and their prices. */
export class Choices {
  readonly models: readonly string[]
  readonly groups: Groups
  /** The default group. */
  readonly ownGroup: string
  readonly #rows: ReadonlyMap<string, pricingRoutes.PricingRow>
  readonly #ratios: Readonly<Record<string, number>> | undefined

  constructor(models: readonly string[], groups: Groups, ownGroup: string, list: PriceList | undefined) {
    this.models = models
    this.groups = groups
    this.ownGroup = ownGroup
    this.#rows = new Map(list?.data.map((row) => [row.model_name, row]))
    this.#ratios = list?.envelopeFields.group_ratio
  }

  /** Whether a group has a model, as far as the price list says. */
  isServed(model: string, group: string): boolean {
    return this.#rows.get(model)?.enable_groups.includes(group) ?? true
  }

  /** Returns the id of a model's maker, as far as the price list says. */
  makerOf(model: string): string | undefined {
    return this.#rows.get(model)?.owned_by || undefined
  }

  /** Returns US dollars by the price list; undefined for models without a price. */
  costOf({ usage, model, group }: Answer): number | undefined {
    const row = this.#rows.get(model)
    const ratio = this.#ratios?.[group] ?? this.groups[group]?.ratio
    return usage && row && ratio !== undefined ? estimatedDollars(usage, row, ratio) : undefined
  }
}

export const ChoicesContext = createContext<Choices | null>(null)

export function useKnownChoices(): Choices {
  const choices = useContext(ChoicesContext)
  if (!choices) throw new Error('there are no choices around this component')
  return choices
}
