import { ApiError, channelRoutes, channelStatus } from '@tollgate/contract'
import { useState } from 'react'

import { callWhole, toApiError } from '../../lib/api/api'
import { UndoText } from '../../components/dialogs/undo-text'
import { formatDuration } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { notifyError, notifySuccess } from '../../lib/browser/notify'
import { useRefresh, useWrite } from '../../lib/api/query'
import { useFormat } from '../../lib/text/use-format'
import type { Channel } from './channel-row'
import { channelReads } from './channel-data'

/** Actions that take as long as a vendor takes to respond. */
type SlowWork = 'test' | 'balance'

/** Actions on one channel or tag from its row. */
export function useChannelWrites() {
  const { t } = useTranslation('channels')
  const { vendorMoney } = useFormat()
  const refresh = useRefresh()
  const { busy, during } = useBusy()
  /** Reports a channel that no longer exists. */
  const reportGone = (error: ApiError, prefix = '') => {
    const sentence = error.code === 'channel.none' ? t('error.gone') : error.message
    notifyError(new ApiError(prefix + sentence, error.status, error.code, error.requestId))
    if (error.code === 'channel.none') void refresh(...channelReads)
  }
  const saving = (sentence?: string) => ({
    changes: channelReads,
    onSuccess: () => sentence && notifySuccess(sentence),
    onError: (error: ApiError) => reportGone(error),
  })
  const update = useWrite(channelRoutes.updateChannel, saving())
  const setNumber = useWrite(channelRoutes.updateChannel, { onError: (error) => reportGone(error) })
  const setTagNumber = useWrite(channelRoutes.updateTag)
  const enableTag = useWrite(channelRoutes.enableTag, saving(t('done.saved')))
  const disableTag = useWrite(channelRoutes.disableTag, saving(t('done.saved')))
  const remove = useWrite(channelRoutes.deleteChannel, saving(t('done.deleted')))
  const copy = useWrite(channelRoutes.copyChannel, {
    ...saving(t('done.copied')),
    onError: (error) => reportGone(error, t('error.copy')),
  })

  const test = ({ id, name }: Channel) =>
    during('test', id, async () => {
      try {
        const { envelopeFields } = await callWhole(channelRoutes.testChannel, { params: { id }, query: {} })
        notifySuccess(t('done.tested', { name, time: formatDuration(Math.round(envelopeFields.time * 1000)) }))
      } catch (error) {
        reportGone(toApiError(error), t('error.test', { name }))
      }
      await refresh(...channelReads)
    })

  const updateBalance = ({ id, name }: Channel) =>
    during('balance', id, async () => {
      try {
        const { envelopeFields } = await callWhole(channelRoutes.updateBalance, { params: { id } })
        notifySuccess(
          t('done.balance', { name, balance: vendorMoney(envelopeFields.balance, envelopeFields.currency) }),
        )
      } catch (error) {
        reportGone(toApiError(error), t('error.balance', { name }))
      }
      await refresh(...channelReads)
    })

  return {
    test,
    updateBalance,
    isBusy: (work: SlowWork, { id }: Channel) => busy.has(`${work}:${id}`),
    setStatus: ({ id }: Channel, isOn: boolean) =>
      update.mutate({ body: { id, status: isOn ? channelStatus.enabled : channelStatus.disabled } }),
    setNumber: async ({ id }: Channel, key: 'priority' | 'weight', value: number) => {
      await setNumber.mutateAsync({ body: { id, [key]: value } })
      await refresh(...channelReads)
    },
    movePriority: async (channel: Pick<Channel, 'id' | 'name' | 'priority'>, priority: number) => {
      const { id, name, priority: before } = channel
      const write = async (value: number) => {
        await setNumber.mutateAsync({ body: { id, priority: value } })
        await refresh(...channelReads)
      }
      try {
        await write(priority)
      } catch {
        // The error has been shown by then.
        return
      }
      notifySuccess(
        <UndoText
          text={t('done.moved', { name, priority })}
          label={t('undo')}
          doneText={t('done.undone')}
          onUndo={() => write(before)}
        />,
      )
    },
    setTagNumber: async (tag: string, key: 'priority' | 'weight', value: number) => {
      await setTagNumber.mutateAsync({ body: { tag, [key]: value } })
      await refresh(...channelReads)
    },
    setTagStatus: (tag: string, isOn: boolean) => (isOn ? enableTag : disableTag).mutate({ body: { tag } }),
    copy: ({ id }: Channel) => copy.mutate({ params: { id } }),
    remove: ({ id }: Channel) => remove.mutate({ params: { id } }),
  }
}
export type ChannelWrites = ReturnType<typeof useChannelWrites>

/** Tracks running actions, so that a row shows them and does not start one twice. */
function useBusy() {
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const during = async (work: SlowWork, id: number, job: () => Promise<void>) => {
    const key = `${work}:${id}`
    setBusy((keys) => new Set(keys).add(key))
    await job()
    setBusy((keys) => new Set([...keys].filter((other) => other !== key)))
  }
  return { busy, during }
}
