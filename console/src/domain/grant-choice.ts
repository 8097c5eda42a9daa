import { areaPresets, completeGrants, givableGrants, grantFacts, type Area, type Grant } from '@tollgate/contract'

const needsOf = (grant: Grant): string | undefined => {
  const facts: { readonly needs?: string } = grantFacts[grant]
  return facts.needs
}

/** Returns the grants with one added or removed, along with those it requires or that require it. */
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
type Choice = (typeof choices)[number]

export const grantsOfChoice = (choice: Choice): readonly Grant[] => {
  if (choice === 'all') return givableGrants
  return choice === 'none' ? [] : completeGrants(areaPresets[choice satisfies Area])
}

/** Returns the preset of exactly these grants; undefined for a custom selection. */
export const choiceOf = (held: readonly Grant[]): Choice | undefined =>
  choices.find((choice) => completeGrants(grantsOfChoice(choice)).join() === completeGrants(held).join())
