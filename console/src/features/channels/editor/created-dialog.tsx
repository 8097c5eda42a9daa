import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { channelRoutes, tokenRoutes, type ApiError } from '@tollgate/contract'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useState } from 'react'

import { choicesOf } from '../../../components/combobox/choice'
import { SearchSelect } from '../../../components/combobox/search-select'
import { FocusBack } from '../../../components/focus-back'
import { callWhole } from '../../../lib/api/api'
import { ErrorText } from '../../../lib/api/error-text'
import { formatDuration } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import { useRead, useRefresh } from '../../../lib/api/query'
import { listOf } from './channel-form'
import { channelReads } from '../channel-data'

interface CreatedDialogProps {
  readonly channel: channelRoutes.ChannelEntity
  readonly onClose: () => void
}

/** Confirms that the channel was created and offers to test it. */
export function CreatedDialog({ channel, onClose }: CreatedDialogProps) {
  const { t } = useTranslation('channel-editor')
  const models = listOf(channel.models)
  const [model, setModel] = useState(channel.test_model || (models[0] ?? ''))
  const refresh = useRefresh()
  const test = useMutation<{ readonly time: number }, ApiError>({
    mutationFn: async () =>
      (await callWhole(channelRoutes.testChannel, { params: { id: channel.id }, query: { model } })).envelopeFields,
    onSettled: () => void refresh(...channelReads),
  })
  const isNext = test.data !== undefined
  return (
    <Modal opened onClose={onClose} title={t('created.title')} closeButtonProps={{ 'aria-label': t('common:close') }}>
      <FocusBack />
      <Stack gap="md">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t('created.hint', { name: channel.name })}
        </Text>
        <SearchSelect
          label={t('created.model')}
          choices={choicesOf([...new Set([...models, model])])}
          value={model}
          onChange={(next) => setModel(next ?? model)}
        />
        <div aria-live="polite">
          {test.data && (
            <Alert color="green" icon={<IconCheck size={16} />}>
              {t('created.works', { time: formatDuration(test.data.time * 1000) })}
            </Alert>
          )}
          {test.error && !test.isPending && (
            <Alert color="red" icon={<IconX size={16} />} title={t('created.fails')}>
              <ErrorText error={test.error} />
            </Alert>
          )}
        </div>
        <Group justify="flex-end" gap={8}>
          {!isNext && (
            <Button variant="default" onClick={onClose}>
              {t('common:close')}
            </Button>
          )}
          <Button
            variant={isNext ? 'default' : 'filled'}
            onClick={() => test.mutate()}
            loading={test.isPending}
            data-autofocus
          >
            {t(isNext ? 'created.again' : 'created.test')}
          </Button>
          {isNext && <NextButton onClose={onClose} />}
        </Group>
      </Stack>
    </Modal>
  )
}

/** The first working channel leads to the first token; a later one to the end of the dialog. */
function NextButton({ onClose }: Pick<CreatedDialogProps, 'onClose'>) {
  const { t } = useTranslation('channel-editor')
  const { data } = useRead(tokenRoutes.listTokens, { query: { p: 0, size: 1 } })
  if (data?.total === 0)
    return (
      <Button renderRoot={(props) => <Link to="/app/tokens" search={{ edit: 'new' }} {...props} />}>
        {t('created.token')}
      </Button>
    )
  return (
    <Button loading={data === undefined} onClick={onClose}>
      {t('created.finish')}
    </Button>
  )
}
