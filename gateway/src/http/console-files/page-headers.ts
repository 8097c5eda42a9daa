import type { OptionValues } from '@tollgate/contract'

import { hashOf, type PageSources } from './head-code'
import type { ServiceUrls } from '../../platform/config/config'

/** On every file of the console. */
export const fileHeaders = { 'X-Content-Type-Options': 'nosniff' } as const

/** Returns the headers of the console's page: who may frame it, and what it may be given. */
export function pageHeaders(): Record<string, string> {
  return {
    ...fileHeaders,
    'Cross-Origin-Resource-Policy': 'same-origin',
    // Framed chats may be given the microphone and the clipboard; nothing here needs more.
    'Permissions-Policy':
      'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), midi=(), payment=(), serial=(), usb=()',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Frame-Options': 'DENY',
  }
}

/** Returns the sources that allow the inline scripts of a built page. */
export const scriptHashes = (html: string): readonly string[] => inlineScripts(html).map(hashOf)

/**
 * Returns what the console's page may load. Scripts come only from here, except for those inlined into the page by the build, those of the
 * services that the operator enabled, and those that the super admin added to its head. Styles may be inline, as the component library
 * writes them. Images, framed chats, and the sound and film that tasks made may come from anywhere: operators, users and vendors name
 * them. A payment starts with a form that is sent to `payAddress`, whose response may redirect to another host.
 */
export function contentPolicy(
  hashes: readonly string[],
  services: readonly string[],
  { scripts, styles, fonts, connections }: PageSources,
  payAddress = '',
): string {
  return [
    "default-src 'self'",
    ["script-src 'self'", ...hashes, ...services, ...scripts].join(' '),
    ["style-src 'self' 'unsafe-inline'", ...styles].join(' '),
    "img-src 'self' data: blob: https: http:",
    "media-src 'self' data: blob: https: http:",
    ["font-src 'self' data:", ...fonts].join(' '),
    ["connect-src 'self'", ...connections].join(' '),
    'frame-src https: http:',
    "object-src 'none'",
    "base-uri 'self'",
    ["form-action 'self' https:", ...plainOrigin(payAddress)].join(' '),
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Returns the origin of an address without TLS, which `https:` does not allow. */
const plainOrigin = (address: string): readonly string[] =>
  address.startsWith('http:') && URL.canParse(address) ? [new URL(address).origin] : []

function inlineScripts(html: string): string[] {
  const scripts = html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi)
  return [...scripts].map((match) => match[1] ?? '').filter(Boolean)
}

type Switches = Pick<OptionValues, 'TurnstileCheckEnabled' | 'TelegramOAuthEnabled'>

/** Returns the origins of the scripts of enabled services: the bot check, and the button of Telegram. */
export const scriptOrigins = (
  options: Switches,
  { turnstile, telegram }: Pick<ServiceUrls, 'turnstile' | 'telegram'>,
): string[] => [
  ...(options.TurnstileCheckEnabled ? [new URL(turnstile).origin] : []),
  ...(options.TelegramOAuthEnabled ? [new URL(telegram).origin] : []),
]
