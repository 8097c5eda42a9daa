import { Alert, Anchor, Button, Code, Group, Paper, Text, TextInput } from '@mantine/core'
import { optionRoutes } from '@tollgate/contract'
import { useState } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import { useWrite } from '../../lib/api/query'
import classes from './settings.module.css'
import type { Settings } from './use-settings'

/** Searches the web with the saved settings, and shows what was found or what the service responded. */
export function TestWebSearch({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation('setting-tests')
  const [query, setQuery] = useState('')
  const { mutate, isPending, data } = useWrite(optionRoutes.testWebSearch)
  if (!settings.mayWrite('WebSearchKey')) return null
  const search = () => mutate({ body: { query: query.trim() } })
  return (
    <Paper className={classes.extra}>
      <Text size="sm" c="dimmed">
        {t('search.hint')}
      </Text>
      <Group align="flex-end" gap={8}>
        <TextInput
          label={t('search.query')}
          value={query}
          maxLength={400}
          onChange={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            // The surrounding form saves settings.
            event.preventDefault()
            if (query.trim() !== '') search()
          }}
          flex={1}
          miw={200}
          maw={{ xs: 320 }}
        />
        <Button variant="default" size="sm" loading={isPending} disabled={query.trim() === ''} onClick={search}>
          {t('search.test')}
        </Button>
      </Group>
      {data && !isPending && (
        <Alert color={data.outcome === 'found' ? 'green' : 'red'} role="status">
          <Text size="sm">
            {t(`search.outcome.${data.outcome}`, {
              count: data.pages.length,
              took: data.took,
              status: data.status,
            })}
          </Text>
          {data.excerpt !== '' && (
            <Code block mt="xs" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
              {data.excerpt}
            </Code>
          )}
        </Alert>
      )}
      {data && data.pages.length > 0 && (
        <ul className={classes.results} aria-label={t('search.results')}>
          {data.pages.map(({ url, title }) => (
            <li key={url}>
              <Anchor size="sm" href={url} target="_blank" rel="noreferrer">
                {title || url}
              </Anchor>
            </li>
          ))}
        </ul>
      )}
    </Paper>
  )
}
