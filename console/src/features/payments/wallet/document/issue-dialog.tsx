import { Modal, Text } from '@mantine/core'
import type { userRoutes } from '@tollgate/contract'

import { BillingForm } from '../../../../domain/billing/billing-form'
import { FocusBack } from '../../../../components/focus-back'
import { useTranslation } from '../../../../lib/text/i18n'

interface IssueDialogProps {
  readonly account: userRoutes.UserEntity
  readonly onIssue: () => void
  readonly onClose: () => void
}

/** Takes the billing details before the first document is issued, which freezes them. */
export function IssueDialog({ account, onIssue, onClose }: IssueDialogProps) {
  const { t } = useTranslation('document')
  return (
    <Modal opened onClose={onClose} title={t('billing.title')} closeButtonProps={{ 'aria-label': t('common:close') }}>
      <FocusBack />
      <Text size="sm" c="dimmed" mb="md">
        {t('issue.hint')}
      </Text>
      <BillingForm account={account} action={t('issue.action')} onSaved={onIssue} />
    </Modal>
  )
}
