import {
  channelPriceRoutes,
  channelRoutes,
  channelStatus,
  maxResults,
  pageOf,
  role,
  searchPageOf,
  channelNumberNames,
  channelNumbers,
  type ChannelNumber,
} from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { dayOf } from '../../channels/catalog/suggested-models'
import type { Context } from '../../context'
import { handler, type Handler } from '../../http/handler'
import { requireGrant } from '../../http/guard'
import { requireProof } from '../../http/sign-in/require-step-up'
import { auditChannels, auditNewChannel, channelsOfTag } from './audit-channels'
import { shownChannel } from './channel-entity'
import { channelHistory } from './channel-history'
import { liveChannels } from './channel-live'
import { channelsWithBalance, updateBalance, watchBalance } from './channel-balance'
import { reloadChannels } from '../../channels/change-channels'
import { runProgress, startRun, type RunName } from '../../channels/channel-run'
import { modelsOfTag, setTagStatus, tagChannels, updateTag } from './channel-tags'
import { channelTraffic } from './channel-traffic'
import { channelTypes, enabledModels, knownModels } from './channel-types'
import { deleteChannels, deleteDisabledChannels, disabledChannels } from './delete-channels'
import { explainRoute } from './explain-route'
import { fetchModels, fetchModelsUnsaved } from './fetch-models'
import { findChannels, oneChannel } from './find-channels'
import { manageKeys } from './manage-keys'
import { modelPrices } from './model-prices'
import { copyChannel, createChannel, movesKeys, updateChannel } from './save-channel'
import { testChannel } from '../../channels/probe'
import { testableChannels, testAndSwitchChannel } from '../../channels/test-and-switch-channel'
import type { Config } from '../../platform/config/config'

/** Starts a run that goes on after the response. @throws AppError `channel.testing` when one is running. */
async function startInBackground(
  ctx: Context,
  name: RunName,
  channelIds: readonly number[],
  step: Parameters<typeof startRun>[3],
): Promise<undefined> {
  const run = await startRun(ctx, name, channelIds, step)
  if (!run) throw new AppError('channel.testing')
  run.ended.catch((error: unknown) => ctx.log.error({ error, run: name }, 'a run over all channels broke off'))
  return undefined
}

const listing: readonly Handler[] = [
  handler(channelRoutes.listChannels, async ({ query }, { ctx, language }) => {
    const found = await findChannels(ctx, query, pageOf(query))
    return { ...found, items: found.items.map((channel) => shownChannel(channel, language)) }
  }),
  handler(channelRoutes.searchChannels, async ({ query }, { ctx, language }) => {
    const found = await findChannels(ctx, query, searchPageOf(query))
    const items = found.items.map((channel) => shownChannel(channel, language))
    // In tag mode all channels of a tag are listed together, so there may be more of them than units were counted.
    return query.p === undefined ? items.slice(0, maxResults) : { ...found, items }
  }),
  handler(channelRoutes.channelTypes, (_, { ctx }) => Promise.resolve(channelTypes(dayOf(ctx.clock)))),
  handler(channelRoutes.channelDefaults, (_, { ctx }) => Promise.resolve(channelDefaults(ctx.config))),
  handler(channelRoutes.liveChannels, ({ query }, { ctx }) => liveChannels(ctx, query.ids)),
  handler(channelRoutes.channelTraffic, ({ query }, { ctx }) => channelTraffic(ctx, query.ids)),
  handler(channelRoutes.explainRoute, ({ query }, call) => explainRoute(call, query)),
  handler(channelRoutes.channelHistory, ({ params }, call) => channelHistory(call, params.id)),
  handler(channelRoutes.knownModels, (_, { ctx }) =>
    Promise.resolve(knownModels(ctx.catalog.current, dayOf(ctx.clock))),
  ),
  handler(channelRoutes.enabledModels, (_, { ctx }) => Promise.resolve(enabledModels(ctx.catalog.current))),
  handler(channelPriceRoutes.modelPrices, async ({ body }, { ctx }) =>
    modelPrices(ctx.catalog.current, body.models, body.model_mapping),
  ),
  handler(channelRoutes.fetchModels, ({ params }, { ctx }) => fetchModels(ctx, params.id)),
  handler(channelRoutes.fetchModelsUnsaved, ({ body }, { ctx }) => fetchModelsUnsaved(ctx, body)),
]

const tags: readonly Handler[] = [
  handler(channelRoutes.tagChannels, ({ body }, call) =>
    auditChannels(call, body.ids, () => tagChannels(call.ctx, body.ids, body.tag)),
  ),
  handler(channelRoutes.updateTag, async ({ body }, call) =>
    auditChannels(call, await channelsOfTag(call.ctx, body.tag), () => updateTag(call.ctx, body)),
  ),
  handler(channelRoutes.enableTag, async ({ body: { tag } }, call) =>
    auditChannels(call, await channelsOfTag(call.ctx, tag), () => setTagStatus(call.ctx, tag, channelStatus.enabled)),
  ),
  handler(channelRoutes.disableTag, async ({ body: { tag } }, call) =>
    auditChannels(call, await channelsOfTag(call.ctx, tag), () => setTagStatus(call.ctx, tag, channelStatus.disabled)),
  ),
  handler(channelRoutes.tagModels, ({ query }, { ctx }) => modelsOfTag(ctx, query.tag)),
]

