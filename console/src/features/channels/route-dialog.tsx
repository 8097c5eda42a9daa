import { Badge, Modal, Progress, Select, Stack, Text } from '@mantine/core'
import { channelRoutes } from '@tollgate/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '../../components/error-state'
import { FocusBack } from '../../components/focus-back'
import { useRead } from '../../lib/query'
import { useFormat } from '../../lib/use-format'
import classes from './channels.module.css'
import { useGroups } from './use-channels'

/** Who would serve a model for a group, and how often. */
export function RouteDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['channels', 'common'])
  const { share } = useFormat()
  const groups = useGroups()
  const models = useRead(channelRoutes.enabledModels)
  const [model, setModel] = useState<string | null>(null)
  const [group, setGroup] = useState<string | null>('default')
  const { data, error, refetch } = useRead(
    channelRoutes.explainRoute,
    { query: { model: model ?? '', group: group ?? 'default' } },
    { enabled: model !== null },
  )
  return (
    <Modal opened onClose={onClose} title={t('route.title')} closeButtonProps={{ 'aria-label': t('common:close') }}>
      <FocusBack />
      <Stack gap="md">
        <Select
          label={t('route.model')}
          data={[...(models.data ?? [])]}
          error={models.error ? t('route.noModels', { reason: models.error.message }) : undefined}
          value={model}
          onChange={setModel}
          searchable
          limit={200}
          data-autofocus
        />
        <Select label={t('route.group')} data={[...groups]} value={group} onChange={setGroup} allowDeselect={false} />
        {model && error && <ErrorState error={error} onRetry={() => void refetch()} isSmall />}
        {model && data && data.tiers.length === 0 && <Text size="sm">{t('route.nobody')}</Text>}
        {model && data && (
          <div className={classes.tiers}>
            {data.tiers.map(({ priority, channels }, place) => (
              <section key={priority}>
                <Text size="xs" c="dimmed">
                  {t('route.tier', { place: place + 1, priority })}
                </Text>
                {channels.map((channel) => (
                  <div key={channel.id} className={classes.candidate}>
                    <div className={classes.candidateName}>
                      <Text fz="inherit" truncate title={channel.name}>
                        {`#${channel.id} ${channel.name}`}
                      </Text>
                      {!channel.is_healthy && <Badge color="red">{t('route.failing')}</Badge>}
                      {channel.upstream_model !== model && (
                        <Text size="xs" c="dimmed" truncate title={channel.upstream_model}>
                          {t('route.asks', { model: channel.upstream_model })}
                        </Text>
                      )}
                    </div>
                    <Progress value={channel.share * 100} size={6} aria-label={channel.name} />
                    <span className="figures">{share(channel.share)}</span>
                  </div>
                ))}
              </section>
            ))}
          </div>
        )}
      </Stack>
    </Modal>
  )
}
