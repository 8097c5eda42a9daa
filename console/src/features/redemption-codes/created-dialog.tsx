import { Button, Group, Modal, Stack } from '@mantine/core'

import { CreatedKeys } from '../../domain/created-keys'
import { FocusBack } from '../../components/focus-back'
import { useIsPhone } from '../../lib/browser/breakpoints'
import { useTranslation } from '../../lib/text/i18n'

export interface CreatedCodes {
  readonly name: string
  readonly keys: readonly string[]
}

/** Newly created codes, to be copied or saved as a file named after them. */
export function CreatedDialog({ created, onClose }: { readonly created: CreatedCodes; readonly onClose: () => void }) {
  const { t } = useTranslation('coupons')
  const isPhone = useIsPhone()
  const { name, keys } = created
  return (
    <Modal
      opened
      onClose={onClose}
      size={560}
      fullScreen={isPhone}
      title={t('createdCount', { count: keys.length })}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <FocusBack />
      <Stack gap="sm">
        <CreatedKeys keys={keys.map((key) => ({ name, key }))} fileName={name} />
        <Group justify="flex-end">
          <Button variant="default" size="sm" onClick={onClose} data-autofocus>
            {t('common:close')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
