import { priceRoutes, pricingRoutes, type PriceClass, type PriceEntry, type ClassPrices } from '@tollgate/contract'
import { inPrices } from '@tollgate/contract/price-formula'

import { UndoText } from '../../../components/dialogs/undo-text'
import { useSecondLook } from '../../../components/dialogs/use-second-look'
import { usePriceText } from '../../../domain/price/use-price-text'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { priceText } from '../../../lib/text/prices'
import { useWrite } from '../../../lib/api/query'
import { ownOf, isEmptyEntry, withPrice } from './own-entry'
import { isUnusual } from '../../../lib/text/unusual'

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
  const { className } = usePriceText()
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

/** In dollars, of a class that has no price so far: for a million tokens, a call, an image. */
const usualPrice = 1

/** Returns the prices of a new entry that are far above those a model has and those of the list, with their classes. */
export function unusualPrices(
  entry: PriceEntry,
  { sale, list }: Pick<priceRoutes.PriceRow, 'sale' | 'list'>,
): readonly (readonly [PriceClass, number])[] {
  const known = [sale, list].flatMap((one) => (one ? pricesIn(inPrices(one)) : []))
  return pricesIn(inPrices(entry)).filter(([name, price], at, all) => {
    if (all.findIndex(([other]) => other === name) !== at) return false
    const usual = known.flatMap(([other, known]) => (other === name && known > 0 ? [known] : []))
    return isUnusual(price, ...(usual.length > 0 ? usual : [usualPrice]))
  })
}

/** Returns all prices of an entry, of tiers and modes too, the highest first. */
function pricesIn({ prices, tiers = [], modes = [] }: PriceEntry): readonly (readonly [PriceClass, number])[] {
  const ofModes = modes.flatMap((mode) => [mode.prices ?? {}, ...(mode.tiers ?? []).map((tier) => tier.prices)])
  const all: readonly ClassPrices[] = [prices, ...tiers.map((tier) => tier.prices), ...ofModes]
  return all
    .flatMap((each) => Object.entries(each).map(([name, price]) => [name as PriceClass, price] as const))
    .toSorted(([, one], [, other]) => other - one)
}
