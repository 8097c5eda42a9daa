import { fallbackLanguage, type Language } from './language'

/** Formats numbers, money and times for the reader's language. Pure. */

const locales: Record<Language, string> = { zh: 'zh-CN', en: 'en-US' }
const localeOf = (language: Language) => locales[language] ?? locales[fallbackLanguage]

const numberFormats = new Map<string, Intl.NumberFormat>()

/** Returns the formatter of these options. It is kept: making one takes as long as formatting dozens of numbers, and a table has hundreds. */
function numberFormat(language: Language, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = language + JSON.stringify(options)
  const cached = numberFormats.get(key)
  if (cached) return cached
  const created = new Intl.NumberFormat(localeOf(language), options)
  numberFormats.set(key, created)
  return created
}

/** 12,345 */
export const formatNumber = (value: number, language: Language): string =>
  numberFormat(language, { maximumFractionDigits: 6 }).format(value)

/** 12.3%, from a share of 0 to 1. */
export const formatShare = (share: number, language: Language): string =>
  numberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(share)

const units = [
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const

/** 950, 12.3k, 4.5M, 2B: the same letters in both languages, as specified. */
export function formatCompact(value: number): string {
  const size = Math.abs(value)
  for (const [unit, letter] of units) {
    // 999,950 rounds up into the next unit rather than to 1000.0k.
    if (size >= unit || (unit > 1e3 && size >= unit * 0.99995)) return trimZeros((value / unit).toFixed(1)) + letter
  }
  return trimZeros(value.toFixed(Number.isInteger(value) ? 0 : 2))
}

interface MoneyUnits {
  /** Quota units per US dollar. */
  readonly quotaPerUnit: number
  /** Dollars, or a compact quota. */
  readonly isCurrency: boolean
}

const minDigits = 2
const maxDigits = 6

/** Formats quota as dollars with two to six decimals, or as a compact number. */
export function formatMoney(quota: number, { quotaPerUnit, isCurrency }: MoneyUnits, language: Language): string {
  if (!isCurrency) return formatCompact(quota)
  return formatDollars(quota / quotaPerUnit, language)
}

/** $12.34, $0.000123: enough digits that an amount of a millionth or more is never shown as zero. */
export function formatDollars(dollars: number, language: Language): string {
  const size = Math.abs(dollars)
  const text = numberFormat(language, {
    minimumFractionDigits: minDigits,
    maximumFractionDigits: neededDecimals(size),
  }).format(size)
  return `${dollars < 0 ? '-' : ''}$${text}`
}

/** Returns how many decimals show three significant digits: two to six. */
export const neededDecimals = (size: number): number =>
  size === 0 || size >= 1 ? minDigits : Math.min(maxDigits, 2 - Math.floor(Math.log10(size)))

/** $0.000626, -$0.000100: as many decimals in every amount, so that they line up and add up. */
export function formatFixedDollars(dollars: number, digits: number, language: Language): string {
  const format = numberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return `${dollars < 0 ? '-' : ''}$${format.format(Math.abs(dollars))}`
}

/** CN¥73.00: a payment in a currency by its ISO 4217 code, with the decimals of the text. */
export function formatPaid(money: string, currency: string, language: Language): string {
  if (!/^[A-Z]{3}$/.test(currency)) return `${money} ${currency}`.trim()
  const digits = money.split('.')[1]?.length ?? 0
  return numberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(Number(money))
}

/** 2026-11-21 in the reader's time zone. */
export function formatDay(unixSeconds: number): string {
  const date = new Date(unixSeconds * 1000)
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
}

/** 2026-11-21 07:02:54 in the reader's time zone; the same in both languages, so that columns align. */
export function formatTime(unixSeconds: number): string {
  const date = new Date(unixSeconds * 1000)
  return `${formatDay(unixSeconds)} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}:${twoDigits(date.getSeconds())}`
}

const steps = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

const relativeFormats = new Map<Language, Intl.RelativeTimeFormat>()

/** Made once: a list has one in every row. */
function relativeFormat(language: Language): Intl.RelativeTimeFormat {
  const format = relativeFormats.get(language) ?? new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto' })
  relativeFormats.set(language, format)
  return format
}

/** "3 minutes ago", "in 2 days". */
export function formatAgo(unixSeconds: number, nowSeconds: number, language: Language): string {
  const difference = unixSeconds - nowSeconds
  const [unit, seconds] = steps.find(([, length]) => Math.abs(difference) >= length) ?? ['second', 1]
  const text = relativeFormat(language).format(Math.trunc(difference / seconds), unit)
  // Everywhere else, too, Chinese texts have a space between figures and words.
  return text.replace(/(\d)(?=\p{Script=Han})/u, '$1 ')
}

/** 850 ms, 1.2 s, 2 min 05 s, 2 h 55 min. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1000
  if (seconds < 60) return `${trimZeros(seconds.toFixed(1))} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${twoDigits(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`
}

const twoDigits = (value: number) => String(Math.floor(value)).padStart(2, '0')

/** Prices and ratios: at most this many digits, without trailing zeros. */
export const formatDecimal = (value: number, digits = 6): string => trimZeros(value.toFixed(digits))

const trimZeros = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns the number of letters, without blanks around them; one that takes two units of UTF-16 is one. */
export const lettersOf = (text: string): number => Array.from(text.trim()).length
