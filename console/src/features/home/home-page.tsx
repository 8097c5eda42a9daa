import { Button, Group, Text, Title } from '@mantine/core'
import { useEffect } from 'react'
import { Link } from '@tanstack/react-router'
import { pricingRoutes, siteTextRoutes } from '@tollgate/contract'

import { ErrorState } from '../../components/page/state-message'
import { PageLoading } from '../../components/page/page-loading'
import { SiteText } from '../../components/texts/site-text'
import { useTranslation } from '../../lib/text/i18n'
import { useEnvelope, useRead } from '../../lib/api/query'
import { useSite } from '../../lib/api/status'
import classes from './home.module.css'
import { useViewer } from '../../lib/api/session'
import { HomeFigures } from './home-figures'
import { HomePrices } from './home-prices'
import { HomeSnippets } from './home-snippets'
import { pricedModels } from './priced-models'
import { Scene } from './scene'
import { VendorMark } from '../../domain/vendor-mark'

/** The operator's page, or else how to call the gateway and where to go next. */
export function HomePage() {
  const { t } = useTranslation('home')
  const { system_name: site } = useSite()
  const { data, error, refetch } = useRead(siteTextRoutes.homePageContent)
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <PageLoading />
  return data === '' ? <OwnHome /> : <SiteText text={data} title={t('title', { site })} isAlone />
}

/** Fewer marks do not make a strip. */
const fewestMakers = 3

/** Makers in the scene of a site that offers models of few. */
const wellKnown = ['openai', 'anthropic', 'google', 'deepseek', 'alibaba', 'mistral', 'xai', 'moonshot', 'meta']

/** What the gateway is, what it costs at the moment, and how to call it. */
function OwnHome() {
  const { t } = useTranslation('home')
  const { system_name: site } = useSite()
  const { user } = useViewer()
  const { data: pricing, error } = useEnvelope(pricingRoutes.pricing, {}, { staleTime: 60_000 })
  const models = pricing && pricedModels(pricing.data, pricing.envelopeFields.group_ratio, user?.group)
  const makers = [...new Set(models?.map(({ maker }) => maker).filter((maker) => maker !== ''))]
  const shown = [...new Set([...makers, ...wellKnown])]
  useEffect(() => {
    document.title = site
  }, [site])
  return (
    <div className={classes.home}>
      <section className={classes.hero}>
        <div className={classes.words}>
          <Title order={1} className={classes.title}>
            {t('headline')}
          </Title>
          <Text c="dimmed" size="lg" className={classes.lead}>
            {t('lead')}
          </Text>
          <NextSteps />
        </div>
        <Scene makers={shown} />
      </section>
      {makers.length >= fewestMakers && <MakerStrip makers={makers} names={pricing?.envelopeFields.vendors} />}
      <HomeFigures count={pricing?.data.length} models={models} hasFailed={error !== null} />
      {!error && <HomePrices count={pricing?.data.length} models={models} names={pricing?.envelopeFields.vendors} />}
      <HomeSnippets models={models} />
    </div>
  )
}

/** Links to sign in, or to start working. */
function NextSteps() {
  const { t } = useTranslation('home')
  const { user, may } = useViewer()
  if (!user)
    return (
      <Group gap={8}>
        <Button size="md" component={Link} to="/login">
          {t('login')}
        </Button>
        <Button size="md" variant="default" component={Link} to="/pricing">
          {t('pricing')}
        </Button>
      </Group>
    )
  return (
    <Group gap={8}>
      <Button size="md" component={Link} to="/app/tokens">
        {t('tokens')}
      </Button>
      <Button size="md" variant="default" component={Link} to="/playground">
        {t('playground')}
      </Button>
      {may('channels.read') && (
        <Button size="md" variant="default" component={Link} to="/admin/channels">
          {t('channels')}
        </Button>
      )}
    </Group>
  )
}

const maxMakers = 12

interface MakerStripProps {
  readonly makers: readonly string[]
  /** Maker -> name. */
  readonly names: Readonly<Record<string, string>> | undefined
}

/** The makers of the models on offer. */
function MakerStrip({ makers, names }: MakerStripProps) {
  const { t } = useTranslation('home')
  return (
    <section className={classes.strip} aria-label={t('makers')}>
      {makers.slice(0, maxMakers).map((maker) => (
        <span key={maker} className={classes.maker}>
          <VendorMark id={maker} name={names?.[maker] ?? maker} />
          {names?.[maker] ?? maker}
        </span>
      ))}
    </section>
  )
}
