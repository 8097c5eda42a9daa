import { defaultOptions, isOptionKey, isSecretOption, optionText, type OptionKey } from '@tollgate/contract'

import { isRatioOption } from '../../billing/pricing/ratio-view'
import { changeOptions } from '../../console-api/options/change-options'
import { checkedChange } from '../../console-api/options/option-change'
import { parsedJson } from '../../platform/text/parsed-json'
import { shownValue } from './difference-lines'
import { storedSecret, unsetSentence } from './placeholders'
import { makeChange, refuseAt, type SiteEdit } from './site-edit'
import type { SiteFile } from './site-file'
import type { SiteState } from './site-state'

type FileOptions = NonNullable<SiteFile['options']>

/** A change of one option; the text is that which is stored. */
interface OptionStep {
  readonly key: OptionKey
  readonly text: string
}

/** Options whose names must exist before: models of channels with prices. */
const late: ReadonlySet<OptionKey> = new Set(['ModelAliases', 'ModelChains'])

/**
 * Returns what changes options as a file says, in two parts: what the other sections need, and what needs them. A group is removed when
 * nothing is in it any more.
 */
export function planOptions(requested: FileOptions, state: SiteState, edit: SiteEdit) {
  const steps = optionSteps(requested, state, edit)
  const isShrinking = removedGroups(steps, edit).length > 0
  const isLate = ({ key }: OptionStep) => late.has(key) || (isShrinking && key === 'GroupRatio')
  const first = steps.filter((step) => !isLate(step))
  const more = isShrinking ? steps.filter(({ key }) => key === 'GroupRatio').map(withCurrentGroups(edit)) : []
  return {
    applyFirst: () => change([...first, ...more.filter(isChanged(edit))], edit),
    async applyLast() {
      await change(steps.filter(isLate), edit)
      await mark(requested, steps, { edit, state })
    },
  }
}

function optionSteps(requested: FileOptions, state: SiteState, edit: SiteEdit): OptionStep[] {
  const { applied, isPruning, note, faultAt } = edit
  const steps: OptionStep[] = []
  for (const [key, value] of Object.entries(requested)) {
    if (!isOptionKey(key) || value === undefined) continue
    if (isRatioOption(key)) throw faultAt(['options', key], 'is a view of the prices; write them under prices')
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const variable = isSecretOption(key) ? storedSecret(text) : null
    if (variable !== null) {
      if (!state.secrets.has(key)) throw faultAt(['options', key], unsetSentence(variable))
      continue
    }
    const step = refuseAt(edit, ['options'], () => checkedChange(key, text))
    if (step.text === textBefore(key, state)) continue
    steps.push(step)
    note(shownStep(step, state))
  }
  for (const key of [...state.options.keys(), ...state.secrets.keys()]) {
    if (requested[key] !== undefined) continue
    if (!isPruning && !applied.has({ kind: 'options', ref: key, createdAt: 0 })) continue
    const step = { key, text: isSecretOption(key) ? '' : optionText(key, defaultOptions[key]) }
    steps.push(step)
    note(shownStep(step, state))
  }
  return steps
}

const textBefore = (key: OptionKey, { options, secrets }: SiteState): string =>
  isSecretOption(key) ? (secrets.get(key) ?? '') : (options.get(key) ?? optionText(key, defaultOptions[key]))

const shownStep = ({ key, text }: OptionStep, state: SiteState): string => {
  if (isSecretOption(key)) return `~ options.${key}: ${text === '' ? 'removed' : 'another secret'}`
  return `~ options.${key}: ${shownValue(textBefore(key, state))} → ${shownValue(text)}`
}

const groupsIn = (text: string): Record<string, unknown> => {
  const value = parsedJson(text)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function removedGroups(steps: readonly OptionStep[], { ctx }: SiteEdit): string[] {
  const step = steps.find(({ key }) => key === 'GroupRatio')
  if (!step) return []
  const left = groupsIn(step.text)
  return Object.keys(ctx.catalog.current.options.GroupRatio).filter((group) => left[group] === undefined)
}

const withCurrentGroups =
  ({ ctx }: SiteEdit) =>
  ({ key, text }: OptionStep): OptionStep => ({
    key,
    text: JSON.stringify({ ...ctx.catalog.current.options.GroupRatio, ...groupsIn(text) }),
  })

const isChanged =
  ({ ctx }: SiteEdit) =>
  ({ text }: OptionStep): boolean =>
    !Bun.deepEquals(groupsIn(text), { ...ctx.catalog.current.options.GroupRatio })

async function change(steps: readonly OptionStep[], edit: SiteEdit): Promise<void> {
  if (steps.length === 0) return
  const items = steps.map(({ key, text }) => ({ key, value: text }))
  await makeChange(edit, { action: 'option.update', path: ['options'] }, (call) => changeOptions(items, call))
}

interface Marked {
  readonly edit: SiteEdit
  readonly state: SiteState
}

/** Remembers which options a file has set that were not set before. */
async function mark(requested: FileOptions, steps: readonly OptionStep[], { edit, state }: Marked): Promise<void> {
  for (const { key } of steps) {
    const wasSet = state.options.has(key) || state.secrets.has(key)
    if (requested[key] === undefined) await edit.applied.remove({ kind: 'options', ref: key })
    else if (!wasSet) await edit.applied.add({ kind: 'options', ref: key, createdAt: 0 })
  }
}
