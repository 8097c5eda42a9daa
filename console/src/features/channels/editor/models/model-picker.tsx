import { channelRoutes, type ApiError, type RouteSent } from '@tollgate/contract'
import { Button, Center, Group, Loader, Modal } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'

import { FocusBack } from '../../../../components/focus-back'
import { StateMessage } from '../../../../components/page/state-message'
import { useIsPhone } from '../../../../lib/browser/breakpoints'
import { ErrorText } from '../../../../lib/api/error-text'
import { useTranslation } from '../../../../lib/text/i18n'
import { useRead } from '../../../../lib/api/query'
import { ModelChoice } from './model-choice'

type Unsaved = NonNullable<RouteSent<typeof channelRoutes.fetchModelsUnsaved>['body']>

/** Where the list comes from: the vendor of a stored channel, or of one that is not stored yet. */
export type ModelSource =
  | { readonly channelId: number; readonly unsaved?: never }
  | { readonly unsaved: Unsaved; readonly channelId?: never }

interface ModelPickerProps {
  /** The channel's current models. */
  readonly current: readonly string[]
  readonly source: ModelSource
  readonly onApply: (models: readonly string[]) => void
  /** Called with whether the list was there. */
  readonly onClose: (hasList: boolean) => void
}

/** Selects a channel's models from those its vendor offers. */
export function ModelPicker({ current, source, onApply, onClose }: ModelPickerProps) {
  const { t } = useTranslation('channel-editor')
  const isPhone = useIsPhone()
  const { data, error, isFetching, refetch } = useOffered(source)
  const close = () => onClose(data !== undefined && !error && !isFetching)
  return (
    <Modal
      opened
      onClose={close}
      title={t('picker.title')}
      size={640}
      fullScreen={isPhone}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <FocusBack />
      {isFetching ? (
        <Center mih={240}>
          <Loader size="sm" aria-label={t('picker.loading')} />
        </Center>
      ) : data && !error ? (
        <ModelChoice
          current={current}
          offered={data}
          onCancel={close}
          onApply={(models) => {
            onApply(models)
            close()
          }}
        />
      ) : (
        error && <Failed error={error} onRetry={() => void refetch()} onClose={close} />
      )}
    </Modal>
  )
}

/** Only one of the two runs. Opening always fetches again, so that changes at the vendor are seen. */
function useOffered({ channelId, unsaved }: ModelSource) {
  const saved = useRead(
    channelRoutes.fetchModels,
    { params: { id: channelId ?? 0 } },
    { enabled: channelId !== undefined, staleTime: 0 },
  )
  const fresh = useRead(channelRoutes.fetchModelsUnsaved, unsaved && { body: unsaved }, {
    enabled: unsaved !== undefined,
    staleTime: 0,
  })
  return unsaved ? fresh : saved
}

interface FailedProps {
  readonly error: ApiError
  readonly onRetry: () => void
  readonly onClose: () => void
}

function Failed({ error, onRetry, onClose }: FailedProps) {
  const { t } = useTranslation('channel-editor')
  return (
    <>
      <StateMessage
        icon={IconPlugConnectedX}
        title={t('picker.failed')}
        hint={
          <>
            <ErrorText error={error} />
            {t('picker.failedHint')}
          </>
        }
        isSmall
      />
      <Group justify="flex-end" gap={8} mt="md">
        <Button variant="default" onClick={onClose}>
          {t('common:cancel')}
        </Button>
        <Button onClick={onRetry}>{t('common:retry')}</Button>
      </Group>
    </>
  )
}
