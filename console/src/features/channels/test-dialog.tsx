import { Badge, Button, Group, Modal, ScrollArea, Stack, Text, TextInput } from '@mantine/core'
import { channelRoutes, type ApiError } from '@tollgate/contract'
import { useState } from 'react'

import { FocusBack } from '../../components/focus-back'
import { callWhole, toApiError } from '../../lib/api/api'
import { ErrorText } from '../../lib/api/error-text'
import { formatDuration } from '../../lib/text/format'
import { useTranslation } from '../../lib/text/i18n'
import { useRefresh } from '../../lib/api/query'
import { channelReads } from './channel-data'
import { listOf, responseColor, type Channel } from './channel-row'

interface TestDialogProps {
  readonly channel: Channel
  readonly onClose: () => void
}

type Outcome =
  | { readonly kind: 'running' }
  | { readonly kind: 'served'; readonly seconds: number }
  | { readonly kind: 'failed'; readonly error: ApiError }

/** Tests any of a channel's models, each with its own result. */
export function TestDialog({ channel, onClose }: TestDialogProps) {
  const { t } = useTranslation('channels')
  const refresh = useRefresh()
  const [chosenModel, setChosenModel] = useState('')
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const models = listOf(channel.models).filter((model) =>
    model.toLowerCase().includes(chosenModel.trim().toLowerCase()),
  )
  const note = (model: string, outcome: Outcome) => setOutcomes((known) => new Map(known).set(model, outcome))
  async function test(model: string) {
    note(model, { kind: 'running' })
    try {
      const { envelopeFields } = await callWhole(channelRoutes.testChannel, {
        params: { id: channel.id },
        query: { model },
      })
      note(model, { kind: 'served', seconds: envelopeFields.time })
    } catch (error) {
      note(model, { kind: 'failed', error: toApiError(error) })
    }
    await refresh(...channelReads)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('test.title', { name: channel.name })}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <FocusBack />
      <Stack gap="sm">
        <TextInput
          aria-label={t('test.search')}
          placeholder={t('test.search')}
          value={chosenModel}
          onChange={({ currentTarget }) => setChosenModel(currentTarget.value)}
          data-autofocus
        />
        <ScrollArea.Autosize mah={420}>
          {models.length === 0 && (
            <Text size="sm" c="dimmed" ta="center" py="md">
              {t('test.none')}
            </Text>
          )}
          {models.map((model) => (
            <div key={model} style={{ padding: '5px 0' }}>
              <Group justify="space-between" wrap="nowrap" gap={8}>
                <Text size="sm" truncate title={model}>
                  {model}
                </Text>
                <Group gap={8} wrap="nowrap">
                  <Result outcome={outcomes.get(model)} />
                  <Button
                    variant="default"
                    loading={outcomes.get(model)?.kind === 'running'}
                    aria-label={t('test.run', { model })}
                    onClick={() => void test(model)}
                  >
                    {t('action.test')}
                  </Button>
                </Group>
              </Group>
              <Failure outcome={outcomes.get(model)} />
            </div>
          ))}
        </ScrollArea.Autosize>
      </Stack>
    </Modal>
  )
}

function Result({ outcome }: { readonly outcome: Outcome | undefined }) {
  const { t } = useTranslation('channels')
  if (outcome?.kind === 'served')
    return <Badge color={responseColor(outcome.seconds * 1000)}>{formatDuration(outcome.seconds * 1000)}</Badge>
  return outcome?.kind === 'failed' ? <Badge color="red">{t('test.failed')}</Badge> : null
}

const Failure = ({ outcome }: { readonly outcome: Outcome | undefined }) =>
  outcome?.kind === 'failed' ? <ErrorText error={outcome.error} /> : null
