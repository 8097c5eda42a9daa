import { useMutation } from '@tanstack/react-query'
import { channelPriceRoutes, optionRoutes, pricingRoutes, type ApiError } from '@tollgate/contract'
import * as z from 'zod'

import { call } from '../../../../lib/api/api'
import { notifyError } from '../../../../lib/browser/notify'
import { useRead, useRefresh } from '../../../../lib/api/query'
import { useViewer } from '../../../../lib/api/session'
import { tableNames, withDrafts, type PriceTables } from './price-draft'
import type { PriceDraft } from './price-parts'

const Table = z.record(z.string(), z.number())

/** Stores changed prices together. The tables are read again just before, so that concurrent changes survive. */
export function useSavePrices(onSaved: () => void) {
  const refresh = useRefresh()
  return useMutation<void, ApiError, readonly PriceDraft[]>({
    mutationFn: async (drafts) => {
      const before = tablesOf(await call(optionRoutes.listOptions))
      const after = withDrafts(before, drafts)
      const items = tableNames
        .map((key) => ({ key, value: JSON.stringify(after[key]) }))
        .filter(({ key, value }) => value !== JSON.stringify(before[key]))
      if (items.length > 0) await call(optionRoutes.setOptions, { body: { items } })
    },
    onSuccess: async () => {
      await refresh(channelPriceRoutes.modelPrices, optionRoutes.listOptions, pricingRoutes.pricing)
      onSaved()
    },
    onError: notifyError,
  })
}

/** Returns the models with an operator's price; others have a built-in one, or none. Only the super admin can read it. */
export function usePricedByOperator(): ReadonlySet<string> {
  const mayPrice = useViewer().may('prices.write')
  const { data } = useRead(optionRoutes.listOptions, undefined, { enabled: mayPrice })
  if (!data) return new Set()
  const tables = tablesOf(data)
  return new Set(tableNames.flatMap((name) => Object.keys(tables[name])))
}

const tableAt = (options: ReadonlyMap<string, string>, key: string) => {
  const text = options.get(key) ?? ''
  return Table.parse(text === '' ? {} : JSON.parse(text))
}

function tablesOf(rows: readonly { readonly key: string; readonly value: string }[]): PriceTables {
  const options = new Map(rows.map(({ key, value }) => [key, value]))
  const at = (key: string) => tableAt(options, key)
  return {
    ModelRatio: at('ModelRatio'),
    CompletionRatio: at('CompletionRatio'),
    ModelPrice: at('ModelPrice'),
    CacheRatio: at('CacheRatio'),
    CreateCacheRatio: at('CreateCacheRatio'),
    ImageRatio: at('ImageRatio'),
    AudioRatio: at('AudioRatio'),
    AudioCompletionRatio: at('AudioCompletionRatio'),
  }
}
