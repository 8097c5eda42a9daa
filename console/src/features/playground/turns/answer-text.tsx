import { useMemo } from 'react'

import { Markdown } from '../../../components/texts/markdown'
import { useThrottled } from '../hooks/use-throttled'
import { markdownBlocks } from './markdown-blocks'
import classes from './turns.module.css'

interface AnswerTextProps {
  readonly text: string
  readonly isGrowing: boolean
}

/** A growing response, rendered at a readable rate; only the end of a long one renders again. */
export function AnswerText({ text, isGrowing }: AnswerTextProps) {
  const shown = useThrottled(text, isGrowing)
  const blocks = useMemo(() => markdownBlocks(shown), [shown])
  if (!shown) return null
  return (
    <div className={classes.text}>
      {blocks.map((block, index) => (
        // Blocks are only appended.
        <Markdown key={index} text={block} />
      ))}
    </div>
  )
}
