import {
  isOptionKey,
  isOptionReader,
  mayChangeOption,
  optionKeys,
  optionOf,
  optionRoutes,
  statusRoutes,
  type ApiError,
  type OptionKey,
  type OptionSection,
  isSecretOption,
  sectionPrerequisites,
} from '@tollgate/contract'
import { useMemo, useState } from 'react'

import { call, toApiError } from '../../lib/api/api'
import { useRead, useRefresh } from '../../lib/api/query'
import { useViewer } from '../../lib/api/session'
import { faultOf, isChange, type Drafts, type Fault, type OptionRow } from './option-value'

export type SaveResult = 'nothing' | 'faulty' | 'saved' | 'partly' | 'failed'

/** The stored options and their unsaved changes, across all pages. */
export interface Settings {
  readonly isLoading: boolean
  readonly error: ApiError | null
  readonly retry: () => void
  /** Whether the caller may see the option at all. */
  readonly isShown: (key: OptionKey) => boolean
  readonly mayWrite: (key: OptionKey) => boolean
  /** Whether the caller may see who changed it. */
  readonly mayReadHistory: (key: OptionKey) => boolean
  readonly row: (key: OptionKey) => OptionRow | undefined
  readonly draft: (key: OptionKey) => string | undefined
  readonly setDraft: (key: OptionKey, text: string | undefined) => void
  readonly discard: () => void
  readonly changed: readonly OptionKey[]
  /** Some value is invalid. */
  readonly isFaulty: boolean
  readonly fault: (key: OptionKey) => Fault | undefined
  /** Returns options that must be filled in before this one may be on. */
  readonly missing: (key: OptionKey) => readonly OptionKey[]
  /** Returns why the server refused the last save of an option; the others of its section wait with it. */
  readonly refusal: (key: OptionKey) => ApiError | undefined
  /** Returns why the server refused a section, where no single option is the cause. */
  readonly sectionRefusal: (section: OptionSection) => ApiError | undefined
  readonly isSaving: boolean
  readonly save: () => Promise<SaveResult>
}

const noDrafts: Drafts = new Map()
type Refusals = ReadonlyMap<OptionSection, ApiError>
const noRefusals: Refusals = new Map()

/** Reads the options and keeps changes until they are saved. */
export function useSettings(): Settings {
  const { data, error, isPending, refetch } = useRead(optionRoutes.listOptions)
  const refresh = useRefresh()
  const { grants } = useViewer()
  const [drafts, setDrafts] = useState(noDrafts)
  const [refusals, setRefusals] = useState(noRefusals)
  const [isSaving, setSaving] = useState(false)
  const rows = useMemo(() => rowsByKey(data ?? []), [data])
  // A draft equivalent to the stored value ("401," for "401") stays as typed, but is not a change.
  const changed = [...drafts].flatMap(([key, text]) => {
    const row = rows.get(key)
    return row && isChange(key, text, row) ? [key] : []
  })
  const fault = (key: OptionKey) => {
    const text = drafts.get(key)
    return text === undefined ? undefined : faultOf(key, text)
  }
  const missing = (key: OptionKey) => missingFor(key, drafts, rows)
  const isFaulty = changed.some((key) => fault(key) || missing(key).length > 0)

  const save = async (): Promise<SaveResult> => {
    if (changed.length === 0) {
      // What is typed differently from what is stored, such as slashes at the end, is shown as stored again.
      setDrafts(noDrafts)
      return 'nothing'
    }
    if (isFaulty) return 'faulty'
    setSaving(true)
    const refused = await saveSections(new Map([...drafts].filter(([key]) => changed.includes(key))))
    await refresh(optionRoutes.listOptions, statusRoutes.getStatus)
    // Values typed meanwhile stay.
    setDrafts((now) => without(now, ([key, text]) => drafts.get(key) === text && !refused.has(sectionOf(key))))
    setRefusals(refused)
    setSaving(false)
    if (refused.size === 0) return 'saved'
    return changed.every((key) => refused.has(sectionOf(key))) ? 'failed' : 'partly'
  }

  return {
    isLoading: isPending,
    error: data ? null : error,
    retry: () => void refetch(),
    isShown: (key) => rows.has(key),
    mayWrite: (key) => mayChangeOption(grants, key),
    mayReadHistory: (key) => isOptionReader(grants, key),
    row: (key) => rows.get(key),
    draft: (key) => drafts.get(key),
    setDraft: (key, text) => {
      setDrafts((now) => (text === undefined ? without(now, ([name]) => name === key) : new Map([...now, [key, text]])))
      setRefusals((now) => without(now, ([section]) => section === sectionOf(key)))
    },
    discard: () => {
      setDrafts(noDrafts)
      setRefusals(noRefusals)
    },
    changed,
    isFaulty,
    fault,
    missing,
    refusal: (key) => {
      const refusal = refusals.get(sectionOf(key))
      return refusal?.field === key ? refusal : undefined
    },
    sectionRefusal: (section) => {
      const refusal = refusals.get(section)
      const isAtOption =
        refusal?.field !== undefined && isOptionKey(refusal.field) && sectionOf(refusal.field) === section
      return isAtOption ? undefined : refusal
    },
    isSaving,
    save,
  }
}

