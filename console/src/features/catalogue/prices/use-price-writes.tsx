import { priceRoutes, pricingRoutes, type PriceClass, type PriceEntry } from '@tollgate/contract'

import { UndoText } from '../../../components/dialogs/undo-text'
import { useSecondLook } from '../../../components/dialogs/use-second-look'
import { usePriceWords } from '../../../domain/price/use-price-words'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { priceText } from '../../../lib/text/prices'
import { useWrite } from '../../../lib/api/query'
import { ownOf, isEmptyEntry, withPrice } from './own-entry'
import { unusualPrices } from './unusual-prices'

/** Reads that show prices. */
export const priceReads = [priceRoutes.listPrices, priceRoutes.getPrice, pricingRoutes.pricing]

type Row = Pick<priceRoutes.PriceRow, 'model' | 'own' | 'sale' | 'list'>

interface WritesOptions {
  /** The caller shows why a write was refused. */
  readonly isQuiet?: boolean
}

/** Writes of the price of one model. Render `dialog`, which asks once more about prices far above the usual. */
export function usePriceWrites({ isQuiet = false }: WritesOptions = {}) {
  const { t } = useTranslation('prices')
  const options = { changes: priceReads, ...(isQuiet && { onError: () => {} }) }
  const put = useWrite(priceRoutes.putPrices, options)
  const remove = useWrite(priceRoutes.deletePrices, options)
  const { className } = usePriceWords()
  const { isMeant, dialog } = useSecondLook()

  const write = async (model: string, entry: PriceEntry | null): Promise<void> => {
    if (entry && !isEmptyEntry(entry)) await put.mutateAsync({ body: { items: [{ model, entry }] } })
    else await remove.mutateAsync({ body: { models: [model] } })
  }

  /** Stores an operator's entry, or with null restores the list price, and offers to undo it. Resolves with false where it was not meant. */
  const replace = async (row: Row, entry: PriceEntry | null): Promise<boolean> => {
    const unusual = entry ? unusualPrices(entry, row) : []
    if (!(await isMeant(unusual.map(([name, price]) => ({ name: className(name), amount: priceText(price) })))))
      return false
    const before = ownOf(row)
    await write(row.model, entry)
    notifySuccess(
      <UndoText
        text={t(entry && !isEmptyEntry(entry) ? 'done.saved' : 'done.listed', { model: row.model })}
        label={t('undo')}
        doneText={t('done.undone', { model: row.model })}
        onUndo={() => write(row.model, before)}
      />,
    )
    return true
  }

  return {
    dialog,
    isSaving: put.isPending || remove.isPending,
    replace,
    /** Sets the price of one class; null: the list price again. */
    setPrice: async (row: Row, name: PriceClass, price: number | null): Promise<void> => {
      if (!(await replace(row, withPrice(ownOf(row), name, price)))) throw new Error('The price was not meant')
    },
    toList: (row: Row) => replace(row, null),
    listAll: async (models: readonly string[]): Promise<void> => {
      const count = await remove.mutateAsync({ body: { models: [...models] } })
      notifySuccess(t('done.allListed', { count }))
    },
  }
}
export type PriceWrites = ReturnType<typeof usePriceWrites>
