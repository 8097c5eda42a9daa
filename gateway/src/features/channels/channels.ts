import { channelPriceRoutes, channelRoutes, channelStatus, mostFound, pageOf, searchPageOf } from '@tollgate/contract'

import { AppError } from '../../app-error'
import type { Context } from '../../context'
import { handler, type Handler } from '../../http/handler'
import { shownChannel } from './channel-entity'
import { channelsWithBalance, updateBalance, watchBalance } from './channel-balance'
import { runProgress, startRun, type RunName } from './channel-run'
import { modelsOfTag, setTagStatus, tagChannels, updateTag } from './channel-tags'
import { channelTypes, enabledModels, knownModels } from './channel-types'
import { deleteChannels, deleteDisabledChannels, fixChannels } from './delete-channels'
import { explainRoute } from './explain-route'
import { fetchModels, fetchModelsUnsaved } from './fetch-models'
import { findChannels, oneChannel } from './find-channels'
import { manageKeys } from './manage-keys'
import { modelPrices } from './model-prices'
import { copyChannel, createChannel, updateChannel } from './save-channel'
import { testableChannels, testChannel, watchChannel } from './test-channel'

/** Start a run that goes on after the answer. @throws AppError `channel.testing` when one is running. */
async function startInBackground(
  ctx: Context,
  name: RunName,
  channelIds: readonly number[],
  step: (channelId: number) => Promise<boolean>,
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
    // In tag mode all channels of a tag stand together, so there may be more of them than units were counted.
    return query.p === undefined ? items.slice(0, mostFound) : { ...found, items }
  }),
  handler(channelRoutes.channelTypes, () => Promise.resolve(channelTypes())),
  handler(channelRoutes.explainRoute, ({ query }, { ctx }) =>
    Promise.resolve(explainRoute(ctx, query.group, query.model)),
  ),
  handler(channelRoutes.knownModels, (_, { ctx }) => Promise.resolve(knownModels(ctx.catalog.current))),
  handler(channelRoutes.enabledModels, (_, { ctx }) => Promise.resolve(enabledModels(ctx.catalog.current))),
  handler(channelPriceRoutes.modelPrices, async ({ body }, { ctx }) =>
    modelPrices(ctx.catalog.current.options, body.models, body.model_mapping),
  ),
  handler(channelRoutes.fetchModels, ({ params }, { ctx }) => fetchModels(ctx, params.id)),
  handler(channelRoutes.fetchModelsUnsaved, ({ body }, { ctx }) => fetchModelsUnsaved(ctx, body)),
]

const tags: readonly Handler[] = [
  handler(channelRoutes.tagChannels, ({ body }, { ctx }) => tagChannels(ctx, body.ids, body.tag)),
  handler(channelRoutes.updateTag, ({ body }, { ctx }) => updateTag(ctx, body)),
  handler(channelRoutes.enableTag, ({ body }, { ctx }) => setTagStatus(ctx, body.tag, channelStatus.enabled)),
  handler(channelRoutes.disableTag, ({ body }, { ctx }) => setTagStatus(ctx, body.tag, channelStatus.disabled)),
  handler(channelRoutes.tagModels, ({ query }, { ctx }) => modelsOfTag(ctx, query.tag)),
]

const checking: readonly Handler[] = [
  handler(channelRoutes.testProgress, (_, { ctx }) => runProgress(ctx, 'channel-test')),
  handler(channelRoutes.testChannels, (_, { ctx }) =>
    startInBackground(ctx, 'channel-test', testableChannels(ctx), (id) => watchChannel(ctx, id)),
  ),
  handler(channelRoutes.testChannel, async ({ params, query }, { ctx }) => {
    const { milliseconds, failure } = await testChannel(ctx, params.id, query.model)
    const beside = { time: milliseconds / 1000 }
    if (failure !== null) throw new AppError('channel.test_failed', { params: { reason: failure }, beside })
    return { data: undefined, beside }
  }),
  handler(channelRoutes.balanceProgress, (_, { ctx }) => runProgress(ctx, 'channel-balance')),
  handler(channelRoutes.updateBalances, (_, { ctx }) =>
    startInBackground(ctx, 'channel-balance', channelsWithBalance(ctx), (id) => watchBalance(ctx, id)),
  ),
  handler(channelRoutes.updateBalance, async ({ params }, { ctx }) => ({
    data: undefined,
    beside: { balance: await updateBalance(ctx, params.id) },
  })),
]

const changing: readonly Handler[] = [
  handler(channelRoutes.createChannel, async ({ body }, { ctx, language }) =>
    shownChannel(await createChannel(ctx, body), language),
  ),
  handler(channelRoutes.updateChannel, async ({ body }, { ctx, language }) =>
    shownChannel(await updateChannel(ctx, body), language),
  ),
  handler(channelRoutes.copyChannel, async ({ params, query }, { ctx }) => ({
    id: await copyChannel(ctx, params.id, query),
  })),
  handler(channelRoutes.fixChannels, (_, { ctx }) => fixChannels(ctx)),
  handler(channelRoutes.manageKeys, async ({ body }, { ctx, language }) =>
    shownChannel(await manageKeys(ctx, body), language),
  ),
  handler(channelRoutes.deleteDisabledChannels, (_, { ctx }) => deleteDisabledChannels(ctx)),
  handler(channelRoutes.deleteChannels, ({ body }, { ctx }) => deleteChannels(ctx, body.ids)),
  handler(channelRoutes.deleteChannel, async ({ params }, { ctx }) => {
    if ((await deleteChannels(ctx, [params.id])) === 0) throw new AppError('channel.none')
    return undefined
  }),
]

/** Fixed paths stand before the one with an id. */
export const channelHandlers: readonly Handler[] = [
  ...listing,
  ...tags,
  ...checking,
  ...changing,
  handler(channelRoutes.getChannel, async ({ params }, { ctx, language }) =>
    shownChannel(await oneChannel(ctx, params.id), language),
  ),
]
