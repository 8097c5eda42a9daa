import { lazy, Suspense } from 'react'

import { webAddress } from '../../lib/url/web-address'
import classes from './site-text.module.css'
import { SafeHtml } from './safe-html'

const Markdown = lazy(async () => ({ default: (await import('./markdown')).Markdown }))

interface SiteTextProps {
  readonly text: string
  /** Title of the page that an address embeds. */
  readonly title: string
  /** Nothing is above it: centred on the page. */
  readonly isAlone?: boolean
}

/** An operator's text: a single https address as an embedded page, HTML without scripts, or Markdown. */
export function SiteText({ text, title, isAlone = false }: SiteTextProps) {
  const trimmed = text.trim()
  const address = trimmed.startsWith('https://') && !/\s/.test(trimmed) ? webAddress(trimmed) : undefined
  // Sandboxed without our origin, the embedded page cannot reach anything of ours.
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
          <Markdown text={text} hasRemoteImages />
        </Suspense>
      )}
    </div>
  )
}
