import { Component, lazy, Suspense, type ReactNode } from 'react'

import type { MarkdownProps } from './rendered-markdown'
import { maxMarkdownLength } from './limit-markdown'

const Rendered = lazy(async () => ({ default: (await import('./rendered-markdown')).RenderedMarkdown }))

/** Markdown from any source, models included: HTML in it is not interpreted, and what cannot be rendered is shown as it is. */
export function Markdown({ text, hasRemoteImages }: MarkdownProps) {
  const plain = <div style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</div>
  if (text.length > maxMarkdownLength) return plain
  return (
    <Otherwise fallback={plain}>
      <Suspense fallback={plain}>
        <Rendered text={text} hasRemoteImages={hasRemoteImages} />
      </Suspense>
    </Otherwise>
  )
}

interface OtherwiseProps {
  readonly fallback: ReactNode
  readonly children: ReactNode
}

/** Catches errors of the renderer, so that a text cannot break the page. */
class Otherwise extends Component<OtherwiseProps, { readonly isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override render() {
    return this.state.isBroken ? this.props.fallback : this.props.children
  }
}
