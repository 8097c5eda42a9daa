/** Prefix of a model's name and its ratio; the first match counts. */
type Prefixed = readonly (readonly [prefix: string, ratio: number])[]

const byPrefix = (table: Prefixed, model: string): number | undefined =>
  table.find(([prefix]) => model.startsWith(prefix))?.[1]

const cacheReads: Prefixed = [['gpt-4o', 0.5]]

/** Returns the price of a prompt token read from the vendor's cache relative to a plain one, where the operator set nothing. */
export const defaultCacheRatio = (model: string): number | undefined => byPrefix(cacheReads, model)

const audios: Prefixed = [
  ['gpt-4o-realtime-preview', 8],
  ['gpt-4o-mini-realtime-preview', 10 / 0.6],
  ['gpt-4o-audio-preview', 16],
  ['gpt-4o-mini-audio-preview', 10 / 0.15],
]

/** Returns the price of an audio token relative to a plain prompt token; a dated name costs what the undated does. */
export function defaultAudioRatio(model: string): number | undefined {
  const known = byPrefix(audios, model)
  if (known !== undefined) return known
  if (model.includes('-realtime')) return 20
  return model.includes('-audio') ? 40 : undefined
}

/** Returns the price of a token of spoken output relative to one of audio input. */
export const defaultAudioCompletionRatio = (model: string): number | undefined =>
  model.includes('-realtime') || model.includes('-audio') ? 2 : undefined
