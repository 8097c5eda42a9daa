import { channelRoutes } from '@tollgate/contract'

import { fingerprintOf, openKeys } from '../../channels/catalog/channel-keys'
import { maskSecrets } from '../../channels/catalog/channel-secrets'
import type { Context, SiteContext } from '../../context'
import type { SiteChange } from '../../http/handler'
import type { ChannelRow } from '../../platform/store/tables'
import { parsedJson } from '../../platform/text/parsed-json'

/** Records in the audit log what an action changes about these channels. */
export async function auditChannels<Result>(
  { ctx, audit }: Pick<SiteChange, 'audit' | 'ctx'>,
  channelIds: readonly number[],
  act: () => Promise<Result>,
): Promise<Result> {
  const before = await factsOf(ctx, channelIds)
  noteTarget()
  const result = await act()
  const after = await factsOf(ctx, channelIds)
  const [id] = channelIds
  if (channelIds.length === 1 && id !== undefined) audit.recordChange(before.get(id) ?? {}, after.get(id) ?? {})
  else audit.recordChange({ channels: Object.fromEntries(before) }, { channels: Object.fromEntries(after) })
  return result

  function noteTarget() {
    const names = channelIds.flatMap((id) => before.get(id)?.name ?? [])
    if (channelIds.length > 0) audit.target('channel', channelIds.join(','), names.join(', '))
  }
}

/** Records in the audit log that a channel was created. */
export async function auditNewChannel(
  { ctx, audit }: Pick<SiteChange, 'audit' | 'ctx'>,
  { id, name }: { readonly id: number; readonly name: string },
): Promise<void> {
  audit.target('channel', id, name)
  audit.recordChange({}, (await factsOf(ctx, [id])).get(id) ?? {})
}

/** A statement's list is bounded, and no reader needs more than this. */
const maxChannels = 100

async function factsOf(ctx: SiteContext, channelIds: readonly number[]) {
  if (channelIds.length === 0) return new Map<number, Facts>()
  const rows = await ctx.database.query
    .selectFrom('channels')
    .selectAll()
    .where('id', 'in', channelIds.slice(0, maxChannels))
    .orderBy('id')
    .execute()
  return new Map(rows.map((row) => [row.id, channelFacts(ctx, row)]))
}

type Facts = ReturnType<typeof channelFacts>

/**
 * Returns what an administrator decides about a channel. Its keys are identified by their fingerprints; its address and overrides are
 * stripped of secrets.
 */
const channelFacts = (ctx: Pick<Context, 'seal'>, row: ChannelRow) => ({
  type: row.type,
  status: row.status,
  fingerprints: openKeys(ctx, row).map(fingerprintOf),
  key_states: row.key_states,
  ...channelRoutes.fieldsOf(row),
  base_url: bareAddress(row.base_url),
  setting: maskSecrets(row).shown.setting,
  // Vendors take anything in a body, secrets included: only the names.
  param_override: namesIn(row.param_override),
})

function bareAddress(text: string): string {
  if (!URL.canParse(text)) return text
  const { origin, pathname } = new URL(text)
  return `${origin}${pathname === '/' ? '' : pathname}`
}

function namesIn(text: string): readonly string[] {
  const value = parsedJson(text)
  return typeof value === 'object' && value !== null ? Object.keys(value) : []
}

/** Resolves with the channels of a tag, for actions on all of them. */
export const channelsOfTag = async ({ database }: Context, tag: string): Promise<number[]> =>
  (await database.query.selectFrom('channels').select('id').where('tag', '=', tag).execute()).map(({ id }) => id)
