import { lazy, Suspense } from 'react'

const Cleaned = lazy(async () => ({ default: (await import('./cleaned-html')).CleanedHtml }))

/** HTML of an administrator without scripts. */
export function SafeHtml({ html }: { readonly html: string }) {
  return (
    <Suspense>
      <Cleaned html={html} />
    </Suspense>
  )
}
