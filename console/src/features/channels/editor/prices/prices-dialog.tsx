import { Center, Loader, Modal } from '@mantine/core'
import { channelPriceRoutes } from '@tollgate/contract'
import { useState } from 'react'

import { FocusBack } from '../../../../components/focus-back'
import { ConfirmDialog } from '../../../../components/dialogs/confirm-dialog'
import { ErrorState } from '../../../../components/page/state-message'
import { ownEscape } from '../../../../components/own-escape'
import { useIsPhone } from '../../../../lib/browser/breakpoints'
import { useTranslation } from '../../../../lib/text/i18n'
import { useRead } from '../../../../lib/api/query'
import { PricesEditor } from './prices-editor'

export interface PriceQuestion {
  readonly models: string[]
  /** The channel's mapping, which may give a model the price of its target. */
  readonly model_mapping?: string
}

interface PricesDialogProps {
  readonly question: PriceQuestion
  readonly onClose: () => void
}

/** The prices of a channel's models, editable with the grant. */
export function PricesDialog({ question, onClose }: PricesDialogProps) {
  const { t } = useTranslation('channel-editor')
  const isPhone = useIsPhone()
  const [isDirty, setDirty] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const prices = useRead(channelPriceRoutes.modelPrices, { body: question }, { staleTime: 0 })
  // Later responses must not overwrite what is being typed.
  const [opened, setOpened] = useState<typeof prices.data>()
  if (!opened && prices.data && !prices.isFetching) setOpened(prices.data)
  const close = () => (isDirty ? setAsking(true) : onClose())
  return (
    <>
      <Modal
        opened
        onClose={close}
        {...ownEscape(close)}
        title={t('prices.title')}
        size={980}
        fullScreen={isPhone}
        closeButtonProps={{ 'aria-label': t('common:close') }}
      >
        <FocusBack />
        {opened ? (
          <PricesEditor prices={opened} onDirty={setDirty} onSaved={onClose} onCancel={close} />
        ) : prices.error ? (
          <ErrorState error={prices.error} onRetry={() => void prices.refetch()} isSmall />
        ) : (
          <Center mih={240}>
            <Loader size="sm" />
          </Center>
        )}
      </Modal>
      {isAsking && (
        <ConfirmDialog
          title={t('common:form.discardTitle')}
          question={t('common:form.discardHint')}
          confirmText={t('common:form.discard')}
          onConfirm={onClose}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
