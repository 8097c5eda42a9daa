import type { ClassPrices, PriceEntry } from '@tollgate/contract'

/** Returns an entry with prices in the place of classes that are told as a factor of another. */
export function inPrices({ ratios, ...entry }: PriceEntry): PriceEntry {
  if (!ratios) return entry
  const { input } = entry.prices
  const { audio_out, ...ofInput } = ratios
  const told: ClassPrices = {}
  if (input !== undefined)
    for (const [name, ratio] of Object.entries(ofInput)) Object.assign(told, { [name]: exact(input * ratio) })
  const prices = { ...told, ...entry.prices }
  const audio = prices.audio_in ?? input
  if (audio_out !== undefined && prices.audio_out === undefined && audio !== undefined)
    prices.audio_out = exact(audio * audio_out)
  return { ...entry, prices }
}

/** Without the noise of binary fractions. */
const exact = (value: number): number => Number(value.toPrecision(12))
