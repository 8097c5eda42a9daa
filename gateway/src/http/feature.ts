import type { Handler } from './handler'

/** A part of the console API, loaded by the first call to one of its paths. */
export interface Feature {
  /** Paths, each with everything below it: `/api/channel` also covers `/api/channel/{id}`. */
  readonly paths: readonly string[]
  readonly load: () => Promise<readonly Handler[]>
}

/** Resolves with the handlers of all features. */
export const handlersOf = async (features: readonly Feature[]): Promise<readonly Handler[]> =>
  (await Promise.all(features.map(({ load }) => load()))).flat()
