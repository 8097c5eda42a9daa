import { createContext, memo, use, type JSX } from 'react'
import ReactMarkdown, { defaultUrlTransform, type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'

import { CodeBlock } from './code-block'
import classes from './markdown.module.css'
import { ImageLink } from '../image-link'
import { limitMarkdown } from './limit-markdown'

const components: Components = {
  // A link whose script address was dropped keeps its text.
  a: ({ href, children }) =>
    href ? (
      <a href={href} target="_blank" rel="noreferrer noopener">
        {children}
      </a>
    ) : (
      <>{children}</>
    ),
  pre: ({ children }) => <>{children}</>,
  code: ({ className, children }) => {
    const text = typeof children === 'string' ? children : ''
    const language = /language-(\w+)/.exec(className ?? '')?.[1]
    const isBlock = language !== undefined || text.includes('\n')
    return isBlock ? <CodeBlock code={text.replace(/\n$/, '')} language={language} /> : <code>{children}</code>
  },
  img: MarkdownImage,
  table: ({ children }) => (
    <div className={classes.table}>
      <table>{children}</table>
    </div>
  ),
}

/** Whether images of other sites load: in texts of operators they do, in those of models they are links. */
const RemoteImages = createContext(false)

function MarkdownImage({ src, alt = '' }: JSX.IntrinsicElements['img']) {
  const areRemoteShown = use(RemoteImages)
  if (!src) return <>{alt}</>
  if (areRemoteShown || drawn.test(src)) {
    return <img src={src} alt={alt} loading="lazy" referrerPolicy="no-referrer" />
  }
  return <ImageLink address={src} alt={alt} />
}

const plugins = [remarkGfm]

/** Inline images are allowed; all other data addresses are dropped. */
const drawn = /^data:image\/(?:png|jpeg|gif|webp);base64,/i
const addressOf = (url: string, attribute: string): string =>
  attribute === 'src' && drawn.test(url) ? url : defaultUrlTransform(url)

export interface MarkdownProps {
  readonly text: string
  /** Loads images of other sites, in texts of operators. Otherwise they are links. */
  readonly hasRemoteImages?: boolean
}

/** react-markdown creates elements, never HTML, and drops script addresses. */
export const RenderedMarkdown = memo(function RenderedMarkdown({ text, hasRemoteImages }: MarkdownProps) {
  return (
    <RemoteImages value={hasRemoteImages ?? false}>
      <div className={classes.markdown}>
        <ReactMarkdown remarkPlugins={plugins} components={components} urlTransform={addressOf}>
          {limitMarkdown(text)}
        </ReactMarkdown>
      </div>
    </RemoteImages>
  )
})
