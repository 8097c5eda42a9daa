import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { redemptionRoutes } from '@tollgate/contract'
import { useState, type SubmitEvent } from 'react'

import { FocusBack } from '../../components/focus-back'
import { FormFailure } from '../../components/dialogs/form-failure'
import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess } from '../../lib/browser/notify'
import { useRead, useWrite } from '../../lib/api/query'
import { redemptionCodeReads } from './redemption-code-data'

/** Deletes all codes of one name after showing how many there are. */
export function DeleteByName({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('redemption-codes')
  const [name, setName] = useState('')
  /** The name whose codes were counted. */
  const [pendingName, setPendingName] = useState<string>()
  const typedName = name.trim()
  const counted = useRead(
    redemptionRoutes.countRedemptionsByName,
    { query: { name: pendingName ?? '' } },
    { enabled: pendingName !== undefined, staleTime: 0 },
  )
  const remove = useWrite(redemptionRoutes.deleteRedemptionsByName, {
    changes: redemptionCodeReads,
    onSuccess: (count) => {
      notifySuccess(t('deleted', { count }))
      onClose()
    },
  })
  const isCounted = pendingName === typedName && counted.data !== undefined && !counted.isFetching
  const count = isCounted ? counted.data : undefined
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (typedName === '') return
    if (count !== undefined && count > 0) remove.mutate({ query: { name: typedName } })
    else setPendingName(typedName)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size="sm"
      title={t('cleanUp.byName')}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <FocusBack />
      <form onSubmit={submit}>
        <TextInput
          label={t('column.name')}
          description={t('cleanUp.byNameHint')}
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Text size="sm" mt="sm" mih={22} role="status">
          {count !== undefined && (count > 0 ? t('cleanUp.found', { count }) : t('cleanUp.foundNone'))}
        </Text>
        {counted.error && <FormFailure error={counted.error} />}
        <Group justify="flex-end" gap={8} mt="md">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button
            type="submit"
            color={count ? 'red' : undefined}
            disabled={typedName === '' || count === 0}
            loading={remove.isPending || (pendingName === typedName && counted.isFetching)}
          >
            {count ? t('cleanUp.deleteCount', { count }) : t('cleanUp.count')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
