import { Button, Group, Text, Title } from '@mantine/core'
import { IconRoute } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'

import { Barrier } from '../../components/page/barrier'
import { CopyField } from '../../components/copy-field'
import { useTranslation } from '../../lib/i18n'
import { useViewer } from '../../lib/session'
import { useSite } from '../../lib/status'
import { useServerAddress } from '../../lib/use-server-address'
import { HomePrices } from './home-prices'
import { HomeStatus } from './home-status'
import classes from './home.module.css'

const CodeSnippet = lazy(async () => ({ default: (await import('../../components/texts/code-snippet')).CodeSnippet }))

const exampleKey = 'sk-…'
const exampleModel = 'gpt-4o-mini'

/** Base URLs for the SDK of each vendor. */
const baseUrls = [
  { sdk: 'OpenAI', path: '/v1' },
  { sdk: 'Anthropic', path: '' },
  { sdk: 'Google', path: '' },
] as const

export function OwnHome() {
  const { t } = useTranslation('home')
  const { system_name: site } = useSite()
  const address = useServerAddress()
  useEffect(() => {
    document.title = site
  }, [site])
  return (
    <div className={classes.home}>
      <section className={classes.words}>
        <Barrier arm="lifting" sign={<IconRoute size={18} stroke={1.5} />} />
        <Title order={1} className={classes.title}>
          {t('headline')}
        </Title>
        <Text c="dimmed" mt="sm" mb="lg">
          {t('lead')}
        </Text>
        <NextSteps />
        <dl className={classes.facts}>
          {baseUrls.map(({ sdk, path }) => (
            <div key={sdk}>
              <dt>{t('sdk', { sdk })}</dt>
              <dd>
                <CopyField value={`${address}${path}`} label={t('copyBaseUrl', { sdk })} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <section className={classes.code} aria-label={t('example')}>
        <Suspense>
          <CodeSnippet address={address} apiKey={exampleKey} model={exampleModel} hasDialects first="python" />
        </Suspense>
      </section>
      <HomePrices />
      <HomeStatus />
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
        <Button size="sm" component={Link} to="/login">
          {t('login')}
        </Button>
        <Button size="sm" variant="default" component={Link} to="/pricing">
          {t('pricing')}
        </Button>
      </Group>
    )
  return (
    <Group gap={8}>
      <Button size="sm" component={Link} to="/app/tokens">
        {t('tokens')}
      </Button>
      <Button size="sm" variant="default" component={Link} to="/playground">
        {t('playground')}
      </Button>
      {may('channels.read') && (
        <Button size="sm" variant="default" component={Link} to="/admin/channels">
          {t('channels')}
        </Button>
      )}
    </Group>
  )
}
