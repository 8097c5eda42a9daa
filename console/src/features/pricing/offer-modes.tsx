import type { PriceEntry, PriceMode } from '@tollgate/contract'

import { usePriceWords } from '../../components/price/use-price-words'
import { Tip } from '../../components/tip'
import { hoursOf } from '../../lib/price-entry/schedule'
import classes from './pricing.module.css'

/** The modes and hours of an entry that have another price, each with its factor. */
export function OfferModes({ entry }: { readonly entry: PriceEntry }) {
  const words = usePriceWords()
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
  if (all.length === 0) return null
  return (
    <span className={classes.modes}>
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

/** On everything; of a mode with prices of its own, what its input costs against the usual. */
function factorOf({ prices }: PriceEntry, mode: PriceMode): number | undefined {
  const [own, usual] = [mode.prices?.input, prices.input]
  if (own === undefined) return mode.prices ? undefined : (mode.factor ?? 1)
  return usual ? (own / usual) * (mode.factor ?? 1) : undefined
}
