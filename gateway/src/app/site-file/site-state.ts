import {
  channelRoutes,
  channelStatus,
  defaultOptions,
  isOptionKey,
  isSecretOption,
  optionKeys,
  optionText,
  parseOptions,
  type OptionKey,
  type planRoutes,
  type PriceEntry,
  type windowRoutes,
} from '@tollgate/contract'
import { providerOf } from '@tollgate/providers'

import { isRatioOption } from '../../billing/pricing/ratio-view'
import { storedPrices } from '../../billing/pricing/price-store'
import { windowSettings } from '../../billing/ledger/window/read-windows'
import { openKeys } from '../../channels/catalog/channel-keys'
import { maskSecrets, withSecrets } from '../../channels/catalog/channel-secrets'
import { planEntity, windowsOfPlans } from '../../console-api/plans/plan-entity'
import type { SiteContext } from '../../context'
import type { ChannelRow, PlanRow } from '../../platform/store/tables'
import { CommandError } from '../commands/command'
import { fileCosts } from './file-costs'
import type { FileCosts } from './site-file'

/** A channel with its credentials, and how it is shown without them. */
export interface ChannelState {
  readonly row: ChannelRow
  readonly shown: ChannelRow
  readonly keys: readonly string[]
  readonly windows: readonly windowRoutes.WindowSettings[]
  readonly costs: FileCosts
}

/** A plan, and when it was created. */
export interface PlanState {
  readonly row: PlanRow
  readonly entity: planRoutes.PlanEntity
}

/** The settings that a file can have, by name. */
export interface SiteState {
  /** Texts of those that are not as they are without being set. */
  readonly options: ReadonlyMap<OptionKey, string>
  readonly secrets: ReadonlyMap<OptionKey, string>
  readonly channels: ReadonlyMap<string, ChannelState>
  readonly prices: ReadonlyMap<string, PriceEntry>
  readonly plans: ReadonlyMap<string, PlanState>
  /** The limits of groups that have some. */
  readonly groups: ReadonlyMap<string, readonly windowRoutes.WindowSettings[]>
}

/** Resolves with the settings as they are stored. @throws CommandError for two of a name. */
export async function readSite(ctx: SiteContext): Promise<SiteState> {
  return {
    ...(await readOptions(ctx)),
    channels: await readChannels(ctx),
    prices: await readPrices(ctx),
    plans: await readPlans(ctx),
    groups: readGroups(ctx),
  }
}

async function readOptions({ database: { query }, seal }: SiteContext) {
  const rows = await query.selectFrom('options').select(['key', 'value']).execute()
  const stored = new Map(rows.map(({ key, value }) => [key, value]))
  const values = parseOptions(new Map([...stored].filter(([key]) => isOptionKey(key) && !isSecretOption(key))))
  const options = new Map<OptionKey, string>()
  const secrets = new Map<OptionKey, string>()
  for (const key of optionKeys) {
    if (isRatioOption(key)) continue
    const value = stored.get(key) ?? ''
    if (!isSecretOption(key)) {
      const text = optionText(key, values[key])
      if (text !== optionText(key, defaultOptions[key])) options.set(key, text)
    } else if (value !== '') secrets.set(key, seal.open(value, `options.value#${key}`))
  }
  return { options, secrets }
}

async function readChannels(ctx: SiteContext): Promise<Map<string, ChannelState>> {
  const { query } = ctx.database
  const rows = await query.selectFrom('channels').selectAll().orderBy('id').execute()
  const windows = await query.selectFrom('windows').selectAll().where('owner', '=', 'channel').orderBy('id').execute()
  const windowsByChannel = Map.groupBy(windows, ({ ref }) => Number(ref))
  const costsByChannel = Map.groupBy(await storedPrices(query, 'cost'), ({ channelId }) => channelId)
  return byName(
    'channels',
    rows.map((row) => {
      const opened = withSecrets(row, ctx.seal)
      const channel = {
        row: opened,
        shown: { ...row, ...maskSecrets(opened).shown },
        keys: openKeys(ctx, row),
        windows: (windowsByChannel.get(row.id) ?? []).map(windowSettings),
        costs: fileCosts(costsByChannel.get(row.id) ?? []),
      }
      return [row.name, channel]
    }),
  )
}

/** Limits of a group that the site has no more are not shown anywhere. */
function readGroups({ catalog: { current } }: SiteContext): Map<string, readonly windowRoutes.WindowSettings[]> {
  const { groupWindows, options } = current
  const limited = [...groupWindows].filter(([group]) => options.GroupRatio[group] !== undefined)
  return new Map(limited.map(([group, rows]) => [group, rows.map(windowSettings)]))
}

async function readPrices({ database: { query } }: SiteContext): Promise<Map<string, PriceEntry>> {
  const rows = await storedPrices(query, 'sale')
  return new Map(rows.flatMap(({ model, entry, source }) => (entry && source === 'own' ? [[model, entry]] : [])))
}

async function readPlans({ database: { query } }: SiteContext): Promise<Map<string, PlanState>> {
  const rows = await query.selectFrom('plans').selectAll().where('deleted_at', 'is', null).orderBy('id').execute()
  const windows = await windowsOfPlans(
    query,
    rows.map(({ id }) => id),
  )
  return byName(
    'plans',
    rows.map((row) => [row.name, { row, entity: planEntity(row, windows.get(row.id)) }]),
  )
}

function byName<Value>(kind: string, entries: readonly (readonly [string, Value])[]): Map<string, Value> {
  const found = new Map<string, Value>()
  for (const [name, value] of entries) {
    if (found.has(name))
      throw new CommandError(`Two ${kind} are named “${name}”. In a file names are unique: rename one.`)
    found.set(name, value)
  }
  return found
}

/** Returns whether an operator wants the channel to serve; one that was disabled after errors still is. */
export const isEnabled = ({ status }: Pick<ChannelRow, 'status'>): boolean => status !== channelStatus.disabled

/** Returns the id of a channel's vendor. */
export const vendorOf = ({ type }: Pick<ChannelRow, 'type'>): string => providerOf(type)?.id ?? String(type)

/** The columns of a channel that a file has, beside its vendor, its key and whether it is enabled. */
export const fileFields = channelRoutes.channelFieldNames.filter((name) => name !== 'name')
