import DOMPurify from 'dompurify'
import { useMemo } from 'react'

import classes from './cleaned-html.module.css'

/** Opens links in a new tab without a referrer. */
export function openApart(node: Element): void {
  if (node.tagName !== 'A') return
  node.setAttribute('target', '_blank')
  node.setAttribute('rel', 'noreferrer noopener')
}

const cleaner = DOMPurify()
cleaner.addHook('afterSanitizeAttributes', (node) => {
  openApart(node)
  keepTextStyles(node)
})

/** Style sheets and forms are removed too: they could imitate the console itself. So are classes, which are the console's own. */
export const forbiddenHtml = {
  FORBID_TAGS: ['style', 'form', 'input', 'button', 'textarea', 'select', 'iframe', 'dialog'],
  FORBID_ATTR: ['id', 'name', 'class', 'popover', 'popovertarget', 'popovertargetaction'],
}

/** Styles of text and boxes. Those that place an element elsewhere, stack or move it are not among them. */
const textStyle =
  /^(?:color|background|font|text|line-height|letter-spacing|word|white-space|padding|margin|border|width|max-width|height|max-height|display|flex|gap|align|justify|list-style|vertical-align|overflow-wrap|object-fit)/

/** Sizes of the page, and distances beyond the box. */
const pageSize = /\d[dsl]?v(?:w|h|i|b|min|max)\b|^\s*-/i

/** Removes the styles of an element that could place it over the page. */
export function keepTextStyles(node: Element): void {
  const { style } = document.createElement('span')
  style.cssText = node.getAttribute('style') ?? ''
  const names = Array.from({ length: style.length }, (_, index) => style.item(index))
  const allowed = names.filter((name) => textStyle.test(name) && !pageSize.test(style.getPropertyValue(name)))
  if (allowed.length === 0) node.removeAttribute('style')
  else node.setAttribute('style', allowed.map((name) => `${name}: ${style.getPropertyValue(name)}`).join('; '))
}

export function CleanedHtml({ html }: { readonly html: string }) {
  const cleaned = useMemo(() => cleaner.sanitize(html, forbiddenHtml), [html])
  return <div className={classes.box} dangerouslySetInnerHTML={{ __html: cleaned }} />
}
