import { IconDots, IconTrash, IconTrashX } from '@tabler/icons-react'
import { redemptionRoutes } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'

import { MenuButton } from '../../components/menu-button'
import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess } from '../../lib/browser/notify'
import { useWrite } from '../../lib/api/query'
import { redemptionCodeReads } from './redemption-code-data'

const DeleteByName = lazy(async () => ({ default: (await import('./delete-by-name')).DeleteByName }))

/** Deletes many codes at once. */
export function CleanUpMenu() {
  const { t } = useTranslation('redemption-codes')
  const [isAsking, setAsking] = useState(false)
  const deleteDisabled = useWrite(redemptionRoutes.deleteDisabledRedemptions, {
    changes: redemptionCodeReads,
    onSuccess: (count) => notifySuccess(t('deleted', { count })),
  })
  return (
    <>
      <MenuButton
        label={t('cleanUp.label')}
        icon={IconDots}
        hasFrame
        items={[
          {
            id: 'name',
            label: t('cleanUp.byName'),
            icon: IconTrash,
            isDangerous: true,
            onClick: () => setAsking(true),
          },
          {
            id: 'disabled',
            label: t('cleanUp.disabled'),
            icon: IconTrashX,
            isDangerous: true,
            confirmation: {
              title: t('cleanUp.disabled'),
              question: t('cleanUp.disabledQuestion'),
              confirmText: t('action.delete'),
            },
            onClick: () => deleteDisabled.mutate({}),
          },
        ]}
      />
      {isAsking && (
        <Suspense>
          <DeleteByName onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  )
}
