import type { PriceEntry, PriceMode } from '@tollgate/contract'

import { usePriceText } from '../../../domain/price/use-price-text'
import { Tip } from '../../../components/tip'
import { hoursOf } from '../../../lib/text/price-entry/billing'
import { RetiredMark } from './model-cells'
import type { Offer } from './offers'
import classes from './models.module.css'

/** Retirement date of a model, and its modes and hours with other prices, each with its factor. */
export function OfferModes({ offer }: { readonly offer: Offer }) {
  const { entry, is_retired: isRetired, retires_on: end } = offer
  const words = usePriceText()
  const modes = (entry.modes ?? []).map((mode) => ({
    key: mode.name,
    name: words.modeName(mode),
    factor: factorOf(entry, mode),
    hint: words.when(mode),
  }))
  const hours = hoursOf(entry.schedules ?? []).map((hours) => ({
    key: `${hours.name} ${hours.zone}`,
    name: words.scheduleName(hours),
    factor: hours.factor,
    hint: [hours.zone, ...words.hours(hours)].join('\n'),
  }))
  const all = [...modes, ...hours]
  if (all.length === 0 && !isRetired && end === null) return null
  return (
    <span className={classes.modes}>
      <RetiredMark offer={offer} />
      {all.map(({ key, name, factor, hint }) => (
        <Tip key={key} label={hint}>
          <span className={classes.mode} tabIndex={0}>
            {name}
            {factor !== undefined && <span className="figures">{words.factor(factor)}</span>}
          </span>
        </Tip>
      ))}
    </span>
  )
}

/** Returns the factor for everything; for a mode with its own prices, its input price relative to the usual one. */
function factorOf({ prices }: PriceEntry, mode: PriceMode): number | undefined {
  const [own, usual] = [mode.prices?.input, prices.input]
  if (own === undefined) return mode.prices ? undefined : (mode.factor ?? 1)
  return usual ? (own / usual) * (mode.factor ?? 1) : undefined
}
