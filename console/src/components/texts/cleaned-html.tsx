import DOMPurify from 'dompurify'
import { useMemo } from 'react'

/** Opens links in a new tab without a referrer. */
export function openApart(node: Element): void {
  if (node.tagName !== 'A') return
  node.setAttribute('target', '_blank')
  node.setAttribute('rel', 'noreferrer noopener')
}

const cleaner = DOMPurify()
cleaner.addHook('afterSanitizeAttributes', openApart)

/** Styles and forms are removed too: they could imitate the console itself. */
export const forbiddenHtml = {
  FORBID_TAGS: ['style', 'form', 'input', 'button', 'textarea', 'select', 'iframe'],
  FORBID_ATTR: ['id', 'name'],
}

export function CleanedHtml({ html }: { readonly html: string }) {
  const cleaned = useMemo(() => cleaner.sanitize(html, forbiddenHtml), [html])
  return <div style={{ overflowWrap: 'anywhere' }} dangerouslySetInnerHTML={{ __html: cleaned }} />
}
