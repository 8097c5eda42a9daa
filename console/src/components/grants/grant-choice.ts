import { areaPresets, completeGrants, givableGrants, grantFacts, type Area, type Grant } from '@tollgate/contract'

const needsOf = (grant: Grant): string | undefined => {
  const facts: { readonly needs?: string } = grantFacts[grant]
  return facts.needs
}

/** Ticks or unticks one; what it needs comes with it, what needs it goes with it. */
export function withGrant(held: readonly Grant[], grant: Grant, isHeld: boolean): readonly Grant[] {
  if (isHeld) return completeGrants([...held, grant])
  const gone = new Set<string>([grant])
  for (let size = 0; size !== gone.size;) {
    size = gone.size
    for (const other of held) if (gone.has(needsOf(other) ?? '')) gone.add(other)
  }
  return held.filter((other) => !gone.has(other))
}

export const choices = ['all', 'none', 'channels', 'finance', 'support', 'read_only'] as const
export type Choice = (typeof choices)[number]

export const grantsOfChoice = (choice: Choice): readonly Grant[] => {
  if (choice === 'all') return givableGrants
  return choice === 'none' ? [] : completeGrants(areaPresets[choice satisfies Area])
}

/** The choice that means exactly these; undefined for a selection of one's own. */
export const choiceOf = (held: readonly Grant[]): Choice | undefined =>
  choices.find((choice) => completeGrants(grantsOfChoice(choice)).join() === completeGrants(held).join())
