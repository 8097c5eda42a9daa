import type { EditorField, KeyFormat, Target, Text } from './provider'

/** A key as the vendor writes it; several may be given. */
export const keyFormat = (example: string): KeyFormat => ({
  hint: {
    en: `API key, as ${example}; separate several keys with commas`,
    zh: `API 密钥，如 ${example}；多个密钥以英文逗号分隔`,
  },
  several: true,
})

/** Returns whether a key has this many parts, as `id|secret`, and none of them is empty. */
export const hasParts =
  (count: number) =>
  (key: string): boolean => {
    const parts = key.split('|').map((part) => part.trim())
    return parts.length === count && !parts.includes('')
  }

/** The same for vendors that also take a key of one part. */
export const hasPartsOrOne =
  (count: number) =>
  (key: string): boolean =>
    !key.includes('|') || hasParts(count)(key)

/** Sent as `OpenAI-Organization`. */
export const organizationField: EditorField = {
  name: 'openai_organization',
  kind: 'text',
  label: { en: 'Organization', zh: '组织' },
  hint: { en: 'Sent as OpenAI-Organization; empty: not sent', zh: '以 OpenAI-Organization 请求头发送，留空则不发送' },
  placeholder: 'org-…',
}

/** The address of a vendor that has no default, or whose own installation is likely. */
export const baseUrlField = (
  placeholder: string,
  options: { readonly label?: Text; readonly hint?: Text; readonly required?: boolean } = {},
): EditorField => ({
  name: 'base_url',
  kind: 'text',
  label: { en: 'Base URL', zh: '接口地址' },
  placeholder,
  required: true,
  ...options,
})

/** The address of a vendor with a second one for other countries. */
export const regionalBaseUrlField = (home: string, abroad: string): EditorField =>
  baseUrlField(home, {
    hint: { en: `Empty: ${home}. International: ${abroad}`, zh: `留空则为 ${home}；国际站为 ${abroad}` },
    required: false,
  })

interface SettingSwitch {
  readonly field: EditorField
  readonly isOn: (target: Pick<Target, 'setting'>) => boolean
}

/** Describes a key of a channel's setting that is true or false: its field in the editor, and how the vendor reads it. */
export const settingSwitch = (key: string, text: Pick<EditorField, 'label' | 'hint'>): SettingSwitch => ({
  field: { name: `setting.${key}`, kind: 'switch', ...text },
  isOn: ({ setting }) => setting?.[key] === true,
})
