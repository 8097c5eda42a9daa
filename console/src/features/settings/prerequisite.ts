import { isOptionKey, isSecretOption, optionOf, sectionPrerequisites, type OptionKey } from '@tollgate/contract'

import type { Drafts, OptionRow } from './option-value'

type Stored = ReadonlyMap<OptionKey, OptionRow>

/** Returns the options that must be filled in first: for a switch that is on or a choice, and for changes in a section with prerequisites. */
export function missingFor(key: OptionKey, drafts: Drafts, stored: Stored): readonly OptionKey[] {
  const ofSection = drafts.has(key) ? (sectionPrerequisites[optionOf(key).section]?.needs ?? []) : []
  return [...ofSection.filter(isOptionKey), ...neededBySwitch(key, drafts, stored)].filter(
    (needed) => !isFilled(needed, drafts, stored),
  )
}

function neededBySwitch(key: OptionKey, drafts: Drafts, stored: Stored): readonly OptionKey[] {
  const { prerequisite } = optionOf(key)
  const needs = (prerequisite?.needs ?? []).filter(isOptionKey)
  const isOn = (drafts.get(key) ?? stored.get(key)?.value) === (prerequisite?.value ?? 'true')
  const isTouched = [key, ...needs].some((name) => drafts.has(name))
  return isOn && isTouched ? needs : []
}

function isFilled(key: OptionKey, drafts: Drafts, stored: Stored): boolean {
  const draft = drafts.get(key)
  if (draft !== undefined) return draft.trim() !== ''
  const row = stored.get(key)
  // Hidden options are left to the server.
  if (!row) return true
  return isSecretOption(key) ? row.is_set === true : row.value !== ''
}
