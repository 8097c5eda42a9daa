import { lazy, Suspense } from 'react'

const Rendered = lazy(async () => ({ default: (await import('./rendered-markdown')).RenderedMarkdown }))

/** Markdown from anyone, models included: no HTML in it is taken for HTML. */
export function Markdown({ text }: { readonly text: string }) {
  return (
    <Suspense fallback={<div style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</div>}>
      <Rendered text={text} />
    </Suspense>
  )
}
