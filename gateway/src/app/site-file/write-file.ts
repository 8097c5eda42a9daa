import { channelRoutes, isSecretOption, optionKeys, optionOf, type OptionKey } from '@tollgate/contract'
import { Document } from 'yaml'

import { secretMask } from '../../channels/catalog/channel-secrets'
import { parsedJson } from '../../platform/text/parsed-json'
import { filePlan } from './apply-plans'
import { fileWindows } from './file-windows'
import { escapePlaceholders } from './placeholders'
import { isJsonField, isListField } from './site-file'
import { fileFields, isEnabled, vendorOf, type ChannelState, type SiteState } from './site-state'

const heading = [
  ' Settings of a site, as `tollgate apply -f FILE` takes them. Secrets are variables of the environment:',
  ' where one is not set, the secret that is stored stays.',
  ' yaml-language-server: $schema=site.schema.json',
].join('\n')

/** Returns the settings as a file that `apply` takes without a change. */
export function writeSiteFile({ options, secrets, channels, prices, plans, groups }: SiteState): string {
  const names = new VariableNames()
  const optionValues = optionKeys.flatMap((key) => {
    if (isSecretOption(key)) return secrets.has(key) ? [[key, `\${${names.next(key)}}`] as const] : []
    const text = options.get(key)
    return text === undefined ? [] : [[key, escapeTexts(optionValue(key, text))] as const]
  })
  const document = new Document(
    {
      options: Object.fromEntries(optionValues),
      channels: Object.fromEntries([...channels].map(([name, channel]) => [name, fileChannel(name, channel, names)])),
      prices: Object.fromEntries(prices),
      plans: Object.fromEntries([...plans].map(([name, { entity }]) => [name, escapeTexts(filePlan(entity))])),
      groups: Object.fromEntries(
        [...groups].map(([name, windows]) => [name, { windows: escapeTexts(fileWindows(windows)) }]),
      ),
    },
    { aliasDuplicateObjects: false },
  )
  document.commentBefore = heading
  return document.toString({ lineWidth: 0 })
}

/** Returns an option as a file has it. */
function optionValue(key: OptionKey, text: string): unknown {
  const { kind } = optionOf(key)
  if (kind === 'boolean') return text === 'true'
  if (kind === 'integer' || kind === 'number') return String(Number(text)) === text ? Number(text) : text
  if (kind !== 'json') return text
  const value = parsedJson(text)
  return typeof value === 'object' && value !== null ? value : text
}

function fileChannel(name: string, { row, shown, keys, windows, costs }: ChannelState, names: VariableNames) {
  const prefix = `CHANNEL_${nameOf(name) || row.id}`
  const fields = fileFields.flatMap((field) => {
    const value = shown[field]
    if (value === channelRoutes.blankFields[field] || value === null) return []
    return [[field, withVariables(fileValue(field, value), () => names.next(`${prefix}_${field}`))] as const]
  })
  return {
    type: vendorOf(row),
    ...(keys.length > 0 && { key: `\${${names.next(`${prefix}_KEY`)}}` }),
    ...(!isEnabled(row) && { enabled: false }),
    ...Object.fromEntries(fields),
    ...(windows.length > 0 && { windows: escapeTexts(fileWindows(windows)) }),
    ...(Object.keys(costs).length > 0 && { costs }),
  }
}

function fileValue(field: string, value: string | number): unknown {
  if (typeof value === 'number') return value
  if (isListField(field)) return value.split(',')
  return isJsonField(field) ? parsedJson(value) : value
}

/** Returns a value with a variable in the place of each credential. */
const withVariables = (value: unknown, nextName: () => string): unknown =>
  mapTexts(value, (text) => escapePlaceholders(text).replaceAll(secretMask, () => `\${${nextName()}}`))

const escapeTexts = (value: unknown): unknown => mapTexts(value, escapePlaceholders)

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, change)]))
}

/** Returns a name as variables have it: `SMTPToken` is `SMTP_TOKEN`. */
const nameOf = (text: string): string =>
  text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .split(/[^A-Za-z\d]+/)
    .filter((part) => part !== '')
    .join('_')
    .toUpperCase()

/** Names of variables, each of which is given once. */
class VariableNames {
  readonly #names = new Set<string>()

  next(text: string): string {
    const base = /^\d/.test(nameOf(text)) ? `_${nameOf(text)}` : nameOf(text)
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? base : `${base}_${number}`
      if (this.#names.has(name)) continue
      this.#names.add(name)
      return name
    }
  }
}
