import { Button } from '@mantine/core'
import type { tokenRoutes } from '@tollgate/contract'

import { ConfirmButton } from '../../components/dialogs/confirm-button'
import { useTranslation } from '../../lib/text/i18n'
import type { RunKind } from './use-runs'

type Token = tokenRoutes.TokenEntity

interface BulkActionsProps {
  readonly tokens: readonly Token[]
  readonly onRun: (kind: RunKind) => void
}

/** Actions for the selected tokens. */
export function BulkActions({ tokens, onRun }: BulkActionsProps) {
  const { t } = useTranslation('tokens')
  const count = tokens.length
  return (
    <>
      <Button variant="default" onClick={() => onRun('enable')}>
        {t('action.enable')}
      </Button>
      <Button variant="default" onClick={() => onRun('disable')}>
        {t('action.disable')}
      </Button>
      <ConfirmButton
        color="red"
        variant="light"
        title={t('bulk.deleteTitle', { count })}
        question={t('delete.question')}
        confirmText={t('action.delete')}
        onConfirm={() => onRun('delete')}
      >
        {t('action.delete')}
      </ConfirmButton>
    </>
  )
}
