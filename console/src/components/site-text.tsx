import { lazy, Suspense } from 'react'

import { webAddress } from '../lib/web-address'
import classes from './site-text.module.css'
import { SafeHtml } from './safe-html'

const Markdown = lazy(async () => ({ default: (await import('./markdown')).Markdown }))

interface SiteTextProps {
  readonly text: string
  /** Of the page that an address brings along. */
  readonly title: string
  /** Nothing stands above it: in the middle of the page. */
  readonly isAlone?: boolean
}

/** What the operator wrote: one https address as a page of its own, HTML without anything that runs, or Markdown. */
export function SiteText({ text, title, isAlone = false }: SiteTextProps) {
  const trimmed = text.trim()
  const address = trimmed.startsWith('https://') && !/\s/.test(trimmed) ? webAddress(trimmed) : undefined
  // Without our origin, what runs in there can reach nothing of ours.
  if (address)
    return (
      <iframe className={classes.page} src={address} title={title} sandbox="allow-scripts allow-forms allow-popups" />
    )
  return (
    <div className={classes.text} data-is-alone={isAlone || undefined}>
      {/^\s*</.test(text) ? (
        <SafeHtml html={text} />
      ) : (
        <Suspense>
          <Markdown text={text} hasRemotePictures />
        </Suspense>
      )}
    </div>
  )
}
