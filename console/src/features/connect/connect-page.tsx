import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'

import { choicesOf } from '../../components/combobox/choice'
import { SearchSelect } from '../../components/combobox/search-select'
import { ChoiceSelect } from '../../components/fields/choice-select'
import { mask } from '../../components/fields/secret-field'
import { PageHeader } from '../../components/page/page-header'
import { RouteTabs } from '../../components/page/route-tabs'
import { useTranslation } from '../../lib/text/i18n'
import { useServerAddress } from '../../lib/url/use-server-address'
import { ClientSteps } from './client-steps'
import { endpoints } from './clients/client'
import { clients } from './clients/clients'
import { shells, type Shell } from './clients/terminal-text'
import classes from './connect.module.css'
import { KeyCard } from './key-card'
import { useHeldKey } from './use-held-key'
import { useKeyModels } from './use-key-models'

// Not needed before there is a key.
const TryIt = lazy(async () => ({ default: (await import('../../domain/first-call/try-it')).TryIt }))

const route = getRouteApi('/app/connect')

/** In place of a key in the lines. */
const placeholder = 'sk-…'

/** The exact lines that connect the programs which people use, and a call that shows whether the key works. */
export function ConnectPage() {
  const { t } = useTranslation('connect')
  const { client: id, token } = route.useSearch()
  const held = useHeldKey(token)
  const { models, isPending, error } = useKeyModels(held.apiKey)
  const [chosen, setChosen] = useState<string | undefined>()
  const [isShown, setShown] = useState(false)
  const [shell, setShell] = useState<Shell>(/Windows/.test(navigator.userAgent) ? 'powershell' : 'bash')
  const address = useServerAddress()
  const client = clients.find((one) => one.id === id) ?? clients[0]
  if (!client) return null
  const endpoint = endpoints[client.dialect]
  const model = chosen !== undefined && models.includes(chosen) ? chosen : (models[0] ?? '')
  const apiKey = held.apiKey || placeholder
  const place = { address, apiKey, model: model || 'MODEL' }
  const hasShell = client.steps(place).some(({ kind }) => kind === 'terminal')
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      <Stack gap="md">
        <KeyCard held={held} error={error} newName={client.name} isShown={isShown} onShow={setShown} />
        <div className={classes.layout}>
          <RouteTabs
            isVertical
            label={t('menu')}
            current={client.id}
            tabs={clients.map(({ id, name, group }) => ({
              name: id,
              label: id === 'other' ? t('other') : name,
              group: t(`group.${group}`),
              link: { to: '/app/connect', search: { client: id, token } },
            }))}
          />
          <Stack gap="md" className={classes.content}>
            <Paper p="md" component="section" aria-label={client.name}>
              <Stack gap="md">
                <div>
                  <Title order={2} size="h3">
                    {client.id === 'other' ? t('other') : client.name}
                  </Title>
                  <Text size="sm" c="dimmed">
                    {t(`hint.${client.id}`)}
                  </Text>
                  <Text size="sm" c="dimmed">
                    {t('endpoint', { endpoint })}
                  </Text>
                </div>
                <Group gap="sm" align="flex-end">
                  <SearchSelect
                    label={t('model')}
                    w={{ base: '100%', xs: 300 }}
                    placeholder={models.length === 0 && !isPending ? t('noModels') : undefined}
                    disabled={models.length === 0}
                    choices={choicesOf(models)}
                    value={model || null}
                    onChange={(value) => setChosen(value ?? undefined)}
                  />
                  {hasShell && (
                    <ChoiceSelect
                      label={t('shell.label')}
                      w={{ base: '100%', xs: 220 }}
                      value={shell}
                      onChange={setShell}
                      choices={shells.map((value) => ({ value, label: t(`shell.${value}`) }))}
                    />
                  )}
                </Group>
                <ClientSteps
                  client={client}
                  place={place}
                  shell={shell}
                  shownKey={held.apiKey === '' || isShown ? apiKey : mask(apiKey)}
                />
              </Stack>
            </Paper>
            <Paper p="md" component="section" aria-label={t('test.title')}>
              <Stack gap="sm">
                <Title order={2} size="h3">
                  {t('test.title')}
                </Title>
                <Text size="sm" c="dimmed">
                  {held.apiKey === '' ? t('test.needsKey') : t('test.hint', { endpoint })}
                </Text>
                {held.apiKey !== '' && (
                  <Suspense>
                    <TryIt key={client.dialect} apiKey={held.apiKey} model={model} dialect={client.dialect} />
                  </Suspense>
                )}
              </Stack>
            </Paper>
          </Stack>
        </div>
      </Stack>
    </>
  )
}
