import { channelRoutes, channelStatus } from '@tollgate/contract'
import { useTranslation } from 'react-i18next'

import { callWhole, understood } from '../../lib/api'
import { notifyError, notifySuccess } from '../../lib/notify'
import { useRefresh, useWrite } from '../../lib/query'
import type { Channel } from './channel-row'
import { channelReads } from './channel-reads'

/** Everything that is done to one channel or tag from its row. */
export function useChannelWrites() {
  const { t } = useTranslation('channels')
  const refresh = useRefresh()
  const done = (sentence: string) => ({ changes: channelReads, onSuccess: () => notifySuccess(sentence) })
  const update = useWrite(channelRoutes.updateChannel, { changes: channelReads })
  const updateTag = useWrite(channelRoutes.updateTag, { changes: channelReads })
  const enableTag = useWrite(channelRoutes.enableTag, done(t('done.saved')))
  const disableTag = useWrite(channelRoutes.disableTag, done(t('done.saved')))
  const copy = useWrite(channelRoutes.copyChannel, done(t('done.copied')))
  const remove = useWrite(channelRoutes.deleteChannel, done(t('done.deleted')))

  async function test({ id, name }: Channel, model?: string) {
    try {
      const { beside } = await callWhole(channelRoutes.testChannel, { params: { id }, query: { model } })
      notifySuccess(t('done.tested', { name, seconds: beside.time.toFixed(2) }))
    } catch (error) {
      notifyError(understood(error))
    }
    await refresh(...channelReads)
  }

  async function updateBalance({ id, name }: Channel) {
    try {
      const { beside } = await callWhole(channelRoutes.updateBalance, { params: { id } })
      notifySuccess(t('done.balance', { name, balance: beside.balance.toFixed(2) }))
    } catch (error) {
      notifyError(understood(error))
    }
    await refresh(...channelReads)
  }

  return {
    test,
    updateBalance,
    setStatus: ({ id }: Channel, isOn: boolean) =>
      update.mutate({ body: { id, status: isOn ? channelStatus.enabled : channelStatus.disabled } }),
    setNumber: async ({ id }: Channel, key: 'priority' | 'weight', value: number) => {
      await update.mutateAsync({ body: { id, [key]: value } })
    },
    setTagNumber: async (tag: string, key: 'priority' | 'weight', value: number) => {
      await updateTag.mutateAsync({ body: { tag, [key]: value } })
    },
    setTagStatus: (tag: string, isOn: boolean) => (isOn ? enableTag : disableTag).mutate({ body: { tag } }),
    copy: ({ id }: Channel) => copy.mutate({ params: { id } }),
    remove: ({ id }: Channel) => remove.mutate({ params: { id } }),
  }
}
export type ChannelWrites = ReturnType<typeof useChannelWrites>
