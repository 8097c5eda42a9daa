/** Models that are all served and priced as one entry: every custom GPT has a name of its own. */
const familyEntries = ['gpt-4-gizmo-*', 'gpt-4o-gizmo-*'] as const

export interface ModelFamily {
  /** The name of its channel models and prices, such as `gpt-4-gizmo-*`. */
  readonly entry: string
  /** Where the name without a channel's prefix begins. */
  readonly start: number
}

/** Returns the family of a model, whose name may have a channel's prefix; null for most models and for the entry itself. */
export function modelFamilyOf(model: string): ModelFamily | null {
  for (const entry of familyEntries) {
    const start = model.indexOf(entry.slice(0, -1))
    if (start >= 0 && !model.endsWith(entry)) return { entry, start }
  }
  return null
}
