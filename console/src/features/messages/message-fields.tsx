import { Box, Group, SegmentedControl, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { messageRoutes } from '@tollgate/contract'
import { useState } from 'react'

import { MessageText } from '../../components/texts/message-text'
import { useTranslation } from '../../lib/text/i18n'
import type { WrittenValues } from './message-form'
import classes from './messages.module.css'

/** The part of a form that the fields need. */
interface WrittenForm {
  readonly values: WrittenValues
  readonly errors: Readonly<Record<string, unknown>>
  readonly getInputProps: (field: keyof WrittenValues) => GetInputPropsReturnType
}

const formats = [
  { value: 'markdown', label: 'Markdown' },
  { value: 'html', label: 'HTML' },
] as const satisfies readonly { readonly value: messageRoutes.MessageFormat; readonly label: string }[]

const rows = 8

/** The text of a message with a preview. */
export function MessageFields({ form }: { readonly form: WrittenForm }) {
  const { t } = useTranslation('messages')
  const [view, setView] = useState<'write' | 'preview'>('write')
  // An error is shown where it can be fixed.
  const shown = form.errors['content'] ? 'write' : view
  return (
    <>
      <TextInput
        label={t('field.title')}
        withAsterisk
        data-autofocus
        maxLength={messageRoutes.maxMessageTitleLength}
        {...form.getInputProps('title')}
      />
      <Group gap="sm" justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label={t('field.format')}
          data={[...formats]}
          {...form.getInputProps('format')}
        />
        <SegmentedControl
          size="xs"
          aria-label={t('field.view')}
          data={[
            { value: 'write', label: t('view.write') },
            { value: 'preview', label: t('view.preview') },
          ]}
          value={shown}
          onChange={setView}
        />
      </Group>
      {shown === 'write' ? (
        <Textarea
          label={t('field.content')}
          description={t(`hint.${form.values.format}`)}
          withAsterisk
          rows={rows}
          maxLength={messageRoutes.maxMessageContentLength}
          {...form.getInputProps('content')}
        />
      ) : (
        <Preview {...form.values} />
      )}
    </>
  )
}

function Preview({ title, content, format }: WrittenValues) {
  const { t } = useTranslation('messages')
  return (
    <Box className={classes.preview} role="region" aria-label={t('view.preview')} tabIndex={0}>
      {content.trim() === '' ? (
        <Text size="sm" c="dimmed">
          {t('view.empty')}
        </Text>
      ) : (
        <Stack gap="sm">
          <Title order={3} fz="lg">
            {title}
          </Title>
          <MessageText text={content} format={format} />
        </Stack>
      )}
    </Box>
  )
}
