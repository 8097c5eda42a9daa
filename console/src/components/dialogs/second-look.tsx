import { Stack } from '@mantine/core'

import { useTranslation } from '../../lib/text/i18n'
import { ConfirmDialog } from './confirm-dialog'
import type { UnusualAmount } from './use-second-look'

interface SecondLookProps {
  readonly amounts: readonly UnusualAmount[]
  readonly onDecision: (isMeant: boolean) => void
  readonly onClose: () => void
}

/** Asks whether amounts far above the usual are meant. */
export function SecondLook({ amounts, onDecision, onClose }: SecondLookProps) {
  const { t } = useTranslation('unusual')
  return (
    <ConfirmDialog
      title={t('title')}
      question={<UnusualAmounts amounts={amounts} />}
      confirmText={t('confirm')}
      onConfirm={() => onDecision(true)}
      onCancel={() => onDecision(false)}
      onClose={onClose}
    />
  )
}

/** What is asked, a paragraph for each amount. */
export function UnusualAmounts({ amounts }: Pick<SecondLookProps, 'amounts'>) {
  const { t } = useTranslation('unusual')
  return (
    <Stack gap="sm">
      {amounts.map(({ name, amount }) => (
        <div key={name}>{t('question', { name, amount })}</div>
      ))}
    </Stack>
  )
}
