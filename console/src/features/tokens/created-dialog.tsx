import { Alert, Button, Group, Modal, Stack } from '@mantine/core'

import { CreatedKeys } from '../../domain/created-keys'
import { FocusBack } from '../../components/focus-back'
import { useIsPhone } from '../../lib/browser/breakpoints'
import { ErrorText } from '../../lib/api/error-text'
import { useTranslation } from '../../lib/text/i18n'
import { Connection } from './connection'
import { shownKey } from './token-text'
import type { Created } from './use-save-token'

export type Occasion = 'created' | 'rotated' | 'opened'

interface CreatedDialogProps {
  readonly created: Created
  /** `opened`: the connection of an existing token. */
  readonly occasion: Occasion
  readonly onClose: () => void
}

/** Newly created tokens, and how to use them. */
export function CreatedDialog({ created, occasion, onClose }: CreatedDialogProps) {
  const { t } = useTranslation('tokens')
  const isPhone = useIsPhone()
  const { tokens, requested, error } = created
  const [first, ...others] = tokens
  const count = tokens.length
  const name = first?.name ?? ''
  const keys = tokens.map((token) => ({ name: token.name, key: shownKey(token.key) }))
  const titles = {
    created: count > 1 ? t('created.many', { count }) : t('created.one', { name }),
    rotated: t('rotate.done', { name }),
    opened: name,
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size={660}
      fullScreen={isPhone}
      title={titles[occasion]}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <FocusBack />
      <Stack gap="sm">
        {error && (
          <Alert variant="outline" color="yellow" p="xs" title={t('created.partly', { count, wanted: requested })}>
            <ErrorText error={error} />
          </Alert>
        )}
        {first &&
          (others.length > 0 ? (
            <CreatedKeys keys={keys} fileName={first.name} />
          ) : (
            <Connection token={first} isNew={occasion === 'created'} />
          ))}
        <Group justify="flex-end">
          <Button size="sm" variant="default" onClick={onClose} data-autofocus>
            {t('common:close')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
