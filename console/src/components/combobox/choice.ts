import type { ReactNode } from 'react'

/** One entry of a list. */
export interface Choice {
  readonly value: string
  readonly label: string
  /** Shown below the label where names alone are not enough. */
  readonly hint?: string
  /** Shown before the label, and in the field while the choice is selected. */
  readonly icon?: ReactNode
  /** Shown at the end of the line: an id, a ratio. */
  readonly mark?: ReactNode
  /** The heading it is listed under; choices of one heading are consecutive. */
  readonly heading?: string
}

/** Returns the choices that contain the text in their label, value or hint; names that begin with it come first. */
export function matchingChoices(choices: readonly Choice[], text: string): readonly Choice[] {
  const query = text.trim().toLowerCase()
  if (query === '') return choices
  const found = choices.filter(({ value, label, hint = '' }) =>
    [value, label, hint].some((part) => part.toLowerCase().includes(query)),
  )
  const isFirst = ({ label }: Choice) => label.toLowerCase().startsWith(query)
  return found.some(({ heading }) => heading !== undefined)
    ? found
    : [...found.filter(isFirst), ...found.filter((choice) => !isFirst(choice))]
}

interface Offer {
  /** The choices are those that a server found. */
  readonly isSearched?: boolean
  /** Returns the choice for free text that matches none. */
  readonly free: ((text: string) => Choice | undefined) | undefined
}

/** Returns what to offer while a text is typed: the choice for it as free text first. */
export function offeredChoices(choices: readonly Choice[], typed: string, { isSearched = false, free }: Offer) {
  const found = isSearched ? choices : matchingChoices(choices, typed)
  const text = typed.trim()
  const own = text === '' || choices.some(({ value }) => value === text) ? undefined : free?.(text)
  return own ? [own, ...found.filter(({ value }) => value !== own.value)] : found
}

/** Returns a name that was typed as a choice. */
export const typedChoice = (text: string): Choice => ({ value: text, label: text })

/** Returns plain names as choices. */
export const choicesOf = (names: readonly string[]): readonly Choice[] =>
  names.map((name) => ({ value: name, label: name }))

/** Returns the choices, preceded by those of these values that are no longer offered. */
export function withValues(choices: readonly Choice[], values: readonly string[]): readonly Choice[] {
  const known = new Set(choices.map(({ value }) => value))
  return [...choicesOf(values.filter((value) => !known.has(value))), ...choices]
}

/** More would make the list slow; typing finds the rest. */
const maxShown = 100

/** Returns the choices to list, and how many are left out. */
export function shownChoices(choices: readonly Choice[]) {
  const shown = choices.slice(0, maxShown)
  return { shown, more: choices.length - shown.length }
}