const sectionOf = (key: OptionKey) => optionOf(key).section

const rowsByKey = (rows: readonly OptionRow[]): ReadonlyMap<OptionKey, OptionRow> =>
  new Map(rows.flatMap((row) => (isOptionKey(row.key) ? [[row.key, row] as const] : [])))

const without = <Key, Value>(
  entries: ReadonlyMap<Key, Value>,
  isGone: (entry: readonly [Key, Value]) => boolean,
): ReadonlyMap<Key, Value> => new Map([...entries].filter((entry) => !isGone(entry)))

/** Saves each section atomically, so that a refusal does not block others. Resolves with the refusals. */
async function saveSections(drafts: Drafts): Promise<Refusals> {
  const refused = new Map<OptionSection, ApiError>()
  // In list order: prerequisites come first.
  for (const section of new Set(optionKeys.filter((key) => drafts.has(key)).map(sectionOf))) {
    const items = [...drafts].filter(([key]) => sectionOf(key) === section).map(([key, value]) => ({ key, value }))
    try {
      await call(optionRoutes.setOptions, { body: { items } })
    } catch (error) {
      refused.set(section, toApiError(error))
    }
  }
  return refused
}

type Stored = ReadonlyMap<OptionKey, OptionRow>

/** Returns the options that must be filled in first: for a switch that is on or a choice, and for changes in a section with prerequisites. */
export function missingFor(key: OptionKey, drafts: Drafts, storedValue: Stored): readonly OptionKey[] {
  const ofSection = drafts.has(key) ? (sectionPrerequisites[optionOf(key).section]?.needs ?? []) : []
  return [...ofSection.filter(isOptionKey), ...neededBySwitch(key, drafts, storedValue)].filter(
    (needed) => !isFilled(needed, drafts, storedValue),
  )
}

function neededBySwitch(key: OptionKey, drafts: Drafts, storedValue: Stored): readonly OptionKey[] {
  const { prerequisite } = optionOf(key)
  const needs = (prerequisite?.needs ?? []).filter(isOptionKey)
  const isOn = (drafts.get(key) ?? storedValue.get(key)?.value) === (prerequisite?.value ?? 'true')
  const isTouched = [key, ...needs].some((name) => drafts.has(name))
  return isOn && isTouched ? needs : []
}

function isFilled(key: OptionKey, drafts: Drafts, storedValue: Stored): boolean {
  const draft = drafts.get(key)
  if (draft !== undefined) return draft.trim() !== ''
  const row = storedValue.get(key)
  // Hidden options are left to the server.
  if (!row) return true
  return isSecretOption(key) ? row.is_set === true : row.value !== ''
}
