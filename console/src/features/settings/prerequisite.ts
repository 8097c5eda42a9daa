import { isOptionKey, isSecretOption, optionOf, type OptionKey } from '@tollgate/contract'

import type { Drafts, OptionRow } from './option-value'

/** Returns the options that must be filled in before this switch may be on; none for a switch that is off. */
export function missingFor(
  key: OptionKey,
  drafts: Drafts,
  stored: ReadonlyMap<OptionKey, OptionRow>,
): readonly OptionKey[] {
  const needs = (optionOf(key).prerequisite?.needs ?? []).filter(isOptionKey)
  const isOn = (drafts.get(key) ?? stored.get(key)?.value) === 'true'
  const isTouched = [key, ...needs].some((name) => drafts.has(name))
  if (!isOn || !isTouched) return []
  return needs.filter((needed) => !isFilled(needed, drafts, stored))
}

function isFilled(key: OptionKey, drafts: Drafts, stored: ReadonlyMap<OptionKey, OptionRow>): boolean {
  const draft = drafts.get(key)
  if (draft !== undefined) return draft.trim() !== ''
  const row = stored.get(key)
  // What the reader may not see is the server's to judge.
  if (!row) return true
  return isSecretOption(key) ? row.is_set === true : row.value !== ''
}
