import { Badge, Modal, Progress, Stack, Text } from '@mantine/core'
import { channelRoutes } from '@tollgate/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { GroupSelect } from '../../components/combobox/group-select'
import { ModelSelect } from '../../components/combobox/model-select'
import { ErrorState } from '../../components/error-state'
import { FocusBack } from '../../components/focus-back'
import { useRead } from '../../lib/query'
import { useFormat } from '../../lib/use-format'
import classes from './channels.module.css'

/** Who would serve a model for a group, and how often. */
export function RouteDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['channels', 'common'])
  const { share } = useFormat()
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
        <ModelSelect of="site" label={t('route.model')} value={model} onChange={setModel} data-autofocus />
        <GroupSelect label={t('route.group')} value={group} onChange={setGroup} />
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
