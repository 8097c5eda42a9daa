import { ActionIcon, Group } from '@mantine/core'
import { IconDots, IconEdit, IconListDetails, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { redemptionRoutes } from '@tollgate/contract'

import { MenuButton, type MenuItem } from '../../components/menu-button'
import { Tip } from '../../components/tip'
import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess } from '../../lib/browser/notify'
import { useWrite } from '../../lib/api/query'
import { useViewer } from '../../lib/api/session'
import { redemptionCodeReads, type RedemptionCode } from './redemption-code-data'

const { redemptionStatus: status } = redemptionRoutes

interface RedemptionCodeActionsProps {
  readonly code: RedemptionCode
  readonly onEdit: () => void
  readonly onOpen: () => void
}

/** Actions for one code: a used one can be neither edited nor enabled. */
export function RedemptionCodeActions({ code, onEdit, onOpen }: RedemptionCodeActionsProps) {
  const { t } = useTranslation('redemption-codes')
  const mayWrite = useViewer().may('codes.write')
  const setStatus = useWrite(redemptionRoutes.updateRedemption, {
    changes: redemptionCodeReads,
    onSuccess: () => notifySuccess(t('done')),
  })
  const remove = useWrite(redemptionRoutes.deleteRedemption, {
    changes: redemptionCodeReads,
    onSuccess: () => notifySuccess(t('done')),
  })
  const isOff = code.status === status.disabled
  const toggle = t(isOff ? 'action.enable' : 'action.disable')
  const uses: MenuItem = { id: 'uses', label: t('action.uses'), icon: IconListDetails, onClick: onOpen }
  const deletion: MenuItem = {
    id: 'delete',
    label: t('action.delete'),
    icon: IconTrash,
    isDangerous: true,
    startsGroup: true,
    confirmation: {
      title: t('delete.title', { name: code.name }),
      question: t('delete.question'),
      confirmText: t('action.delete'),
    },
    onClick: () => remove.mutate({ params: { id: code.id } }),
  }
  return (
    <Group gap={0} wrap="nowrap" justify="flex-end">
      {mayWrite && (
        <>
          <Tip label={toggle}>
            <ActionIcon
              aria-label={toggle}
              disabled={code.status === status.used}
              onClick={() =>
                setStatus.mutate({
                  query: { status_only: true },
                  body: { id: code.id, status: isOff ? status.unused : status.disabled },
                })
              }
            >
              {isOff ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
            </ActionIcon>
          </Tip>
          <Tip label={t('action.edit')}>
            <ActionIcon aria-label={t('action.edit')} disabled={code.status !== status.unused} onClick={onEdit}>
              <IconEdit size={16} />
            </ActionIcon>
          </Tip>
        </>
      )}
      <MenuButton
        label={t('action.more', { name: code.name })}
        icon={IconDots}
        items={mayWrite ? [uses, deletion] : [uses]}
      />
    </Group>
  )
}
