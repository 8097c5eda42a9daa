import { Alert, Button, Text } from '@mantine/core'
import { IconBan, IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import type { channelRoutes } from '@tollgate/contract'
import { useState } from 'react'

import classes from './route.module.css'
import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import { CandidateRow, ChannelLink, Reasons } from './candidate-row'

interface RouteExplanationProps {
  readonly model: string
  readonly explanation: channelRoutes.RouteExplanation
}

/** The tiers in order, then the channels in none of them. */
export function RouteExplanation({ model, explanation }: RouteExplanationProps) {
  const { t } = useTranslation('channels')
  const { tiers, caller } = explanation
  return (
    <>
      {caller && caller.refusal !== '' && (
        <Alert color="red" icon={<IconBan size={18} />} title={t('route.refused')}>
          {caller.refusal}
        </Alert>
      )}
      <Summary model={model} explanation={explanation} />
      {tiers.map(({ priority, channels }, place) => (
        <section key={priority} className={classes.tier} aria-label={t('route.tier', { place: place + 1, priority })}>
          <header className={classes.tierHead}>
            <h2>{t('route.tier', { place: place + 1, priority })}</h2>
            <Text size="xs" c="dimmed">
              {t(place === 0 ? 'route.firstTier' : 'route.laterTier')}
            </Text>
          </header>
          <ul className={classes.list}>
            {channels.map((channel) => (
              <CandidateRow key={channel.id} channel={channel} model={model} />
            ))}
          </ul>
        </section>
      ))}
      <Outsiders explanation={explanation} />
    </>
  )
}

/** A sentence about where the next call goes. */
function Summary({ model, explanation: { group, caller, tiers } }: RouteExplanationProps) {
  const { t } = useTranslation('channels')
  const { share } = useFormat()
  const next = tiers
    .flatMap(({ channels }) => channels)
    .filter((channel) => channel.share_now > 0)
    .sort((one, other) => other.share_now - one.share_now)
  const names = next.map((channel) =>
    channel.share_now === 1 ? channel.name : `${channel.name} (${share(channel.share_now)})`,
  )
  const callerText = caller
    ? t(caller.token_id > 0 ? 'route.ofToken' : 'route.ofUser', { user: caller.username, token: caller.token_name })
    : ''
  return (
    <div className={classes.summary}>
      <Text size="sm" c="dimmed">
        {t('route.question', { model, group })}
        {callerText !== '' && ` · ${callerText}`}
      </Text>
      <p className={classes.verdict}>
        {names.length > 0 ? t('route.next', { names: names.join(t('route.or')) }) : t('route.none')}
      </p>
    </div>
  )
}

function Outsiders({ explanation: { others, others_total: total } }: Pick<RouteExplanationProps, 'explanation'>) {
  const { t } = useTranslation('channels')
  const [isOpen, setOpen] = useState(false)
  const near = others.filter(({ reasons }) => !reasons.some(({ code }) => code === 'model'))
  const far = others.filter((channel) => !near.includes(channel))
  if (total === 0) return null
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <section className={classes.tier} aria-label={t('route.others')}>
      <header className={classes.tierHead}>
        <h2>{t('route.others')}</h2>
        <Text size="xs" c="dimmed">
          {t('route.othersHint')}
        </Text>
      </header>
      <ul className={classes.list}>
        {near.map((channel) => (
          <ExcludedChannel key={channel.id} channel={channel} />
        ))}
        {isOpen && far.map((channel) => <ExcludedChannel key={channel.id} channel={channel} />)}
      </ul>
      {far.length > 0 && (
        <Button
          variant="subtle"
          className={classes.more}
          leftSection={<Chevron size={14} />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t('route.withoutModel', { count: total - near.length })}
        </Button>
      )}
    </section>
  )
}

/** A channel that would not be used, and why. */
const ExcludedChannel = ({ channel }: { readonly channel: channelRoutes.ExcludedChannel }) => (
  <li className={classes.row} data-is-outside>
    <div className={classes.who}>
      <ChannelLink channel={channel} />
    </div>
    <div className={classes.why}>
      <Reasons reasons={channel.reasons} />
    </div>
  </li>
)
