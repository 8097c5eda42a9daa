import { Component, lazy, Suspense, type ReactNode } from 'react'

import { mostMarkdown } from './tame-markdown'

const Rendered = lazy(async () => ({ default: (await import('./rendered-markdown')).RenderedMarkdown }))

export interface MarkdownProps {
  readonly text: string
  /** Pictures of other sites are loaded, where the text is an operator's. Otherwise they are links. */
  readonly hasRemotePictures?: boolean
}

/** Markdown from anyone, models included: no HTML in it is taken for HTML, and what cannot be drawn is shown as it is. */
export function Markdown({ text, hasRemotePictures }: MarkdownProps) {
  const plain = <div style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</div>
  if (text.length > mostMarkdown) return plain
  return (
    <Otherwise fallback={plain}>
      <Suspense fallback={plain}>
        <Rendered text={text} hasRemotePictures={hasRemotePictures} />
      </Suspense>
    </Otherwise>
  )
}

interface OtherwiseProps {
  readonly fallback: ReactNode
  readonly children: ReactNode
}

/** A text that breaks its renderer must not take the page with it. */
class Otherwise extends Component<OtherwiseProps, { readonly isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override render() {
    return this.state.isBroken ? this.props.fallback : this.props.children
  }
}
