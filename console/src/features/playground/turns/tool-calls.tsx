import { Button, Group, Textarea } from '@mantine/core'
import { IconTool } from '@tabler/icons-react'

import { useTranslation } from '../../../lib/text/i18n'
import { useChat, useIsArriving } from '../hooks/chat-context'
import type { ToolCall } from '../session/session'
import classes from './turns.module.css'

interface ToolCallsProps {
  readonly answerId: string
  readonly calls: readonly ToolCall[]
  readonly isGrowing: boolean
  readonly onSend: () => void
}

/** Tool calls of a model. The reader types the result of each and lets the model continue. */
export function ToolCalls({ answerId, calls, isGrowing, onSend }: ToolCallsProps) {
  const { t } = useTranslation('playground')
  const chat = useChat()
  const isArriving = useIsArriving()
  const isAnswered = calls.every(({ result }) => result !== undefined && result.trim() !== '')
  return (
    <div className={classes.toolCalls}>
      {calls.map(({ id, name, input, result = '' }) => (
        <section key={id} className={classes.toolCall} aria-label={t('tool.call', { name })}>
          <h3>
            <IconTool size={14} aria-hidden />
            {name}
          </h3>
          <pre tabIndex={0}>{inOrder(input)}</pre>
          {!isGrowing && (
            <Textarea
              size="xs"
              label={t('tool.result')}
              placeholder={t('tool.placeholder')}
              autosize
              minRows={1}
              maxRows={12}
              value={result}
              onChange={({ currentTarget }) =>
                chat.dispatch({ kind: 'tool-answered', answerId, callId: id, result: currentTarget.value })
              }
            />
          )}
        </section>
      ))}
      {!isGrowing && (
        <Group justify="flex-end">
          <Button variant="default" disabled={!isAnswered || isArriving} onClick={onSend}>
            {t('tool.send', { count: calls.length })}
          </Button>
        </Group>
      )}
    </div>
  )
}

/** Formats arguments; partial or invalid JSON is shown as received. */
function inOrder(input: string): string {
  try {
    return JSON.stringify(JSON.parse(input), null, 2)
  } catch {
    return input
  }
}
