import { Group, SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import {
  snippetLabels,
  snippetLanguages,
  snippetSyntax,
  type SnippetLanguage,
} from '../../lib/text/snippets/snippet-languages'
import { snippetOf } from '../../lib/text/snippets/snippet-of'
import { snippetDialects, type SnippetCall, type SnippetDialect } from '../../lib/text/snippets/snippet-request'
import { CodeBlock } from './code-block'

const dialectNames: Record<SnippetDialect, string> = {
  openai: 'OpenAI',
  responses: 'Responses',
  anthropic: 'Anthropic',
  gemini: 'Google',
}

interface CodeSnippetProps extends SnippetCall {
  /** Shown instead of the key; the key itself is copied. */
  readonly shownKey?: string
  /** Also shows the call through each vendor's SDK. */
  readonly hasDialects?: boolean
}

/** An example call with this server's address. */
export function CodeSnippet({ shownKey, hasDialects = false, ...props }: CodeSnippetProps) {
  const { t } = useTranslation()
  const [language, setLanguage] = useState<SnippetLanguage>('curl')
  const [dialect, setDialect] = useState<SnippetDialect>('openai')
  const call = hasDialects ? { ...props, dialect } : props
  return (
    <Stack gap={8}>
      <Group gap="xs" justify="space-between">
        {hasDialects && (
          <SegmentedControl
            size="xs"
            value={dialect}
            onChange={setDialect}
            aria-label={t('snippet.sdk')}
            data={snippetDialects.map((value) => ({ value, label: dialectNames[value] }))}
          />
        )}
        <SegmentedControl
          size="xs"
          value={language}
          onChange={setLanguage}
          aria-label={t('snippet.language')}
          data={snippetLanguages.map((value) => ({ value, label: snippetLabels[value] }))}
        />
      </Group>
      <CodeBlock
        code={snippetOf(language, { ...call, apiKey: shownKey ?? call.apiKey })}
        copied={snippetOf(language, call)}
        language={snippetSyntax[language]}
      />
    </Stack>
  )
}
