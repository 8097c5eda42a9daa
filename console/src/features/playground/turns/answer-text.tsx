import { useMemo } from 'react'

import { Markdown } from '../../../components/markdown'
import { useThrottled } from '../hooks/use-throttled'
import { markdownBlocks } from './markdown-blocks'
import classes from './turns.module.css'

interface AnswerTextProps {
  readonly text: string
  readonly isGrowing: boolean
}

/** What a model said, drawn at a pace that can be read; of a long answer only its end is drawn anew. */
export function AnswerText({ text, isGrowing }: AnswerTextProps) {
  const shown = useThrottled(text, isGrowing)
  const blocks = useMemo(() => markdownBlocks(shown), [shown])
  if (!shown) return null
  return (
    <div className={classes.text}>
      {blocks.map((block, index) => (
        // Parts only ever follow one another.
        <Markdown key={index} text={block} />
      ))}
    </div>
  )
}
