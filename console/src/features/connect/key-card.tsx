import { Anchor, Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IconPlus } from '@tabler/icons-react'
import { useState, type SubmitEvent } from 'react'

import { KeyLine } from '../../domain/first-call/key-line'
import { useTranslation } from '../../lib/text/i18n'
import type { HeldKey } from './use-held-key'
import { RefusedKey } from './use-key-models'

interface KeyCardProps {
  readonly held: HeldKey
  /** Why the models of the key cannot be listed. */
  readonly error: Error | null
  /** Name of a key that is created here. */
  readonly newName: string
  readonly isShown: boolean
  readonly onShow: (isShown: boolean) => void
}

/** The key that is filled into the lines: asked for once. */
export function KeyCard({ held, error, newName, isShown, onShow }: KeyCardProps) {
  const { t } = useTranslation('connect')
  return (
    <Paper p="md" component="section" aria-label={t('key.title')}>
      <Stack gap="sm">
        <Title order={2} size="h3">
          {t('key.title')}
        </Title>
        {held.hidden ? (
          <Group gap="sm">
            <Text size="sm">{t('key.hidden')}</Text>
            <Button variant="default" loading={held.hidden.isRevealing} onClick={held.hidden.reveal}>
              {t('key.reveal')}
            </Button>
          </Group>
        ) : held.apiKey === '' ? (
          <KeyForm held={held} newName={newName} />
        ) : (
          <>
            <KeyLine apiKey={held.apiKey} isShown={isShown} onShow={onShow} />
            <Text size="sm" c={error ? 'red' : 'dimmed'} role="status">
              {error
                ? error instanceof RefusedKey
                  ? error.message
                  : t('common:error.network')
                : held.isCreated
                  ? t('key.created', { name: held.token?.name })
                  : held.token
                    ? t('key.ofToken', { name: held.token.name })
                    : t('key.forgotten')}{' '}
              {held.isCreated && (
                <Anchor
                  inherit
                  underline="always"
                  renderRoot={(props) => <Link to="/app/tokens" search={{ limits: held.token?.id }} {...props} />}
                >
                  {t('key.limits')}
                </Anchor>
              )}
            </Text>
            <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={held.drop}>
              {t('key.other')}
            </Button>
          </>
        )}
      </Stack>
    </Paper>
  )
}

function KeyForm({ held, newName }: Pick<KeyCardProps, 'held' | 'newName'>) {
  const { t } = useTranslation('connect')
  const [text, setText] = useState('')
  const use = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    held.type(text)
  }
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('key.hint')}
      </Text>
      <Group gap="sm">
        <Button leftSection={<IconPlus size={14} />} loading={held.isCreating} onClick={() => held.create(newName)}>
          {t('key.create', { name: newName })}
        </Button>
        <form onSubmit={use}>
          <Group gap="xs">
            <TextInput
              type="password"
              aria-label={t('key.paste')}
              placeholder={t('key.paste')}
              // Not a password of the site: browsers must not offer to keep it.
              autoComplete="off"
              data-1p-ignore
              w={240}
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
            />
            <Button type="submit" variant="default" disabled={text.trim() === ''}>
              {t('key.use')}
            </Button>
          </Group>
        </form>
      </Group>
    </>
  )
}
