import { CodeBlock } from '../../components/texts/code-block'
import { snippetSyntax, type SnippetLanguage } from '../../lib/text/snippets/snippet-languages'
import { snippetOf } from '../../lib/text/snippets/snippet-of'
import type { SnippetCall } from '../../lib/text/snippets/snippet-request'

const exampleKey = 'sk-…'

interface SdkSnippetProps extends Omit<SnippetCall, 'apiKey'> {
  readonly language: SnippetLanguage
}

/** A call through one SDK. */
export function SdkSnippet({ language, ...call }: SdkSnippetProps) {
  const code = snippetOf(language, { ...call, apiKey: exampleKey })
  return <CodeBlock code={code} language={snippetSyntax[language]} />
}
