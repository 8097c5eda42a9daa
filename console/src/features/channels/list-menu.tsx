import {
  IconArrowsSort,
  IconDownload,
  IconRoute,
  IconTags,
  IconTool,
  IconTrash,
  IconUpload,
  IconWallet,
  IconActivityHeartbeat,
  IconDots,
} from '@tabler/icons-react'
import { channelRoutes } from '@tollgate/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ConfirmDialog } from '../../components/confirm-dialog'
import { MenuButton } from '../../components/menu-button'
import { notifySuccess } from '../../lib/notify'
import { useWrite } from '../../lib/query'
import { channelReads } from './channel-reads'
import type { useListModes } from './use-channels'

interface ListMenuProps {
  readonly modes: ReturnType<typeof useListModes>
  readonly onRoute: () => void
  readonly onImport: () => void
  readonly onExport: () => void
}

/** What concerns the whole list. */
export function ListMenu({ modes, onRoute, onImport, onExport }: ListMenuProps) {
  const { t } = useTranslation('channels')
  const [isAsking, setAsking] = useState(false)
  const test = useWrite(channelRoutes.testChannels, {
    changes: [channelRoutes.testProgress],
    onSuccess: () => notifySuccess(t('done.testing')),
  })
  const balances = useWrite(channelRoutes.updateBalances, {
    changes: [channelRoutes.balanceProgress],
    onSuccess: () => notifySuccess(t('done.asking')),
  })
  const removed = useWrite(channelRoutes.deleteDisabledChannels, {
    changes: channelReads,
    onSuccess: (count) => notifySuccess(t('done.deletedDisabled', { count })),
  })
  const fix = useWrite(channelRoutes.fixChannels, {
    changes: channelReads,
    onSuccess: (count) => notifySuccess(t('done.fixed', { count })),
  })
  return (
    <>
      <MenuButton
        label={t('menu.label')}
        icon={IconDots}
        items={[
          { id: 'test', label: t('menu.testAll'), icon: IconActivityHeartbeat, onClick: () => test.mutate({}) },
          { id: 'balances', label: t('menu.balances'), icon: IconWallet, onClick: () => balances.mutate({}) },
          { id: 'route', label: t('menu.route'), icon: IconRoute, onClick: onRoute },
          {
            id: 'sort',
            label: t('menu.idSort'),
            icon: IconArrowsSort,
            isChosen: modes.isIdSort,
            startsGroup: true,
            onClick: () => modes.setIdSort(!modes.isIdSort),
          },
          {
            id: 'tags',
            label: t('menu.tagMode'),
            icon: IconTags,
            isChosen: modes.isTagMode,
            onClick: () => modes.setTagMode(!modes.isTagMode),
          },
          { id: 'import', label: t('menu.import'), icon: IconUpload, startsGroup: true, onClick: onImport },
          { id: 'export', label: t('menu.export'), icon: IconDownload, onClick: onExport },
          { id: 'fix', label: t('menu.fix'), icon: IconTool, onClick: () => fix.mutate({}) },
          {
            id: 'delete',
            label: t('menu.deleteDisabled'),
            icon: IconTrash,
            isDangerous: true,
            startsGroup: true,
            onClick: () => setAsking(true),
          },
        ]}
      />
      {isAsking && (
        <ConfirmDialog
          title={t('menu.deleteDisabled')}
          question={t('delete.disabledQuestion')}
          confirmText={t('action.delete')}
          onConfirm={() => removed.mutate({})}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
