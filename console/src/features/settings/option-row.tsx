import { Anchor, Text } from '@mantine/core'
import {
  isSecretOption,
  optionGrant,
  optionOf,
  type Option,
  type OptionKey,
  sectionPrerequisites,
} from '@tollgate/contract'

import classes from './settings.module.css'
import { useTranslation } from '../../lib/text/i18n'
import { useSite } from '../../lib/api/status'
import { useFormat } from '../../lib/text/use-format'
import { OptionControl } from './controls/option-control'
import { canonicalText, defaultText, type Fault } from './option-value'
import { useOptionText } from './use-option-text'
import type { Settings } from './use-settings'

/** Multi-line texts. */
const wideFormats: ReadonlySet<Option['format']> = new Set(['markdown', 'html', 'head', 'css', 'javascript'])

/** Tables with more or longer cells. */
const wideTables: ReadonlySet<Option['entries']> = new Set([
  'bonus',
  'link',
  'matrix',
  'limits',
  'method',
  'object',
  'strategy',
])

const isWide = ({ format, entries, editor }: Option): boolean =>
  editor !== undefined || wideFormats.has(format) || wideTables.has(entries)

interface OptionRowProps {
  readonly optionKey: OptionKey
  readonly settings: Settings
  /** Opens the option's history. */
  readonly onHistory?: (key: OptionKey) => void
}

/** One option: label, help, control, and a reset to its default. */
export function OptionRow({ optionKey, settings, onHistory }: OptionRowProps) {
  const { t } = useTranslation('settings')
  const texts = useOptionText(optionKey)
  const faultText = useFaultText(optionKey)
  const row = settings.row(optionKey)
  if (!row) return null
  const option = optionOf(optionKey)
  const draft = settings.draft(optionKey)
  const value = draft ?? row.value
  const isDisabled = !settings.mayWrite(optionKey)
  return (
    <div
      className={classes.row}
      data-changed={settings.changed.includes(optionKey) || undefined}
      data-option={optionKey}
    >
      <OptionControl
        option={option}
        value={value}
        onChange={(text) => settings.setDraft(optionKey, isSecretOption(optionKey) && text === '' ? undefined : text)}
        field={{
          label: texts.label(optionKey),
          description: <Help optionKey={optionKey} />,
          error:
            faultText(settings.fault(optionKey), settings.missing(optionKey)) ?? settings.refusal(optionKey)?.message,
          size: 'sm',
          classNames: {
            root: isWide(option) ? classes.wide : classes.field,
            label: classes.label,
            description: classes.help,
            error: classes.fault,
          },
        }}
        isDisabled={isDisabled}
        isSet={row.is_set === true && draft === undefined}
        choiceLabel={(choice) => texts.choice(optionKey, choice)}
      />
      <div className={classes.foot}>
        {!settings.mayWrite(optionKey) && optionGrant(optionKey) === 'settings.secure' && <Note>{t('rootOnly')}</Note>}
        {!isDisabled && <Reset optionKey={optionKey} settings={settings} />}
        {onHistory && settings.mayReadHistory(optionKey) && (
          <span className={classes.history}>
            <Action text={t('history.open')} name={texts.label(optionKey)} onClick={() => onHistory(optionKey)} />
          </span>
        )}
      </div>
    </div>
  )
}

/** What it does, an example, and its prerequisites. */
function Help({ optionKey }: { readonly optionKey: OptionKey }) {
  const { t } = useTranslation('settings')
  const { help, example } = useOptionText(optionKey)
  const { unit, kind } = optionOf(optionKey)
  const withUnit = useUnitText()
  const value = example(optionKey)
  return (
    <>
      {help(optionKey)}
      {value !== undefined && (
        <span className={classes.example} data-kind={kind}>
          {t('example')} <code>{withUnit(value, kind === 'json' ? undefined : unit)}</code>
        </span>
      )}
    </>
  )
}

/** Formats numbers as their fields do. */
function useUnitText() {
  const { t } = useTranslation('settings')
  const { number, share, dollars, quotaInDollars } = useFormat()
  const { display_in_currency: isCurrency } = useSite()
  return (value: string, unit: Option['unit']): string => {
    if (unit === 'quota') return (isCurrency ? quotaInDollars : number)(Number(value))
    if (unit === 'usd') return dollars(Number(value))
    if (unit === 'percent') return share(Number(value) / 100)
    return unit === undefined ? value : `${number(Number(value))} ${t(`unit.${unit}`)}`
  }
}

const Note = ({ children }: { readonly children: string }) => (
  <Text size="xs" c="dimmed">
    {children}
  </Text>
)

/** Restores the saved value or the default. */
function Reset({ optionKey, settings }: OptionRowProps) {
  const { t } = useTranslation('settings')
  const { label } = useOptionText(optionKey)
  const row = settings.row(optionKey)
  const draft = settings.draft(optionKey)
  const isSecret = isSecretOption(optionKey)
  const isRemoved = isSecret && draft === ''
  const isDefault = isSecret
    ? draft === '' || row?.is_set !== true
    : canonicalText(optionKey, draft ?? row?.value ?? '') === defaultText(optionKey)
  const name = label(optionKey)
  return (
    <>
      {isRemoved && <Note>{t('secret.removed')}</Note>}
      {settings.changed.includes(optionKey) && (
        <Action text={t('undo')} name={name} onClick={() => settings.setDraft(optionKey, undefined)} />
      )}
      {!isDefault && (
        <Action
          text={t(isSecret ? 'secret.remove' : 'reset')}
          name={name}
          onClick={() => settings.setDraft(optionKey, defaultText(optionKey))}
        />
      )}
    </>
  )
}

interface ActionProps {
  readonly text: string
  /** Name of the option. */
  readonly name: string
  readonly onClick: () => void
}

function Action({ text, name, onClick }: ActionProps) {
  const { t } = useTranslation('settings')
  return (
    <Anchor
      component="button"
      type="button"
      fz="xs"
      aria-label={t('actionOn', { action: text, name })}
      onClick={onClick}
    >
      {text}
    </Anchor>
  )
}

/** Returns sentences for faults of an option. */
function useFaultText(key: OptionKey) {
  const { t, language } = useTranslation('settings')
  const { label } = useOptionText(key)
  const reason = ({ reason: name, limit, place }: Fault) => {
    const sentence = t(`fault.${name}`, { limit })
    return place === undefined ? sentence : t('fault.at', { place, sentence })
  }
  const list = new Intl.ListFormat(language, { type: 'conjunction' })
  return (fault: Fault | undefined, missing: readonly OptionKey[]): string | undefined => {
    if (fault) return reason(fault)
    if (missing.length === 0) return undefined
    const needed = sectionPrerequisites[optionOf(key).section]?.needs ?? []
    // It is on another page, whose texts may not be loaded.
    if (missing.some((one) => needed.includes(one))) return t('fault.serverAddress')
    return t('fault.missing', { names: list.format(missing.map(label)) })
  }
}
