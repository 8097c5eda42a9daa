/** Priced per million tokens. */
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
/** Priced per unit; `per_character` per million characters. */
export const unitClasses = ['per_call', 'per_second', 'per_image', 'per_character'] as const
/** Priced per thousand calls of a vendor's built-in tool; `image_generation` per thousand pictures of the lowest quality, which others count as several of. */
export const toolClasses = ['web_search', 'file_search', 'code_interpreter', 'image_generation'] as const
export const priceClasses = [...tokenClasses, ...unitClasses, ...toolClasses] as const
export type PriceClass = (typeof priceClasses)[number]

/** Classes whose price may be given as a factor of the price of `input`, `audio_out` of that of `audio_in`. */
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

/** What a response may report about how it was served. */
export const modeFields = ['service_tier', 'speed', 'region', 'batch', 'size', 'quality'] as const
export type ModeField = (typeof modeFields)[number]
