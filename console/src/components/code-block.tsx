import { lazy, Suspense } from 'react'

import { CopyButton } from './copy-button'
import classes from './code-block.module.css'

const Highlighted = lazy(async () => ({ default: (await import('./highlighted-code')).HighlightedCode }))

interface CodeBlockProps {
  readonly code: string
  /** As highlight.js names it. */
  readonly language?: string
  /** What is copied, where a secret in the code is shown masked. */
  readonly copied?: string
}

/** Code to read and copy; its colours arrive when they are there. */
export function CodeBlock({ code, language, copied = code }: CodeBlockProps) {
  return (
    <div className={classes.block}>
      <pre className={classes.code} tabIndex={0}>
        <code>
          <Suspense fallback={code}>
            <Highlighted code={code} language={language} />
          </Suspense>
        </code>
      </pre>
      <div className={classes.copy}>
        <CopyButton text={copied} />
      </div>
    </div>
  )
}
