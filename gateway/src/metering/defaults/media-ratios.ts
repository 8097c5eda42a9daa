/** Start of a model's name and its ratio; the first that matches counts. */
type Prefixed = readonly (readonly [prefix: string, ratio: number])[]

const byPrefix = (table: Prefixed, model: string): number | undefined =>
  table.find(([prefix]) => model.startsWith(prefix))?.[1]

const cacheReads: Prefixed = [['gpt-4o', 0.5]]

/** What a prompt token read from the vendor's cache costs against a plain one, where the operator set nothing. */
export const defaultCacheRatio = (model: string): number | undefined => byPrefix(cacheReads, model)

const audios: Prefixed = [
  ['gpt-4o-realtime-preview', 8],
  ['gpt-4o-mini-realtime-preview', 10 / 0.6],
  ['gpt-4o-audio-preview', 16],
  ['gpt-4o-mini-audio-preview', 10 / 0.15],
]

/** What a token of audio costs against a plain prompt token; a dated name costs what the undated does. */
export function defaultAudioRatio(model: string): number | undefined {
  const known = byPrefix(audios, model)
  if (known !== undefined) return known
  if (model.includes('-realtime')) return 20
  return model.includes('-audio') ? 40 : undefined
}

/** What a token of spoken answer costs against one of heard audio. */
export const defaultAudioCompletionRatio = (model: string): number | undefined =>
  model.includes('-realtime') || model.includes('-audio') ? 2 : undefined
