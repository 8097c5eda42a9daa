import type { windowRoutes } from '@tollgate/contract'

import { changeWindows } from '../../console-api/windows/windows'
import { ownerOf } from '../../console-api/windows/windows-owner'
import { shownValue } from './difference-lines'
import { makeChange, type SiteEdit } from './site-edit'
import type { Path } from './secret-places'
import type { FileWindow } from './site-file'

type Stored = windowRoutes.WindowSettings

/** Returns limits as a file has them. */
export const fileWindows = (windows: readonly Stored[]): FileWindow[] => windows.map(({ id: _id, ...window }) => window)

/** Returns limits as they are stored. */
export const canonicalWindows = (windows: readonly FileWindow[]): FileWindow[] =>
  windows.map((window) => ({
    ...window,
    alert_percents: window.alert_percents.toSorted((one, other) => one - other),
  }))

/** Returns limits with the ids of those that are there: a limit of the same name is the same limit, and what was used of it stays. */
export const withIds = (windows: readonly FileWindow[], before: readonly Stored[]): Stored[] =>
  windows.map((window) => ({ ...window, id: before.find(({ name }) => name === window.name)?.id }))

/** A group or channel with limits. */
interface Limited {
  readonly owner: 'group' | 'channel'
  readonly ref: string
  /** Where the object is in the file. */
  readonly path: Path
  readonly before: readonly Stored[]
}

/** Returns a line that says how limits change; null where they do not. */
export function windowsLine(requested: readonly FileWindow[], before: readonly Stored[]): string | null {
  const [is, was] = [canonicalWindows(requested), fileWindows(before)]
  return Bun.deepEquals(is, was) ? null : `    windows: ${shownValue(was)} → ${shownValue(is)}`
}

/** Sets the limits of a group or channel. */
export async function setFileWindows(
  requested: readonly FileWindow[],
  { owner, ref, path, before }: Limited,
  edit: SiteEdit,
): Promise<void> {
  await makeChange(edit, { action: 'window.update', path }, (call) => {
    call.audit.target(owner, ref)
    return changeWindows(call, ownerOf(owner, ref), withIds(canonicalWindows(requested), before))
  })
}
