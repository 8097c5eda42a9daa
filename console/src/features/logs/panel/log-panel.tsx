import { Skeleton, Stack } from '@mantine/core'
import { type ApiError, logType, readLogDetails } from '@tollgate/contract'
import { lazy, Suspense } from 'react'

import classes from '../logs.module.css'
import { ErrorState } from '../../../components/page/state-message'
import { PeekPanel } from '../../../components/peek/peek-panel'
import { useTranslation } from '../../../lib/text/i18n'
import { Attempts } from './attempts'
import { CallActions } from './call-actions'
import { CostBreakdown } from './cost-breakdown'
import { type LogRow, isCall } from '../log-row'
import type { LogSearch } from '../log-search'
import { Overview } from './overview'
import { Money } from '../../../domain/money'
import { useFormat } from '../../../lib/text/use-format'
import { StatusCell } from '../table/log-cells'
import { Pace } from '../table/pace'
import { PanelSection } from '../../../components/peek/panel-section'
import { CodeBlock } from '../../../components/texts/code-block'

const RefusedHelp = lazy(async () => ({ default: (await import('../../../components/refused-help')).RefusedHelp }))

interface LogPanelProps {
  readonly row: LogRow | undefined
  /** More of it is loading. */
  readonly isPartial?: boolean
  readonly error: ApiError | null
  readonly retry: () => void
  readonly search: LogSearch
  readonly onFilter: (change: LogSearch) => void
  readonly onClose: () => void
  readonly onPrevious?: () => void
  readonly onNext?: () => void
}

/** All details of one row: what happened, its cost, and its route. */
export function LogPanel(props: LogPanelProps) {
  const { row, isPartial = false, error, retry, search, onFilter, onClose, onPrevious, onNext } = props
  const { t } = useTranslation('logs', 'log-panel')
  return (
    <PeekPanel
      title={row?.model_name || t('log-panel:title')}
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
      footer={row && isCall(row) && <CallActions row={row} isPartial={isPartial} />}
    >
      {error && <ErrorState error={error} onRetry={retry} isSmall />}
      {!row && !error && <Skeleton h={280} />}
      {row && (
        <Stack gap="lg">
          {isCall(row) && (
            <>
              <Headline row={row} />
              <Attempts row={row} />
              <CostBreakdown row={row} />
            </>
          )}
          <Overview row={row} search={search} onFilter={onFilter} />
          {isCall(row) && <Conversation row={row} />}
        </Stack>
      )}
    </PeekPanel>
  )
}

/** The essentials of a call: outcome, cost, duration, tokens, and the reason of a failure. */
function Headline({ row }: { readonly row: LogRow }) {
  const { t } = useTranslation('logs')
  const { number } = useFormat()
  const isFailed = row.type === logType.error
  const figures = [
    [t('column.status'), <StatusCell key="status" row={row} />],
    [t('column.cost'), isFailed ? '–' : <Money key="cost" quota={row.quota} />],
    [t('column.duration'), <Pace key="pace" row={row} />],
    [t('column.tokens'), isFailed ? '–' : `${number(row.prompt_tokens)} / ${number(row.completion_tokens)}`],
  ] as const
  return (
    <div>
      <dl className={classes.headline}>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {isFailed && row.content && <p className={classes.reason}>{row.content}</p>}
      {isFailed && <LimitHelp row={row} />}
    </div>
  )
}

/** Leads from a call that a limit refused to where the limit is set. */
function LimitHelp({ row }: { readonly row: LogRow }) {
  const { limit_owner: owner, error_code: code } = readLogDetails(row.other)
  if (owner === undefined) return null
  return (
    <Suspense>
      <RefusedHelp code={code} model={row.model_name} limit={{ owner, userId: row.user_id, tokenId: row.token_id }} />
    </Suspense>
  )
}

/** The conversation, where the site stores it. Plain text: nothing in it is interpreted. */
function Conversation({ row }: { readonly row: LogRow }) {
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