const checking: readonly Handler[] = [
  handler(channelRoutes.testProgress, (_, { ctx }) => runProgress(ctx, 'channel-test')),
  handler(channelRoutes.testChannels, (_, { ctx }) =>
    startInBackground(ctx, 'channel-test', testableChannels(ctx), (id, goOn) => testAndSwitchChannel(ctx, id, goOn)),
  ),
  handler(channelRoutes.testChannel, async ({ params, query }, { ctx }) => {
    const { milliseconds, failure } = await testChannel(ctx, params.id, query.model)
    const envelopeFields = { time: milliseconds / 1000 }
    if (failure !== null) throw new AppError('channel.test_failed', { params: { reason: failure }, envelopeFields })
    return { data: undefined, envelopeFields }
  }),
  handler(channelRoutes.balanceProgress, (_, { ctx }) => runProgress(ctx, 'channel-balance')),
  handler(channelRoutes.updateBalances, (_, { ctx }) =>
    startInBackground(ctx, 'channel-balance', channelsWithBalance(ctx), (id) => watchBalance(ctx, id)),
  ),
  handler(channelRoutes.updateBalance, async ({ params }, { ctx }) => {
    const { amount, currency } = await updateBalance(ctx, params.id)
    return { data: undefined, envelopeFields: { balance: amount, currency } }
  }),
]

const changing: readonly Handler[] = [
  handler(channelRoutes.createChannel, async ({ body }, { ctx, audit, caller, language }) => {
    if (body.key?.trim()) requireGrant(caller, 'keys.write')
    const channel = await createChannel(ctx, body)
    await auditNewChannel({ ctx, audit }, channel)
    return shownChannel(channel, language)
  }),
  handler(channelRoutes.updateChannel, async ({ body }, call) => {
    if (body.key?.trim()) requireGrant(call.caller, 'keys.write')
    const mayMoveKeys = call.caller.role >= role.root && (await movesKeys(call.ctx, body))
    if (mayMoveKeys) await requireProof(call, 'channel_address')
    const channel = await auditChannels(call, [body.id], () => updateChannel(call.ctx, body, { mayMoveKeys }))
    return shownChannel(channel, call.language)
  }),
  handler(channelRoutes.copyChannel, async ({ params, query }, { ctx, audit }) => {
    const id = await copyChannel(ctx, params.id, query)
    audit.recordChange({}, { copy: id })
    return { id }
  }),
  handler(channelRoutes.fixChannels, (_, { ctx }) => reloadChannels(ctx)),
  handler(channelRoutes.manageKeys, async ({ body }, call) => {
    if (body.action.startsWith('delete_')) requireGrant(call.caller, 'keys.write')
    call.audit.recordChange({}, { action: body.action, fingerprint: body.fingerprint })
    const channel = await auditChannels(call, [body.channel_id], () => manageKeys(call.ctx, body))
    return shownChannel(channel, call.language)
  }),
  handler(channelRoutes.deleteDisabledChannels, async (_, call) =>
    auditChannels(call, await disabledChannels(call.ctx), () => deleteDisabledChannels(call.ctx)),
  ),
  handler(channelRoutes.deleteChannels, ({ body }, call) =>
    auditChannels(call, body.ids, () => deleteChannels(call.ctx, body.ids)),
  ),
  handler(channelRoutes.deleteChannel, ({ params }, call) =>
    auditChannels(call, [params.id], async () => {
      if ((await deleteChannels(call.ctx, [params.id])) === 0) throw new AppError('channel.none')
      return undefined
    }),
  ),
]

/** Fixed paths come before the one with an id. */
export const channelHandlers: readonly Handler[] = [
  ...listing,
  ...tags,
  ...checking,
  ...changing,
  handler(channelRoutes.getChannel, async ({ params }, { ctx, language }) =>
    shownChannel(await oneChannel(ctx, params.id), language),
  ),
]

/** Returns the numbers in force where the setting of a channel has none: those of the contract, or of the environment. */
export function channelDefaults({
  firstByteTimeoutMs,
  firstByteTimeoutWholeMs,
}: Config): Record<ChannelNumber, number> {
  const defaults = Object.fromEntries(channelNumberNames.map((name) => [name, channelNumbers[name].otherwise]))
  return {
    ...(defaults as Record<ChannelNumber, number>),
    first_byte_timeout: firstByteTimeoutMs / 1000,
    first_byte_timeout_whole: firstByteTimeoutWholeMs / 1000,
  }
}
