import type { SiteContext } from '../../context'
import { AppliedObjects } from './applied-objects'
import { applyChannels } from './apply-channels'
import { planOptions } from './apply-options'
import { applyPlans } from './apply-plans'
import { applyPrices } from './apply-prices'
import { setFileWindows, windowsLine } from './file-windows'
import type { ReadFile } from './read-file'
import type { SiteEdit } from './site-edit'
import type { SiteFile } from './site-file'
import { readSite, type SiteState } from './site-state'

/**
 * Makes the site as the file says, with the checks and the rows of the audit log that the console has. Resolves with lines that say what changed; none:
 * it was so before. Within one transaction, which the caller undoes when this throws. @throws CommandError at the place in the file.
 */
export async function applySite(
  ctx: SiteContext,
  { site, unset, faultAt, withoutSecrets }: ReadFile,
  { isPruning }: { readonly isPruning: boolean },
): Promise<readonly string[]> {
  const lines: string[] = []
  const applied = await AppliedObjects.read(ctx.database.query)
  const edit = {
    ctx,
    applied,
    isPruning,
    unset,
    faultAt,
    note: (line: string) => void lines.push(withoutSecrets(line)),
  }
  const state = await readSite(ctx)
  const options = site.options && planOptions(site.options, state, edit)
  await options?.applyFirst()
  if (site.prices) await applyPrices(site.prices, state, edit)
  if (site.channels) await applyChannels(site.channels, state, edit)
  if (site.plans) await applyPlans(site.plans, state, edit)
  if (site.groups) await applyGroups(site.groups, state, edit)
  await options?.applyLast()
  return lines
}

/** Sets and removes the limits of groups, as a file says. */
async function applyGroups(
  requested: NonNullable<SiteFile['groups']>,
  { groups }: SiteState,
  edit: SiteEdit,
): Promise<void> {
  const { applied, isPruning, note } = edit
  const objectOf = (group: string) => ({ kind: 'groups', ref: group, createdAt: 0 }) as const
  const unnamed = [...groups.keys()].filter(
    (group) => requested[group] === undefined && (isPruning || applied.has(objectOf(group))),
  )
  for (const group of unnamed) {
    note(`- groups.${group}`)
    await setFileWindows([], { owner: 'group', ref: group, path: ['groups'], before: groups.get(group) ?? [] }, edit)
    await applied.remove(objectOf(group))
  }
  for (const [group, { windows }] of Object.entries(requested)) {
    const before = groups.get(group) ?? []
    const line = windowsLine(windows, before)
    if (line === null) continue
    note(`${before.length > 0 ? '~' : '+'} groups.${group}`)
    note(line)
    await setFileWindows(windows, { owner: 'group', ref: group, path: ['groups', group], before }, edit)
    if (before.length === 0) await applied.add(objectOf(group))
  }
}
