import { Collapse, UnstyledButton } from '@mantine/core'
import { IconBulb, IconChevronRight } from '@tabler/icons-react'
import { useId, useState } from 'react'

import { formatDuration } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import { isArriving, type Answer } from '../session/session'
import classes from './turns.module.css'

interface ReasoningProps {
  readonly answer: Answer
  readonly text: string
}

const minMs = 50

/** The reasoning of a model: collapsed, with its duration. */
export function Reasoning({ answer, text }: ReasoningProps) {
  const { t } = useTranslation('playground')
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { thoughtFromMs: from, thoughtToMs: to } = answer
  const isThinking = isArriving(answer) && to === undefined
  const tookMs = from !== undefined && to !== undefined ? to - from : 0
  // Reasoning that arrived together with the response has no meaningful duration.
  const took = tookMs >= minMs ? formatDuration(tookMs) : undefined
  return (
    <div className={classes.reasoning}>
      <UnstyledButton
        className={classes.reasoningHead}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <IconBulb size={14} />
        {isThinking ? t('reasoning.now') : took ? t('reasoning.took', { duration: took }) : t('reasoning.title')}
        <IconChevronRight size={14} className={classes.chevron} data-is-open={isOpen || undefined} />
      </UnstyledButton>
      <Collapse expanded={isOpen} id={id}>
        {isOpen && <div className={classes.reasoningText}>{text}</div>}
      </Collapse>
    </div>
  )
}
