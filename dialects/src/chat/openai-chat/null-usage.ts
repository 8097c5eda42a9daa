import type { ChunkChange } from '../../core/dialect'

/** Leaves out `usage: null`, which OpenAI's chunks have where usage is asked for. */
export const withoutNullUsage: ChunkChange = {
  chunk({ usage, ...chunk }) {
    return [usage === null || usage === undefined ? chunk : { ...chunk, usage }]
  },
  end: () => [],
}
