import type { MailBody } from './compose'
import { safeHtml } from './safe-html'

/** What somebody wrote as the body of a mail. Markdown is readable as it is. */
export function mailBody(content: string, format: 'markdown' | 'html'): MailBody {
  if (format === 'html') return safeHtml(content)
  const { html } = safeHtml(Bun.markdown.html(content))
  return { html, text: content.trim() }
}
