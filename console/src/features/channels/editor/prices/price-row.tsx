import { ActionIcon, Checkbox, Text, TextInput } from '@mantine/core'
import { IconRestore } from '@tabler/icons-react'

import { ChoiceSelect } from '../../../../components/fields/choice-select'
import { StatusBadge } from '../../../../components/status-badge'
import { Tip } from '../../../../components/tip'
import { useTranslation } from '../../../../lib/text/i18n'
import { applyText, draftFaults, withKind } from './price-draft'
import { partText, type PriceDraft, type PriceField, type PriceKind, priceParts, typedPart } from './price-parts'
import classes from './prices.module.css'

interface PriceRowProps {
  readonly draft: PriceDraft
  readonly isUnpriced: boolean
  readonly isReadOnly: boolean
  readonly isSelected: boolean
  /** Shows the prices of caches, images and audio below. */
  readonly hasParts: boolean
  readonly onSelect: (isSelected: boolean) => void
  /** Restores the built-in price, where the operator set another. */
  readonly onReset?: () => void
  readonly onChange: (draft: PriceDraft) => void
}

const kinds = ['per-token', 'per-call'] as const satisfies readonly PriceKind[]

/** One model's price in dollars and ratios, each following the other. */
export function PriceRow(props: PriceRowProps) {
  const { draft, isUnpriced, isReadOnly, isSelected, hasParts, onSelect, onReset, onChange } = props
  const { t } = useTranslation('channel-editor')
  const { model, kind } = draft
  const isByCall = kind === 'per-call'
  const field = { draft, isReadOnly, onChange }
  return (
    <div className={classes.row} role="group" aria-label={model} data-unpriced={isUnpriced || undefined}>
      {isReadOnly ? (
        <span />
      ) : (
        <Checkbox
          size="xs"
          aria-label={t('prices.select', { model })}
          checked={isSelected}
          onChange={(event) => onSelect(event.currentTarget.checked)}
        />
      )}
      <div className={classes.model}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {model}
        </Text>
        {isUnpriced && <StatusBadge tone="warning">{t('prices.unpriced')}</StatusBadge>}
        {draft.isChanged && (
          <StatusBadge tone="accent">{t(draft.isReset ? 'prices.builtIn' : 'prices.edited')}</StatusBadge>
        )}
        {onReset && !draft.isReset && (
          <Tip label={t('prices.reset')}>
            <ActionIcon size={24} aria-label={t('prices.resetNamed', { model })} onClick={onReset}>
              <IconRestore size={15} />
            </ActionIcon>
          </Tip>
        )}
      </div>
      <ChoiceSelect
        size="xs"
        aria-label={t('prices.kind')}
        disabled={isReadOnly}
        value={kind}
        choices={kinds.map((value) => ({ value, label: t(`prices.${value}`) }))}
        onChange={(chosen) => onChange(withKind(draft, chosen))}
      />
      {isByCall ? <Figure {...field} name="fixed" /> : <Figure {...field} name="input" />}
      <Figure {...field} name="output" isDisabled={isByCall} />
      <Figure {...field} name="ratio" isDisabled={isByCall} />
      <Figure {...field} name="completion" isDisabled={isByCall} />
      {hasParts && !isByCall && <PartFigures {...field} />}
    </div>
  )
}

interface FigureProps {
  readonly draft: PriceDraft
  readonly name: PriceField
  readonly isReadOnly: boolean
  readonly isDisabled?: boolean
  readonly onChange: (draft: PriceDraft) => void
}

const isDollars = (name: PriceField) => name === 'input' || name === 'output' || name === 'fixed'

function Figure({ draft, name, isReadOnly, isDisabled = false, onChange }: FigureProps) {
  const { t } = useTranslation('channel-editor')
  const fault = draftFaults(draft)[name]
  return (
    <div className={classes.figure} data-label={t(`prices.${name}`)}>
      <TextInput
        size="xs"
        aria-label={t(`prices.${name}`)}
        inputMode="decimal"
        leftSection={isDollars(name) ? '$' : undefined}
        leftSectionWidth={20}
        disabled={isDisabled}
        readOnly={isReadOnly}
        value={isDisabled || draft.isReset ? '' : draft[name]}
        error={fault && !isDisabled && t(`prices.fault.${fault}`)}
        onChange={(event) => onChange(applyText(draft, name, event.currentTarget.value))}
      />
      {name === 'fixed' && (
        <Text size="xs" c="dimmed">
          {t('prices.each')}
        </Text>
      )}
    </div>
  )
}

interface PartFiguresProps {
  readonly draft: PriceDraft
  readonly isReadOnly: boolean
  readonly onChange: (draft: PriceDraft) => void
}

/** Prices of cache, image and audio tokens, in dollars per million. */
function PartFigures({ draft, isReadOnly, onChange }: PartFiguresProps) {
  const { t } = useTranslation('channel-editor')
  const faults = draftFaults(draft)
  return (
    <div className={classes.parts}>
      {priceParts.map((part) => {
        const fault = faults[part]
        return (
          <div key={part} className={classes.part} data-label={t(`prices.part.${part}`)}>
            <TextInput
              size="xs"
              aria-label={t(`prices.part.${part}`)}
              inputMode="decimal"
              leftSection="$"
              leftSectionWidth={20}
              readOnly={isReadOnly}
              value={draft.isReset ? '' : partText(draft, part)}
              error={fault && t(`prices.fault.${fault}`)}
              onChange={(event) => onChange(typedPart(draft, part, event.currentTarget.value))}
            />
          </div>
        )
      })}
    </div>
  )
}
