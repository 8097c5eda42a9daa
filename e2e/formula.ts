/** The published price formula, implemented a second time from exact decimals, independent of the gateway's code. */
export interface Priced {
  readonly model: number
  readonly completion?: number
  readonly cache?: number
  readonly image?: number
  readonly audio?: number
  readonly audioCompletion?: number
  readonly group?: number
}

export interface Used {
  readonly prompt: number
  readonly completion: number
  readonly cached?: number
  readonly image?: number
  readonly audio?: number
  readonly audioOut?: number
}

/** Returns the quota for one call by tokens. One quota is one prompt token at ratio 1; at least 1 where anything was used. */
export function quotaByTokens(price: Priced, used: Used): number {
  const { cached = 0, image = 0, audio = 0, audioOut = 0 } = used
  const plain = decimal(used.prompt - cached - image - audio)
  const parts = [
    plain,
    times(cached, price.cache),
    times(image, price.image),
    times(audio, price.audio),
    times(used.completion - audioOut, price.completion),
    product(times(audioOut, price.audio), decimal(price.audioCompletion ?? 1)),
  ]
  const sum = parts.reduce((total, part) => total + part, 0n)
  const quota = roundUnits(product(product(sum, decimal(price.model)), decimal(price.group ?? 1)))
  const isFree = price.model === 0 || price.group === 0
  return quota === 0 && !isFree && used.prompt + used.completion > 0 ? 1 : quota
}

/** Returns the quota for one call at a fixed price in US dollars. */
export const quotaByCall = (usd: number, group = 1): number =>
  roundUnits(product(product(decimal(usd), decimal(500_000)), decimal(group)))

const unit = 10n ** 18n

/** Returns a number, as the decimal it is written as, in units of 10^-18. */
function decimal(value: number): bigint {
  const [whole = '0', fraction = ''] = value.toFixed(12).replace('-', '').split('.')
  const magnitude = BigInt(whole) * unit + BigInt(fraction.padEnd(18, '0'))
  return value < 0 ? -magnitude : magnitude
}

const product = (one: bigint, other: bigint): bigint => (one * other) / unit
const times = (tokens: number, ratio = 1): bigint => product(decimal(tokens), decimal(ratio))
const roundUnits = (value: bigint): number => Number((value + unit / 2n) / unit)
