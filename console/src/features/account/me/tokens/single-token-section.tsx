import { selfRoutes } from '@tollgate/contract'

import { ConfirmButton } from '../../../../components/dialogs/confirm-button'
import { useTranslation } from '../../../../lib/text/i18n'
import { useWrite } from '../../../../lib/api/query'
import { MeSection } from '../me-section'

/** The single unnamed token that existing clients request: a new one replaces it. */
export function SingleTokenSection({ onToken }: { readonly onToken: (token: string) => void }) {
  const { t } = useTranslation('me')
  const { mutate, isPending } = useWrite(selfRoutes.newAccessToken, { onSuccess: onToken })
  return (
    <MeSection
      title={t('system.title')}
      hint={t('system.hint')}
      actions={
        <ConfirmButton
          size="sm"
          title={t('system.renewTitle')}
          question={t('system.renewQuestion')}
          confirmText={t('system.renew')}
          loading={isPending}
          onConfirm={() => mutate({})}
        >
          {t('system.renew')}
        </ConfirmButton>
      }
    />
  )
}
