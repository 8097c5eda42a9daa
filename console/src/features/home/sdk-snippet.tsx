import { CodeBlock } from '../../components/texts/code-block'
import { snippetOf, type SnippetLanguage } from '../../lib/snippets/snippet-of'
import type { SnippetCall } from '../../lib/snippets/snippet-request'

const exampleKey = 'sk-…'
const highlighted = { curl: 'bash', python: 'python', node: 'typescript', go: 'go' } as const

interface SdkSnippetProps extends Omit<SnippetCall, 'apiKey'> {
  readonly language: SnippetLanguage
}

/** A call through one SDK. */
export function SdkSnippet({ language, ...call }: SdkSnippetProps) {
  return <CodeBlock code={snippetOf(language, { ...call, apiKey: exampleKey })} language={highlighted[language]} />
}
