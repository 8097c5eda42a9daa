import DOMPurify from 'dompurify'
import { useMemo } from 'react'

const cleaner = DOMPurify()
cleaner.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName !== 'A') return
  node.setAttribute('target', '_blank')
  node.setAttribute('rel', 'noreferrer noopener')
})

const forbidden = {
  FORBID_TAGS: ['style', 'form', 'input', 'button', 'textarea', 'select', 'iframe'],
  FORBID_ATTR: ['id', 'name'],
}

/** Styles and forms are left out too: they could dress up as the console itself. */
export const cleanHtml = (html: string): string => cleaner.sanitize(html, forbidden)

export function CleanedHtml({ html }: { readonly html: string }) {
  const cleaned = useMemo(() => cleanHtml(html), [html])
  return <div style={{ overflowWrap: 'anywhere' }} dangerouslySetInnerHTML={{ __html: cleaned }} />
}
