import DOMPurify from 'dompurify'
import { useMemo } from 'react'

import { translate } from '../../lib/text/i18n'
import { webAddress } from '../../lib/url/web-address'
import { forbiddenHtml, openApart } from './cleaned-html'
import classes from './markdown.module.css'

const drawn = /^data:image\/(?:png|jpeg|gif|webp);base64,/i

const cleaner = DOMPurify()
cleaner.addHook('afterSanitizeAttributes', (node) => {
  openApart(node)
  if (node.tagName !== 'IMG' || drawn.test(node.getAttribute('src') ?? '')) return
  node.replaceWith(linkTo(node.getAttribute('src') ?? '', node.getAttribute('alt') ?? ''))
})

/** The equivalent of a `PictureLink` in Markdown: loading the image would tell its site who reads the message, and when. */
function linkTo(address: string, alt: string): HTMLElement | string {
  const href = webAddress(address)
  if (href === undefined) return alt
  const link = document.createElement('a')
  link.href = href
  link.target = '_blank'
  link.rel = 'noreferrer noopener'
  link.textContent = translate(alt ? 'picture.named' : 'picture.unnamed', { host: new URL(href).host, name: alt })
  return link
}

/** Removes everything that loads resources by itself or escapes the message's place on the page. */
const options = {
  USE_PROFILES: { html: true },
  FORBID_TAGS: [...forbiddenHtml.FORBID_TAGS, 'audio', 'video', 'source', 'track', 'picture'],
  FORBID_ATTR: [...forbiddenHtml.FORBID_ATTR, 'style', 'srcset', 'background', 'poster'],
}

/** The HTML of a message. Its authors are not trusted with the consoles of its readers. */
export function MessageHtml({ html }: { readonly html: string }) {
  const cleaned = useMemo(() => cleaner.sanitize(html, options), [html])
  return <div className={`${classes.markdown} ${classes.table}`} dangerouslySetInnerHTML={{ __html: cleaned }} />
}
