import { useMutation } from '@tanstack/react-query'
import { channelPriceRoutes, optionRoutes, pricingRoutes, type ApiError } from '@tollgate/contract'
import * as z from 'zod'

import { call } from '../../../lib/api'
import { notifyError } from '../../../lib/notify'
import { useRefresh } from '../../../lib/query'
import { tableNames, withDrafts, type PriceDraft, type PriceTables } from './price-draft'

const Table = z.record(z.string(), z.number())

/** Store changed prices together. The tables are read anew just before, so that prices set elsewhere meanwhile stay. */
export function useSavePrices(onSaved: () => void) {
  const refresh = useRefresh()
  return useMutation<void, ApiError, readonly PriceDraft[]>({
    mutationFn: async (drafts) => {
      const rows = await call(optionRoutes.listOptions)
      const before = tablesOf(new Map(rows.map(({ key, value }) => [key, value])))
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

const tableAt = (options: ReadonlyMap<string, string>, key: string) => {
  const text = options.get(key) ?? ''
  return Table.parse(text === '' ? {} : JSON.parse(text))
}

const tablesOf = (options: ReadonlyMap<string, string>): PriceTables => ({
  ModelRatio: tableAt(options, 'ModelRatio'),
  CompletionRatio: tableAt(options, 'CompletionRatio'),
  ModelPrice: tableAt(options, 'ModelPrice'),
})
