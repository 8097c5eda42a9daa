import type { SiteContext } from '../../context'
import { AppliedObjects } from './applied-objects'
import { applyChannels } from './apply-channels'
import { planOptions } from './apply-options'
import { applyPlans } from './apply-plans'
import { applyPrices } from './apply-prices'
import type { ReadFile } from './read-file'
import { readSite } from './site-state'

/**
 * Makes the site as the file says, with the checks and the rows of the audit log that the console has. Resolves with lines that say what changed; none:
 * it was so before. Within one transaction, which the caller undoes when this throws. @throws CommandError at the place in the file.
 */
export async function applySite(
  ctx: SiteContext,
  { site, unset, faultAt }: ReadFile,
  { isPruning }: { readonly isPruning: boolean },
): Promise<readonly string[]> {
  const lines: string[] = []
  const applied = await AppliedObjects.read(ctx.database.query)
  const edit = { ctx, applied, isPruning, unset, faultAt, note: (line: string) => void lines.push(line) }
  const state = await readSite(ctx)
  const options = site.options && planOptions(site.options, state, edit)
  await options?.applyFirst()
  if (site.prices) await applyPrices(site.prices, state, edit)
  if (site.channels) await applyChannels(site.channels, state, edit)
  if (site.plans) await applyPlans(site.plans, state, edit)
  await options?.applyLast()
  return lines
}
