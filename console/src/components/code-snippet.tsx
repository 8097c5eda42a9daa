import { SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { snippetLanguages, snippetOf, type SnippetCall } from '../lib/snippets'
import { CodeBlock } from './code-block'

const highlighted = { curl: 'bash', python: 'python', node: 'typescript', go: 'go' } as const
const names = { curl: 'curl', python: 'Python', node: 'Node', go: 'Go' } as const

interface CodeSnippetProps extends SnippetCall {
  /** Stands where the key is; copied is the key itself. */
  readonly shownKey?: string
}

/** A call as a program makes it, with this server's address. */
export function CodeSnippet({ shownKey, ...call }: CodeSnippetProps) {
  const { t } = useTranslation()
  const [language, setLanguage] = useState<(typeof snippetLanguages)[number]>('curl')
  return (
    <Stack gap={8}>
      <SegmentedControl
        size="xs"
        value={language}
        onChange={setLanguage}
        aria-label={t('snippet.language')}
        data={snippetLanguages.map((value) => ({ value, label: names[value] }))}
        style={{ alignSelf: 'flex-start' }}
      />
      <CodeBlock
        code={snippetOf(language, { ...call, apiKey: shownKey ?? call.apiKey })}
        copied={snippetOf(language, call)}
        language={highlighted[language]}
      />
    </Stack>
  )
}
