import { readLogDetails } from '@tollgate/contract'

import { PanelSection } from '../../../components/peek/panel-section'
import { CodeBlock } from '../../../components/texts/code-block'
import { useTranslation } from '../../../lib/text/i18n'
import type { LogRow } from '../log-row'

/** The conversation, where the site stores it. Plain text: nothing in it is interpreted. */
export function Conversation({ row }: { readonly row: LogRow }) {
  const { t } = useTranslation('logs')
  const { system_prompt: system, context, input_content: input, output_content: output } = readLogDetails(row.other)
  const parts = [
    ['system', system],
    ['context', context],
    ['input', input],
    ['output', output],
  ] as const
  return parts.map(([name, text]) =>
    text ? (
      <PanelSection key={name} title={t(`said.${name}`)}>
        <CodeBlock code={text} />
      </PanelSection>
    ) : null,
  )
}
