import {
  IconDownload,
  IconTool,
  IconTrash,
  IconUpload,
  IconWallet,
  IconActivityHeartbeat,
  IconDots,
} from '@tabler/icons-react'
import { Button } from '@mantine/core'
import { channelRoutes } from '@tollgate/contract'

import { MenuButton, type MenuItem } from '../../components/menu-button'
import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess } from '../../lib/browser/notify'
import { useWrite } from '../../lib/api/query'
import { channelReads, useChannelRights } from './channel-data'

interface ListMenuProps {
  /** Before the actions: on phones, the buttons of the list. */
  readonly before: readonly MenuItem[]
  readonly onImport: () => void
  readonly onExport: () => void
}

/** Actions for the whole list. */
export function ListMenu({ before, onImport, onExport }: ListMenuProps) {
  const { t } = useTranslation('channels')
  const { mayWrite, mayEnterKeys } = useChannelRights()
  // Their progress is shown once they have started.
  const test = useWrite(channelRoutes.testChannels, { changes: [channelRoutes.testProgress] })
  const balances = useWrite(channelRoutes.updateBalances, { changes: [channelRoutes.balanceProgress] })
  const removed = useWrite(channelRoutes.deleteDisabledChannels, {
    changes: channelReads,
    onSuccess: (count) => notifySuccess(t('done.deletedMany', { count })),
  })
  const fix = useWrite(channelRoutes.fixChannels, {
    changes: channelReads,
    onSuccess: (count) => notifySuccess(t('done.fixed', { count })),
  })
  const items: readonly MenuItem[] = [
    {
      id: 'test',
      label: t('menu.testAll'),
      icon: IconActivityHeartbeat,
      startsGroup: before.length > 0,
      onClick: () => test.mutate({}),
    },
    { id: 'balances', label: t('menu.balances'), icon: IconWallet, onClick: () => balances.mutate({}) },
    { id: 'import', label: t('menu.import'), icon: IconUpload, startsGroup: true, onClick: onImport },
    { id: 'export', label: t('menu.export'), icon: IconDownload, onClick: onExport },
    { id: 'fix', label: t('menu.fix'), icon: IconTool, onClick: () => fix.mutate({}) },
    {
      id: 'delete',
      label: t('menu.deleteDisabled'),
      icon: IconTrash,
      isDangerous: true,
      startsGroup: true,
      confirmation: {
        title: t('delete.disabledTitle'),
        question: t('delete.disabledQuestion'),
        confirmText: t('action.delete'),
      },
      onClick: () => removed.mutate({}),
    },
  ]
  const isAllowed = ({ id }: MenuItem) => id === 'export' || (id === 'import' ? mayEnterKeys : mayWrite)
  return (
    <MenuButton
      label={t('menu.label')}
      trigger={(props) => (
        <Button variant="default" leftSection={<IconDots size={15} />} {...props}>
          {t('header.more')}
        </Button>
      )}
      items={[...before, ...items.filter(isAllowed)]}
    />
  )
}
