import { lazy, Suspense } from 'react'

import { CopyButton } from '../copy-button'
import classes from './code-block.module.css'

const Highlighted = lazy(async () => ({ default: (await import('./highlighted-code')).HighlightedCode }))

interface CodeBlockProps {
  readonly code: string
  /** A language name of highlight.js. */
  readonly language?: string
  /** The text to copy, where a secret in the code is masked. */
  readonly copied?: string
}

/** Code to read and copy; highlighting is applied once its code has loaded. */
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
