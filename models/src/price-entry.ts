/** US dollars for a million tokens. */
export const tokenClasses = [
  'input',
  'output',
  'cache_read',
  'cache_read_audio',
  'cache_write_5m',
  'cache_write_1h',
  'image_in',
  'image_out',
  'audio_in',
  'audio_out',
  'reasoning',
] as const
export type TokenClass = (typeof tokenClasses)[number]

/** US dollars for one; `per_character` for a million characters. */
export const unitClasses = ['per_call', 'per_second', 'per_image', 'per_character'] as const
export type UnitClass = (typeof unitClasses)[number]

/** US dollars for a thousand calls of a built-in tool of the vendor. */
export const toolClasses = ['web_search', 'file_search', 'code_interpreter', 'image_generation'] as const
export type ToolClass = (typeof toolClasses)[number]

export const priceClasses = [...tokenClasses, ...unitClasses, ...toolClasses] as const
export type PriceClass = (typeof priceClasses)[number]

/** What is not here follows from what is: see the gateway's rules for classes without a price. */
export type ClassPrices = { readonly [Class in PriceClass]?: number }

/** Classes that may be written as a factor: of the price of `input`, `audio_out` of that of `audio_in`. */
export const ratioClasses = [
  'output',
  'cache_read',
  'cache_read_audio',
  'cache_write_5m',
  'cache_write_1h',
  'image_in',
  'image_out',
  'audio_in',
  'audio_out',
  'reasoning',
] as const
export type RatioClass = (typeof ratioClasses)[number]
export type ClassRatios = { readonly [Class in RatioClass]?: number }

/** Applies to the whole call once its input is longer than `above`. */
export interface PriceTier {
  /** Input tokens, cached ones included. */
  readonly above: number
  /** Classes that are not here cost what they do below the tier. */
  readonly prices: ClassPrices
}

/** What an answer can say about how it was served. */
export const modeFields = ['service_tier', 'speed', 'region', 'batch', 'size', 'quality'] as const
export type ModeField = (typeof modeFields)[number]

/**
 * A way of being served that has a price of its own. What the answer says decides, not what the request asked for. Modes are
 * tried in their order; one is skipped when a field it looks at was already matched by one before it.
 */
export interface PriceMode {
  /** Names it in log rows and on the price page. */
  readonly name: string
  /** All of them must be what the answer says: `{ service_tier: 'priority' }`. At least one. */
  readonly match: { readonly [Field in ModeField]?: string }
  /** On everything that the call costs. Default 1. */
  readonly factor?: number
  /** Replace the entry's own classes, in each of its tiers too. */
  readonly prices?: ClassPrices
  /** Replacements of `prices` for long inputs. */
  readonly tiers?: readonly PriceTier[]
}

/** Hours in which everything costs a multiple. The first that applies when the call begins counts. */
export interface PriceSchedule {
  readonly name: string
  /** IANA time zone, as `Asia/Shanghai`. */
  readonly zone: string
  /** 1 is Monday, 7 Sunday: the day on which the hours begin. */
  readonly days: readonly number[]
  /** `HH:MM` by the zone's clock. */
  readonly from: string
  /** `HH:MM`, exclusive. Not after `from`: of the next day. */
  readonly to: string
  readonly factor: number
}

/** All that a vendor charges for one model. */
export interface PriceEntry {
  readonly prices: ClassPrices
  /** Ratios of classes that have no price above. */
  readonly ratios?: ClassRatios
  readonly tiers?: readonly PriceTier[]
  readonly modes?: readonly PriceMode[]
  readonly schedules?: readonly PriceSchedule[]
}
