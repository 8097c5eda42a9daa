import { lazy, Suspense } from 'react'

const Cleaned = lazy(async () => ({ default: (await import('./cleaned-html')).CleanedHtml }))

/** HTML that an administrator wrote, without anything that runs. */
export function SafeHtml({ html }: { readonly html: string }) {
  return (
    <Suspense>
      <Cleaned html={html} />
    </Suspense>
  )
}
