import type { MailBody } from './compose'
import { safeHtml } from './safe-html'

/** Returns a mail body written by a person. Markdown is readable as it is. */
export function mailBody(content: string, format: 'markdown' | 'html'): MailBody {
  if (format === 'html') return safeHtml(content)
  const { html } = safeHtml(Bun.markdown.html(content))
  return { html, text: content.trim() }
}
