import type { OptionValues } from '@tollgate/contract'

import en from '../../platform/locales/mails.en.json'
import zh from '../../platform/locales/mails.zh.json'

type Language = 'zh' | 'en'

/** What can be filled into the texts of a mail. */
type MailValues = Readonly<Record<string, MailValue>>

/** Texts of ours may differ between languages. */
type MailValue = string | number | Readonly<Record<Language, string>>

/** The texts of a mail, by name. */
type MailWords = Exclude<
  keyof typeof zh,
  'greeting' | 'greeting-unknown' | 'by-hand' | 'footer' | 'event-repeated' | 'event-others'
>

/** A mail before it has a language. */
export interface MailContent {
  readonly words: MailWords
  /** The reader's choice for the account; otherwise the language of the request that caused the mail. */
  readonly language?: Language | undefined
  readonly values?: MailValues
  /** The reader's name; omitted where the reader may be a stranger. */
  readonly username?: string
  readonly code?: string
  /** The target of the button. */
  readonly link?: string
  /** A body written by a person, in both forms; the HTML is safe to send. */
  readonly body?: MailBody
}

export interface MailBody {
  readonly html: string
  readonly text: string
}

/** As it is handed to the mail server. */
export interface Message {
  /** The same for every attempt, so that mail servers recognize a repeated message. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

interface Letter {
  readonly id: string
  readonly to: string
  /** Used where the content has none. */
  readonly language: Language
  /** The operator's name and logo of the site. */
  readonly site: Pick<OptionValues, 'SystemName' | 'Logo' | 'ServerAddress'>
}

const locales = { zh, en: en satisfies typeof zh }

/** Returns the sentences of a mail. `shown` decides how filled-in values are written. */
export function formatSentences(
  { words: name, values }: Pick<MailContent, 'words' | 'values'>,
  language: Language,
  siteName: string,
  formatValue: (value: string) => string = (value) => value,
) {
  const words = locales[language][name]
  const plain = plainIn(language)
  const fill = (text: string) =>
    fillPlaceholders(text, { ...values, site: siteName }, (value) => formatValue(plain(value))).trim()
  return { subject: fill(words.subject), lead: fill(words.lead), note: fill(words.note), action: words.action }
}

/** Returns a mail as text and as HTML. Filled-in values are one line, and never read as HTML. */
export function compose(content: MailContent, { id, to, language: requestedLanguage, site }: Letter): Message {
  const language = content.language ?? requestedLanguage
  const plain = plainIn(language)
  const locale = locales[language]
  const words = formatSentences(content, language, site.SystemName)
  const greeting =
    content.username === undefined
      ? locale['greeting-unknown']
      : fillPlaceholders(locale.greeting, { username: content.username }, plain)
  const parts: MailSections = {
    greeting,
    lead: words.lead,
    body: content.body ?? null,
    code: content.code ?? '',
    link: content.link ?? '',
    action: words.action,
    byHand: locale['by-hand'],
    note: words.note,
    footer: fillPlaceholders(locale.footer, { site: site.SystemName }, plain),
    logo: logoOf(site),
    site: plain(site.SystemName),
  }
  return { id, to, subject: words.subject, text: textOf(parts), html: htmlOf(parts, language) }
}

interface MailSections {
  readonly greeting: string
  readonly lead: string
  readonly body: MailBody | null
  readonly code: string
  readonly link: string
  readonly action: string
  readonly byHand: string
  readonly note: string
  readonly footer: string
  readonly logo: string
  readonly site: string
}

/** Mail programs load images only from a full address. */
function logoOf({ Logo: logo, ServerAddress: address }: Letter['site']): string {
  if (/^https?:/i.test(logo)) return logo
  return logo.startsWith('/') && address !== '' ? address + logo : ''
}

const plainIn = (language: Language) => (value: MailValue) =>
  typeof value === 'object'
    ? value[language]
    : String(value)
        .replace(/\p{Cc}+/gu, ' ')
        .trim()

const fillPlaceholders = (words: string, values: MailValues, formatValue: (value: MailValue) => string): string =>
  words.replace(/\{(\w+)\}/g, (_, name: string) => formatValue(values[name] ?? ''))

const textOf = ({ greeting, lead, body, code, link, action, note, footer }: MailSections): string =>
  [greeting, lead, body?.text ?? '', code && `    ${code}`, link && `${action}\n${link}`, note, `--\n${footer}`]
    .filter(Boolean)
    .join('\n\n')

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? '')

/**
 * Mail programs support tables and style attributes, and little else. Those that support more take the dark colours from the style sheet,
 * which has to use `!important`, as attributes win otherwise.
 */
function htmlOf(parts: MailSections, language: Language): string {
  const paragraph = (text: string, style = '', name = '') =>
    text &&
    `<p${name && ` class="${name}"`} style="margin:0 0 16px;font-size:15px;line-height:1.6;${style}">${escapeHtml(text)}</p>`
  const code =
    parts.code &&
    `<p class="code" style="margin:0 0 16px;padding:12px 16px;background:#f1f3f5;border-radius:6px;font:600 26px/1.3 ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px;text-align:center">${escapeHtml(parts.code)}</p>`
  const button =
    parts.link &&
    `<p style="margin:0 0 20px"><a href="${escapeHtml(parts.link)}" style="display:inline-block;padding:10px 20px;background:#2a55d4;border-radius:6px;color:#ffffff;font-size:15px;text-decoration:none">${escapeHtml(parts.action)}</a></p>`
  const byHand =
    parts.link &&
    paragraph(parts.byHand, 'margin-bottom:4px;font-size:13px;color:#5c636a', 'quiet') +
      `<p class="quiet" style="margin:0;font-size:13px;line-height:1.5;word-break:break-all;color:#5c636a">${escapeHtml(parts.link)}</p>`
  const logo =
    parts.logo &&
    `<p style="margin:0 0 20px"><img src="${escapeHtml(parts.logo)}" alt="${escapeHtml(parts.site)}" height="36" style="height:36px;max-width:200px;border:0"></p>`
  return [
    `<!doctype html><html lang="${language === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">${styleSheet}</head>`,
    "<body class=\"page\" style=\"margin:0;padding:24px 12px;background:#f8f9fa;color:#212529;font-family:system-ui,-apple-system,'Segoe UI','PingFang SC','Microsoft YaHei',sans-serif\">",
    '<table role="presentation" align="center" width="100%" style="max-width:520px;border-collapse:collapse"><tr><td class="card" style="padding:28px 24px 12px;background:#ffffff;border-radius:8px">',
    logo,
    paragraph(parts.greeting),
    paragraph(parts.lead),
    parts.body && `<div style="margin:0 0 16px;font-size:15px;line-height:1.6">${parts.body.html}</div>`,
    code,
    button,
    paragraph(parts.note, 'font-size:13px;color:#5c636a', 'quiet'),
    '</td></tr><tr><td class="quiet" style="padding:16px 24px;color:#5c636a;font-size:12px;line-height:1.5">',
    byHand && `<div style="margin:0 0 16px">${byHand}</div>`,
    escapeHtml(parts.footer),
    '</td></tr></table></body></html>',
  ].join('')
}

const styleSheet = `<style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${[
  '.page{background:#101114!important;color:#e9ecef!important}',
  '.card{background:#1a1b1e!important}',
  '.code{background:#2c2e33!important}',
  '.quiet{color:#a6abb3!important}',
].join('')}}</style>`
