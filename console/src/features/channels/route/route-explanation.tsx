import { Alert, Badge, Button, Text } from '@mantine/core'
import { IconBan, IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import type { channelRoutes } from '@tollgate/contract'
import { useState } from 'react'

import classes from './route.module.css'
import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import { CandidateRow, ChannelLink, Reasons } from './candidate-row'
import { NameExplanation } from './name-explanation'

interface RouteExplanationProps {
  readonly model: string
  readonly explanation: channelRoutes.RouteExplanation
}

/** The tiers in order, then the channels in none of them. */
export function RouteExplanation({ model, explanation }: RouteExplanationProps) {
  const { t } = useTranslation('routing')
  const { tiers, caller } = explanation
  return (
    <>
      {caller && caller.refusal !== '' && (
        <Alert color="red" icon={<IconBan size={18} />} title={t('refused')}>
          {caller.refusal}
        </Alert>
      )}
      <Summary model={model} explanation={explanation} />
      {explanation.name && <NameExplanation model={explanation.model} name={explanation.name} />}
      {tiers.map(({ priority, strategy, channels }, index) => (
        <section key={priority} className={classes.tier} aria-label={t('tier', { place: index + 1, priority })}>
          <header className={classes.tierHead}>
            <h2>{t('tier', { place: index + 1, priority })}</h2>
            <Text size="xs" c="dimmed">
              {t(index > 0 ? 'laterTier' : strategy ? 'firstTierByStrategy' : 'firstTier')}
            </Text>
            {strategy && <StrategyName strategy={strategy} />}
          </header>
          <ul className={classes.list}>
            {channels.map((channel) => (
              <CandidateRow key={channel.id} channel={channel} model={explanation.model} />
            ))}
          </ul>
        </section>
      ))}
      <Outsiders explanation={explanation} />
    </>
  )
}

/** The strategy of a tier; of a mix also what counts how much in it. */
function StrategyName({ strategy: { name, ...parts } }: { readonly strategy: channelRoutes.TierStrategy }) {
  const { t } = useTranslation('routing', 'strategies')
  const { share } = useFormat()
  const counted = (['cost', 'speed', 'load'] as const).filter((part) => parts[part] > 0)
  const mixed = counted.map((part) => t(`score.part.${part}`, { share: share(parts[part]) })).join(' · ')
  return (
    <Badge variant="light" tt="none">
      {t(`strategies:name.${name}`)}
      {name === 'mix' && ` · ${mixed}`}
    </Badge>
  )
}

/** A sentence about where the next call goes. */
function Summary({ model, explanation: { group, caller, tiers } }: RouteExplanationProps) {
  const { t } = useTranslation('routing')
  const { share } = useFormat()
  const next = tiers
    .flatMap(({ channels }) => channels)
    .filter((channel) => channel.share_now > 0)
    .sort((one, other) => other.share_now - one.share_now)
  const named = next.length > maxNamed + 1 ? next.slice(0, maxNamed) : next
  const names = named.map((channel) =>
    channel.share_now === 1 ? channel.name : `${channel.name} (${share(channel.share_now)})`,
  )
  if (named.length < next.length) names.push(t('more', { others: next.length - named.length }))
  const callerText = caller
    ? t(caller.token_id > 0 ? 'ofToken' : 'ofUser', { user: caller.username, token: caller.token_name })
    : ''
  return (
    <div className={classes.summary}>
      <Text size="sm" c="dimmed">
        {t('question', { model, group })}
        {callerText !== '' && ` · ${callerText}`}
      </Text>
      <p className={classes.verdict}>{names.length > 0 ? t('next', { names: names.join(t('or')) }) : t('none')}</p>
    </div>
  )
}

/** Channels that the sentence names; of more it tells the number. */
const maxNamed = 3

function Outsiders({ explanation: { others, others_total: total } }: Pick<RouteExplanationProps, 'explanation'>) {
  const { t } = useTranslation('routing')
  const [isOpen, setOpen] = useState(false)
  const near = others.filter(({ reasons }) => !reasons.some(({ code }) => code === 'model'))
  const far = others.filter((channel) => !near.includes(channel))
  if (total === 0) return null
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <section className={classes.tier} aria-label={t('others')}>
      <header className={classes.tierHead}>
        <h2>{t('others')}</h2>
        <Text size="xs" c="dimmed">
          {t('othersHint')}
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
          {t('withoutModel', { count: total - near.length })}
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
