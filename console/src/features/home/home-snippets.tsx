import { SegmentedControl, Title } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'

import { CopyField } from '../../components/copy-button'
import { VendorMark } from '../../domain/vendor-mark'
import { useTranslation } from '../../lib/text/i18n'
import { snippetLabels } from '../../lib/text/snippets/snippet-languages'
import { useServerAddress } from '../../lib/url/use-server-address'
import classes from './home.module.css'
import type { PricedModel } from './priced-models'

const SdkSnippet = lazy(async () => ({ default: (await import('./sdk-snippet')).SdkSnippet }))

/** The SDK of each vendor, the path of its base URL, and a model where the site offers none of that maker. */
const sdks = [
  { sdk: 'OpenAI', dialect: 'openai', maker: 'openai', path: '/v1', model: 'gpt-4o-mini' },
  { sdk: 'Anthropic', dialect: 'anthropic', maker: 'anthropic', path: '', model: 'claude-sonnet-4-5' },
  { sdk: 'Google', dialect: 'gemini', maker: 'google', path: '', model: 'gemini-2.5-flash' },
] as const

const languages = ['python', 'node', 'curl'] as const

/** How to call the gateway with the SDK that a program already has. */
export function HomeSnippets({ models = [] }: { readonly models: readonly PricedModel[] | undefined }) {
  const { t } = useTranslation('home')
  const address = useServerAddress()
  const [language, setLanguage] = useState<(typeof languages)[number]>('python')
  return (
    <section className={classes.section} aria-label={t('example')}>
      <div className={classes.sectionHead}>
        <Title order={2} size="h3">
          {t('snippets')}
        </Title>
        <SegmentedControl
          size="xs"
          value={language}
          onChange={setLanguage}
          aria-label={t('common:snippet.language')}
          data={languages.map((value) => ({ value, label: snippetLabels[value] }))}
        />
      </div>
      <div className={classes.snippets}>
        {sdks.map(({ sdk, dialect, maker, path, model }) => (
          <div key={sdk} className={classes.snippet}>
            <div className={classes.snippetHead}>
              <VendorMark id={maker} />
              <span>{t('sdk', { sdk })}</span>
            </div>
            <CopyField value={`${address}${path}`} label={t('copyBaseUrl', { sdk })} />
            <Suspense fallback={<div className={classes.snippetPlace} />}>
              <SdkSnippet
                address={address}
                dialect={dialect}
                language={language}
                model={models.find((one) => one.maker === maker)?.name ?? model}
              />
            </Suspense>
          </div>
        ))}
      </div>
    </section>
  )
}
